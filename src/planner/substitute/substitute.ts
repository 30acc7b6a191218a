/**
 * SQL over physical tables → SQL over models (docs/spec/contract.md#model-substitution): the tables of FROM are replaced in the
 * caller's text.
 *
 * Nothing is printed anew, so functions, casts and comments stay unchanged. Quoted names and strings get the input
 * language's notation where it would read the source's differently; blanks are collapsed.
 */

import { LEXICAL_RULES } from "../dialects/lexical.ts";
import type { PlannerLimits } from "../limits.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { DataSource } from "../plan.ts";
import { type NameDefaults, TableIndex } from "./lookup.ts";
import { type FoundReferences, type FoundTable, findTables } from "./tables.ts";
import { nameText, type Token, tokenize } from "./tokens.ts";

export interface SubstituteRequest {
  /** One query in the dialect of `source`. */
  readonly sql: string;
  readonly manifest: Manifest;
  readonly source: DataSource;
  readonly defaults: NameDefaults;
  readonly limits: PlannerLimits;
}

export interface Substitution {
  readonly sql: string;
  /** Ascending triples (offset in `sql`, start, end in the caller's text), as those of a plan. */
  readonly origins: readonly number[];
}

/**
 * The query over models, without a semicolon at its end.
 * @throws PlannerError SYNTAX, SEVERAL_STATEMENTS, UNSUPPORTED_STATEMENT, LIMIT_SIZE, LIMIT_DEPTH, MODEL_NOT_FOUND,
 * AMBIGUOUS_MODEL
 */
export function substitute(request: SubstituteRequest): Substitution {
  const rules = LEXICAL_RULES[request.source];
  const tokens = tokenize(request.sql, rules, request.limits);
  const significant = tokens.filter((token) => token.kind !== "comment");
  const found = findTables(significant, rules, request.limits);
  const edits = editsOf(found, significant, request.manifest, request.defaults);
  return print(tokens, edits);
}

interface Edit {
  /** Offset in the caller's text after the replaced part. */
  readonly end: number;
  readonly text: string;
}

/** Keyed by the start offset of the replaced part. */
function editsOf(
  { tables, qualifiers }: FoundReferences,
  tokens: readonly Token[],
  manifest: Manifest,
  defaults: NameDefaults,
): ReadonlyMap<number, Edit> {
  const edits = new Map<number, Edit>();
  const index = tables.length === 0 ? undefined : new TableIndex(manifest, defaults);
  const replace = (from: number, to: number, text: string): void => {
    const [first, last] = [tokens[from], tokens[to - 1]];
    if (first !== undefined && last !== undefined) edits.set(first.start, { end: last.end, text });
  };
  for (const table of tables) {
    const token = tokens[table.statement ? table.from + 1 : table.from];
    if (index === undefined || token === undefined) continue;
    const model = index.find(table, token);
    const path = [manifest.catalog, manifest.schema, model].map(nameText).join(".");
    const text = `${path} AS ${nameText(aliasOf(table))}`;
    replace(table.from, table.to, table.statement ? `SELECT * FROM ${text}` : text);
  }
  for (const { from, to, table } of qualifiers) replace(from, to, nameText(table));
  return edits;
}

/** Columns keep their qualifier: the alias, or the table's own name. DuckDB calls a file by its name without extension. */
function aliasOf({ alias, path, file }: FoundTable): string {
  const name = alias?.name ?? path.at(-1)?.name ?? "";
  if (alias !== undefined || !file) return name;
  return name.slice(name.lastIndexOf("/") + 1).replace(/(.)\.[^.]*$/, "$1");
}

function print(tokens: readonly Token[], edits: ReadonlyMap<number, Edit>): Substitution {
  const origins: number[] = [];
  let sql = "";
  let before: Token | undefined;
  let replacedTo = 0;
  for (const token of tokens) {
    if (token.start < replacedTo || isSign(token, ";")) continue;
    const edit = token.kind === "comment" ? undefined : edits.get(token.start);
    sql += gap(before, token);
    origins.push(sql.length, token.start, edit?.end ?? token.end);
    sql += edit?.text ?? token.text;
    replacedTo = edit?.end ?? token.end;
    before = edit === undefined ? token : { ...token, kind: "name", value: "", end: edit.end };
  }
  return { sql: sql.trimEnd(), origins };
}

/** The text between two pieces. Adjacent pieces stay adjacent, unless the input language would join them. */
function gap(before: Token | undefined, token: Token): string {
  if (before === undefined) return "";
  if (before.kind === "comment" && before.text.startsWith("--")) return "\n";
  if (before.end === token.start) {
    const quoted = isQuoted(before) && isQuoted(token);
    const comment = (isSign(before, "-") && isSign(token, "-")) || (isSign(before, "/") && isSign(token, "*"));
    return quoted || comment ? " " : "";
  }
  return isSign(before, "(") || isSign(token, ")") ? "" : " ";
}

function isSign(token: Token, sign: string): boolean {
  return token.kind === "sign" && token.value === sign;
}

function isQuoted(token: Token): boolean {
  return token.kind === "name" || token.kind === "string";
}
