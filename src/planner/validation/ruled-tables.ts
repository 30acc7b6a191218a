/**
 * Native SQL that reads tables with row rules: a `refSql` is copied unchanged, and no rule applies inside it
 * (docs/decisions/0023-native-sql.md).
 */
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import { LEXICAL_RULES } from "../dialects/lexical.ts";
import type { PlannerLimits } from "../limits.ts";
import type { ModelData, TableReference } from "../manifest/data.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { DataSource } from "../plan.ts";
import { findTables } from "../substitute/tables.ts";
import { type Token, tokenize } from "../substitute/tokens.ts";
import { isRuled } from "./access-rules.ts";
import type { Problems } from "./problems.ts";

interface RuledTable {
  readonly model: string;
  readonly reference: TableReference;
}

/** Warnings of one kind that a plan has, and a manifest too (docs/decisions/0033-limits.md#decision). */
const MAX_WARNINGS = 100;

/** One warning per `refSql` and model whose table it reads. */
export function ruledTableWarnings(
  { data }: Manifest,
  source: DataSource,
  limits: PlannerLimits,
  problems: Problems,
): readonly PlannerWarning[] {
  const models = data.models.flatMap(({ dataIfValid }) => dataIfValid ?? []);
  const ruled = ruledTables(models);
  const warnings: PlannerWarning[] = [];
  for (const { name, refSql } of ruled.size === 0 ? [] : models) {
    if (refSql === undefined) continue;
    problems.spend(refSql.length);
    const read = problems.attempt(`model "${name}"`, () => modelsRead(tablesNamedIn(refSql, source, limits), ruled));
    for (const model of read ?? []) if (warnings.length < MAX_WARNINGS) warnings.push(warningOf(name, model));
  }
  return warnings;
}

function modelsRead(
  paths: readonly (readonly string[])[],
  ruled: ReadonlyMap<string, readonly RuledTable[]>,
): ReadonlySet<string> {
  const read = new Set<string>();
  for (const path of paths) {
    const [table = ""] = path;
    for (const { model, reference } of ruled.get(table) ?? []) if (isSame(path, reference)) read.add(model);
  }
  return read;
}

/** By the table's own name without case: a warning too many is better than one too few. */
function ruledTables(models: readonly ModelData[]): ReadonlyMap<string, readonly RuledTable[]> {
  const ruled = models.flatMap((data): readonly RuledTable[] => {
    const { name, tableReference } = data;
    return tableReference !== undefined && isRuled(data) ? [{ model: name, reference: tableReference }] : [];
  });
  return Map.groupBy(ruled, ({ reference }) => reference.table.toLowerCase());
}

/** Paths in lower case, the table's own name first; if the tables of a text cannot be determined, every name in it. */
function tablesNamedIn(refSql: string, source: DataSource, limits: PlannerLimits): readonly (readonly string[])[] {
  const rules = LEXICAL_RULES[source];
  let tokens: readonly Token[] = [];
  try {
    tokens = tokenize(refSql, rules, limits).filter(({ kind }) => kind !== "comment");
    const { tables } = findTables(tokens, rules, limits);
    return tables.map(({ path }) => path.map(({ name }) => name.toLowerCase()).reverse());
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return tokens.flatMap(({ kind, value }) => (kind === "word" || kind === "name" ? [[value.toLowerCase()]] : []));
  }
}

/** A part that one path omits may equal the other's. */
function isSame([, schema, catalog]: readonly string[], reference: TableReference): boolean {
  const differs = (written: string | undefined, declared: string | undefined): boolean =>
    written !== undefined && declared !== undefined && written !== declared.toLowerCase();
  return !differs(schema, reference.schema) && !differs(catalog, reference.catalog);
}

function warningOf(reader: string, ruled: string): PlannerWarning {
  return {
    code: "RULED_TABLE_READ",
    message: `refSql of model "${reader}" reads the table of model "${ruled}", whose access rules do not apply to refSql`,
    hint: `Repeat the rules on "${reader}", or build it without that table.`,
  };
}
