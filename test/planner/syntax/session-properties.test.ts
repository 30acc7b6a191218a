/** `@name` in row rules, and nowhere else. */
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { parseExpression } from "../../../src/planner/syntax/parser.ts";
import { errorOf, expression, printedExpression } from "./parsing.ts";

function rule(text: string) {
  return parseExpression(text, { limits: DEFAULT_LIMITS, sessionProperties: true });
}

describe("session properties", () => {
  it.each<[string, string]>([
    ["region = @session_region", "region = @session_region"],
    ["level>=@session_level", "level >= @session_level"],
    ["level<@session_level", "level < @session_level"],
    ["a=@x AND b<>@y", "a = @x AND b <> @y"],
    ["name = @session_區段", "name = @session_區段"],
    ["c_custkey IN @session_keys", "c_custkey IN (@session_keys)"],
    ["c_custkey NOT IN @keys AND x", "c_custkey NOT IN (@keys) AND x"],
    ["c_custkey IN (@a, @b)", "c_custkey IN (@a, @b)"],
    ["tags @> ARRAY[@tag]", "tags @> ARRAY[@tag]"],
    ["tags <@ @tags", "tags <@ @tags"],
    ["@a::int + 1", "CAST(@a AS INT) + 1"],
  ])("%s", (text, printed) => {
    expect(printedExpression(rule(text))).toBe(printed);
  });

  it("carry their name and place", () => {
    expect(rule("a = @Session_X$1")).toMatchObject({
      right: { kind: "session", name: "Session_X$1", span: { start: 4, end: 16 } },
    });
  });

  it.each(["a = @", "a = @1", "a = @'x'", "a = @@x"])("%s is refused", (text) => {
    expect(errorOf(() => rule(text)).reason).toBe("SYNTAX");
  });

  it("are refused in a caller's SQL", () => {
    expect(errorOf(() => expression("a = @x"))).toMatchObject({ reason: "SYNTAX", span: { start: 4 } });
  });
});
