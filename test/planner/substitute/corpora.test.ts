/**
 * Substitution finds tables by keywords and brackets, the parser by grammar: on every query of the corpora both must find
 * the same ones, and nothing else of the query may change.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { INPUT_LANGUAGE } from "../../../src/planner/dialects/input.ts";
import { substituteTables } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { parseQuery } from "../../../src/planner/syntax/parser.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import { transformQuery } from "../../../src/planner/syntax/rewrite.ts";
import type { Identifier, NamedTable, Query } from "../../../src/planner/syntax/tree.ts";
import { forEachChild, type SyntaxNode } from "../../../src/planner/syntax/walk.ts";
import { manifestOf } from "../../support/plan.ts";

function texts(file: string, member: string): readonly string[] {
  const content = JSON.parse(readFileSync(new URL(`../../cases/${file}`, import.meta.url), "utf8")) as Record<
    string,
    readonly { readonly sql?: string }[]
  >;
  return [...new Set((content[member] ?? []).flatMap(({ sql }) => sql ?? []))];
}

const parse = (sql: string): Query => parseQuery(sql, { limits: DEFAULT_LIMITS });

function parses(sql: string): boolean {
  try {
    parse(sql);
    return true;
  } catch {
    return false;
  }
}

const fold = ({ name, quoted }: Identifier): string => (quoted ? name : name.toLowerCase());

/** The tables that are no common tables, by PostgreSQL's rules of what is visible where. */
function physicalTables(query: Query, outer: ReadonlySet<string> = new Set()): readonly NamedTable[] {
  const names = new Set(outer);
  const found: NamedTable[] = [];
  const tables = query.with?.tables ?? [];
  if (query.with?.recursive === true) for (const { name } of tables) names.add(fold(name));
  for (const table of tables) {
    found.push(...physicalTables(table.query, new Set(names)));
    names.add(fold(table.name));
  }
  const visit = (node: SyntaxNode): void => {
    if (node.kind === "query") found.push(...physicalTables(node, names));
    else if (node.kind === "table") {
      const [first, ...others] = node.name;
      if (first !== undefined && (others.length > 0 || !names.has(fold(first)))) found.push(node);
    } else forEachChild(node, visit);
  };
  forEachChild({ ...query, with: undefined }, visit);
  return found;
}

const bare = (name: string): Identifier => ({ name, quoted: true, span: { start: 0, end: 0 } });

/** The query over models, computed on its tree. */
function overModels(query: Query): string {
  const spans = new Set(physicalTables(query).map(({ span }) => span));
  const replaced = transformQuery(query, {
    table: (node) => {
      if (node.kind !== "table" || !spans.has(node.span)) return node;
      const last = node.name.at(-1) ?? bare("");
      const alias = node.alias ?? { name: last, columns: [] };
      const name = [bare("cat"), bare("sch"), bare(`Model ${last.name.toLowerCase()}`)];
      return { ...node, name, alias: { ...alias, name: bare(alias.name.name) } };
    },
  });
  return print(replaced, INPUT_LANGUAGE);
}

function manifestFor(query: Query) {
  const models = new Map<string, object>();
  for (const { name } of physicalTables(query)) {
    const [table, schema, catalog] = name.map((part) => part.name.toLowerCase()).reverse();
    const key = name.map((part) => part.name.toLowerCase()).join(".");
    models.set(key, { name: `Model ${table}`, tableReference: { catalog, schema, table }, columns: [] });
  }
  return manifestOf({ catalog: "cat", schema: "sch", models: [...models.values()] });
}

describe.each([
  ["analyst-queries.json", "queries"],
  ["planner-cases.json", "cases"],
])("%s", (file, member) => {
  const corpus = texts(file, member).filter(parses);

  it("has queries", () => {
    expect(corpus.length).toBeGreaterThan(50);
  });

  it.each(corpus)("%s", (sql) => {
    const query = parse(sql);
    const outcome = substituteTables({
      sql,
      source: "postgres",
      manifest: manifestFor(query),
      defaults: { catalog: undefined, schema: undefined },
      limits: DEFAULT_LIMITS,
    });
    if (!outcome.ok) throw outcome.error;
    expect(print(parse(outcome.value.sql), INPUT_LANGUAGE)).toBe(overModels(query));
  });
});
