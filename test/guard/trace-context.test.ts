import { describe, expect, it } from "vitest";
import { traceHeaders, traceOf } from "../../src/guard/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

describe("a request's trace", () => {
  it.each([
    [`00-${TRACE}-${PARENT}-01`, true],
    [`00-${TRACE}-${PARENT}-00`, false],
    [`00-${TRACE}-${PARENT}-ff`, true],
    [`cc-${TRACE}-${PARENT}-01-what-comes-later`, true],
  ])("goes on: %s", (traceparent, sampled) => {
    const trace = traceOf(traceparent, "a=1,b=2");
    expect(trace).toMatchObject({ traceId: TRACE, parentId: PARENT, sampled, state: "a=1,b=2" });
    expect(trace.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(trace.spanId).not.toBe(PARENT);
    expect(traceHeaders(trace)).toEqual({
      traceparent: `00-${TRACE}-${trace.spanId}-0${sampled ? 1 : 0}`,
      tracestate: "a=1,b=2",
    });
  });

  it.each([
    [null],
    [""],
    ["canary"],
    [`00-${TRACE}-${PARENT}`],
    [`00-${TRACE}-${PARENT}-01-more`],
    [`ff-${TRACE}-${PARENT}-01`],
    [`00-${TRACE.toUpperCase()}-${PARENT}-01`],
    [`00-${"0".repeat(32)}-${PARENT}-01`],
    [`00-${TRACE}-${"0".repeat(16)}-01`],
    [`00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    [`00-${TRACE}-${PARENT}-01\n{"level":"error"}`],
  ])("begins where it was not said, or not as it should be: %j", (traceparent) => {
    const trace = traceOf(traceparent, "a=1");
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(trace.traceId).not.toBe(TRACE);
    expect(trace).not.toHaveProperty("parentId");
    expect(traceHeaders(trace)).toEqual({ traceparent: `00-${trace.traceId}-${trace.spanId}-00` });
  });

  it.each([["x".repeat(513)], ["a=é"], [""]])("hands no state on that none can be: %j", (state) => {
    expect(traceOf(`00-${TRACE}-${PARENT}-01`, state)).not.toHaveProperty("state");
  });
});
