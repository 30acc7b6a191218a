/** Snowflake: the YAML of a semantic view. */
import { written } from "../../project/identifier.ts";
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { readItem } from "../read-item.ts";
import { Unmapped } from "../sql-text.ts";
import { Metrics } from "./metrics.ts";
import { type LogicalTable, readTable } from "./tables.ts";
import { addVerifiedQueries } from "./verified-queries.ts";

const VIEW = {
  mapped: ["name", "description", "tables", "relationships", "metrics", "verified_queries"],
  harmless: ["custom_instructions", "module_custom_instructions", "comments", "tags"],
};
const RELATIONSHIP = {
  mapped: ["name", "left_table", "right_table", "relationship_columns", "join_type", "relationship_type"],
};
const PAIR = {
  mapped: ["left_column", "right_column"],
  refused: { operator: "a join that is no equality has no counterpart." },
};

/** Throws `FaultsInFiles` and `UsageError`. */
export function importSnowflake(path: string, shown: string, draft: Draft): void {
  const root = readItem(path, shown);
  if (!hasKnownMembers(root, `semantic view "${root.text("name") ?? ""}"`, VIEW, draft.report)) return;
  draft.description = root.text("description");
  const tables = new Map<string, LogicalTable>();
  for (const item of root.items("tables")) {
    const table = readTable(item, draft);
    if (table !== undefined) tables.set(table.model.name.toLowerCase(), table);
  }
  for (const item of root.items("relationships")) {
    const object = `relationship "${item.text("name") ?? ""}"`;
    if (!hasKnownMembers(item, object, RELATIONSHIP, draft.report)) continue;
    draft.attempt(object, item.at("name"), () => addRelationship(item, object, tables, draft));
  }
  new Metrics(tables, draft).addAll(root);
  addVerifiedQueries(root.items("verified_queries"), tables, draft);
}

function addRelationship(item: Item, object: string, tables: ReadonlyMap<string, LogicalTable>, draft: Draft): void {
  const [left, right] = ["left_table", "right_table"].map((member) => {
    const name = item.text(member) ?? "";
    const found = tables.get(name.toLowerCase());
    if (found === undefined) throw new Unmapped(`The table "${name}" is not imported.`);
    return found;
  });
  if (left === undefined || right === undefined) return;
  if (item.text("join_type") === "inner")
    throw new Unmapped("An inner join drops rows, which a relationship does not.");
  const columns = item.items("relationship_columns");
  if (columns.length === 0) throw new Unmapped("It has no relationship_columns.");
  const pairs = columns.map((each) => {
    if (!hasKnownMembers(each, object, PAIR, draft.report)) throw new Unmapped("A pair of columns has no counterpart.");
    return [sideOf(each.text("left_column"), left, each), sideOf(each.text("right_column"), right, each)] as const;
  });
  const path = draft.join(
    {
      name: item.text("name") ?? `${left.model.name}_${right.model.name}`,
      from: left.model,
      to: right.model,
      pairs,
      joinType: item.text("relationship_type") === "one_to_one" ? "ONE_TO_ONE" : "MANY_TO_ONE",
      path: right.model.name,
    },
    item.at("name"),
  );
  if (path === undefined) return;
  for (const [kind, members] of [
    ["dimension", right.cube.dimensions],
    ["time dimension", right.cube.timeDimensions],
  ] as const) {
    for (const { name, expression } of members.filter((member) => !member.name.includes("__"))) {
      const joined = { name: `${right.model.name}__${name}`, expression: `${written(path)}.${expression}` };
      draft.member(left.cube, kind, joined, item.at("name"));
    }
  }
}

function sideOf(name: string | undefined, table: LogicalTable, item: Item): string {
  if (name === undefined) throw new Unmapped("A pair lacks a column.");
  return table.model.column(name)?.name ?? table.model.input(name, name, item.at());
}
