/** Verified queries of a semantic view as examples, with the names of its tables. */
import type { Draft } from "../draft.ts";
import { hasKnownMembers, type Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";
import type { LogicalTable } from "./tables.ts";

const QUERY = {
  mapped: ["name", "question", "sql"],
  silent: ["verified_at", "verified_by", "use_as_onboarding_question", "semantic_context"],
};

export function addVerifiedQueries(
  items: readonly Item[],
  tables: ReadonlyMap<string, LogicalTable>,
  draft: Draft,
): void {
  for (const item of items) {
    const [name, sql] = [item.text("name") ?? "", item.text("sql")];
    const object = `verified query "${name}"`;
    if (!hasKnownMembers(item, object, QUERY, draft.report)) continue;
    draft.attempt(object, item.at("sql"), () => {
      if (sql === undefined) throw new Unmapped("It has no sql.");
      if (/\{\{|\{%|\$\{/.test(sql)) throw new Unmapped("A template is not evaluated.");
      // Snowflake writes two underscores before the names of logical tables.
      const plain = sql.replaceAll(/'(?:[^']|'')*'|\b__(\w+)/g, (whole, table: string | undefined) =>
        table === undefined ? whole : (tables.get(table.toLowerCase())?.model.name ?? whole),
      );
      draft.questions.push({
        object,
        name,
        title: item.text("question"),
        asked: { sql: plain.trim().replace(/;\s*$/, "") },
        at: item.at("sql"),
      });
    });
  }
}
