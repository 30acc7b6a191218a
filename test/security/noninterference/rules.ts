/** Every kind of row rule over the shop's orders; each leaves the same four orders, the last two none. */
import { RULES, SESSION } from "../access-world.ts";

const rule = (condition: string): readonly object[] => [
  { name: "the rule", requiredProperties: [{ name: "user", required: true }], condition },
];

/** By kind. Those of `access-world.ts`, and what is missing there. */
export const RULE_KINDS: Readonly<Record<string, readonly object[]>> = {
  ...Object.fromEntries(Object.entries(RULES).map(([name, { rules }]) => [name, rules])),
  expression: rule("lower(owner) || '!' = @user || '!'"),
  "scalar subquery": rule(
    "(SELECT max(g.user_name) FROM grants g WHERE g.granted_area = area AND g.user_name = @user) = @user",
  ),
  OR: rule("owner = @user OR (owner = @user AND area = 'south') OR id = 0"),
  "always false": rule("owner = 'nobody' AND owner = @user"),
  "nothing found": rule(
    "owner IN (SELECT g.user_name FROM grants g WHERE g.user_name = @user AND g.granted_area = 'nowhere')",
  ),
};

/**
 * Facts that a decision protects and this test does not, so that it does not ask for them (docs/reference/access-rules.md, "What this does not
 * protect against").
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "rules that raise": "their errors come from every row of the table",
  "values that are not of the declared type": "readers of files and comparisons fail over them for everybody",
  "errors of the caller's own over visible rows, among other conditions":
    "which condition a row meets first is decided by estimates; such errors are asked for alone",
  "rows in no order, LIMIT without a total one": "rows are compared in order where the statement fixes it",
  "time and resources": "not compared",
};

export { SESSION };
