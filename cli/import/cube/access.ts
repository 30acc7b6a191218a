/** Access policies of Cube as row rules. A policy that cannot be mapped refuses its cube: its rows would be shown. */
import { written } from "../../project/identifier.ts";
import type { Item } from "../item.ts";
import type { RowRule } from "../manifest.ts";
import { Unmapped } from "../sql-text.ts";
import type { CubeModel } from "./model.ts";

const VALUE = /^\s*\$?\{\s*(?:securityContext|security_context)((?:\.[A-Za-z_]\w*)+)\s*\}\s*$/;

/** Throws `Unmapped`. */
export function rulesOf(policies: readonly Item[], made: CubeModel): readonly RowRule[] {
  const [policy, ...others] = policies;
  if (policy === undefined) return [];
  if (others.length > 0) throw new Unmapped("Its access policies for several roles have no counterpart.");
  for (const name of policy.names()) {
    if (!["role", "group", "row_level", "member_level"].includes(name)) {
      throw new Unmapped(`Its access policy has ${name}, which has no counterpart.`);
    }
  }
  const role = policy.text("role") ?? policy.text("group");
  if (role !== "*") throw new Unmapped("Its access policy is for one role, and has no counterpart.");
  const members = policy.item("member_level");
  if (members !== undefined && members.get("includes") !== "*") {
    throw new Unmapped("Its access policy restricts members, which has no counterpart.");
  }
  if (members !== undefined && members.texts("excludes").length > 0) {
    throw new Unmapped("Its access policy excludes members, which has no counterpart.");
  }
  const rows = policy.item("row_level");
  if (rows === undefined || rows.get("allow_all") === true) return [];
  return rows.items("filters").map((filter, at) => ruleOf(filter, at, made));
}

function ruleOf(filter: Item, at: number, made: CubeModel): RowRule {
  const member = filter.text("member") ?? "";
  const name = member.replace(/^(?:CUBE|\$?\{CUBE\})\./, "").replace(`${made.source.name}.`, "");
  const column = made.model.column(name);
  const [value, ...others] = filter.texts("values");
  const [, path] = VALUE.exec(value ?? "") ?? [];
  if (filter.names().some((each) => !["member", "operator", "values"].includes(each)) || column === undefined) {
    throw new Unmapped(`Its access policy compares ${member}, which has no counterpart.`);
  }
  if (filter.text("operator") !== "equals" || path === undefined || others.length > 0) {
    throw new Unmapped("Its access policy is no comparison with one value of the security context.");
  }
  const property = path.slice(1).replaceAll(".", "_").toLowerCase();
  return {
    name: `access_policy_${at + 1}`,
    requiredProperties: [{ name: property, required: true }],
    condition: `${written(column.name)} = @${property}`,
  };
}
