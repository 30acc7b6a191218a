import { describe, expect, it } from "vitest";
import { Metrics } from "../../src/guard/metrics.ts";

describe("numbers for Prometheus", () => {
  it("are written in its text format", () => {
    const metrics = new Metrics();
    let now = 3;
    metrics.register("a", "Read when asked.", "gauge", () => [{ value: now }]);
    const count = metrics.counter("b_total", "Counted here.");
    count({ kind: 'a "quoted"\\\nname' });
    count({ kind: 'a "quoted"\\\nname' }, 2);
    count({ kind: "b" });
    const observe = metrics.histogram("c_seconds", "In buckets.", [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 3]) observe({ kind: "x" }, value);
    now = 4;
    expect(metrics.text()).toBe(`# HELP a Read when asked.
# TYPE a gauge
a 4
# HELP b_total Counted here.
# TYPE b_total counter
b_total{kind="a \\"quoted\\"\\\\\\nname"} 3
b_total{kind="b"} 1
# HELP c_seconds In buckets.
# TYPE c_seconds histogram
c_seconds_bucket{kind="x",le="0.1"} 2
c_seconds_bucket{kind="x",le="1"} 3
c_seconds_bucket{kind="x",le="+Inf"} 4
c_seconds_sum{kind="x"} 3.65
c_seconds_count{kind="x"} 4
`);
  });

  it("have one owner each", () => {
    const metrics = new Metrics();
    metrics.counter("a", "One.");
    expect(() => metrics.counter("a", "Two.")).toThrow("a is registered twice");
  });
});
