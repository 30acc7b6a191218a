import { describe, expect, it } from "vitest";
import { faultOf, logRequest } from "../../src/guard/request-log.ts";

describe("the request log", () => {
  it("is one line of JSON whatever its texts hold", () => {
    const lines: string[] = [];
    logRequest((line) => lines.push(line), {
      method: "POST",
      route: "/a\nb",
      status: 500,
      milliseconds: 3,
      correlationId: "id",
    });
    expect(lines[0]).not.toContain("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", event: "request", route: "/a\nb" });
  });

  it("tells where a fault was thrown, and not its message", () => {
    const fault = faultOf(new RangeError("hunter2\n    at hunter2 (file:1:1)", { cause: new TypeError("hunter2") }));
    expect(fault).toMatch(/^RangeError at .*request-log\.test\.ts.* caused by TypeError at /);
    expect(fault).not.toContain("hunter2");
  });

  it.each([
    ["hunter2", "string"],
    [undefined, "undefined"],
    [{ password: "hunter2" }, "object"],
  ])("of %j it tells the type only", (thrown, type) => {
    expect(faultOf(thrown)).toBe(type);
  });
});
