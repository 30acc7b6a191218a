/**
 * Doris' grammar as sqlfluff has it, without what that takes from MySQL and Doris has not got: its own grammar is public
 * (https://github.com/apache/doris/blob/master/fe/fe-core/src/main/antlr4/org/apache/doris/nereids/DorisParser.g4). What sqlfluff does not
 * know of it is judged as something else.
 */
import { type Grammar, sqlFluff } from "../unexecuted/grammar.ts";
import { closing } from "../unexecuted/lists.ts";

const SQLFLUFF = sqlFluff("doris", [
  { what: "FILTER of an aggregate", word: "FILTER" },
  { what: "FETCH", word: "FETCH" },
  { what: "a WINDOW clause", word: "WINDOW" },
  { what: "a frame of groups", word: "GROUPS", kind: "frame_clause" },
  { what: "EXCLUDE in a frame", word: "EXCLUDE", kind: "frame_clause" },
  { what: "RECURSIVE before 4.1", word: "RECURSIVE" },
  { what: "IS DISTINCT FROM", word: "DISTINCT", kind: "expression" },
  { what: "a cast of PostgreSQL's", word: "::" },
]);

export const DORIS_GRAMMAR: Grammar = {
  ...SQLFLUFF,
  open: () => {
    const judge = SQLFLUFF.open();
    return (statements) =>
      judge(
        statements.map((each) => withKnownViews(each.replaceAll("(_e -> ", "(").replaceAll(/ARRAY<\w+>/g, "STRING"))),
      );
  },
};

const VIEW = /^ LATERAL VIEW (\w+)\(/;
const NAMES = /^ (`\w+`) AS `\w+`(?:, `\w+`)*/;

/** A view of rows as a joined table. */
function withKnownViews(sql: string): string {
  const at = sql.search(/ LATERAL VIEW \w+\(/);
  if (at < 0) return sql;
  const [start = "", name = ""] = VIEW.exec(sql.slice(at)) ?? [];
  const end = closing(sql, at + start.length);
  const [names = "", alias = ""] = NAMES.exec(sql.slice(end + 1)) ?? [];
  const table = names === "" ? start : ` CROSS JOIN (SELECT ${name}(`;
  const known = `${sql.slice(0, at)}${table}${sql.slice(at + start.length, end)}) AS x) AS ${alias}`;
  return names === "" ? sql : withKnownViews(known + sql.slice(end + 1 + names.length));
}
