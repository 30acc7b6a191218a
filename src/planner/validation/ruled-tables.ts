/**
 * Tables whose rows a rule withholds, read by a modeller's own SQL: a `refSql` is carried over as it is, and no rule
 * reaches into it (decisions P14).
 */
import { PlannerError, type PlannerWarning } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import type { ModelData, TableReference } from "../manifest/data.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { DataSource } from "../plan.ts";
import { LEXICAL_RULES } from "../substitute/lexical-rules.ts";
import { findTables } from "../substitute/tables.ts";
import { type Token, tokenize } from "../substitute/tokens.ts";
import { isRuled } from "./access-rules.ts";

interface RuledTable {
  readonly model: string;
  readonly reference: TableReference;
}

/** One warning per `refSql` and model whose table it reads, at most `most`. */
export function ruledTableWarnings(
  manifest: Manifest,
  source: DataSource,
  limits: PlannerLimits,
  most: number,
): readonly PlannerWarning[] {
  const models = manifest.data.models.flatMap(({ dataIfValid }) => dataIfValid ?? []);
  const ruled = ruledTables(models);
  const warnings: PlannerWarning[] = [];
  for (const { name, refSql } of ruled.size === 0 ? [] : models) {
    if (refSql === undefined) continue;
    const met = new Set<string>();
    for (const path of tablesNamedIn(refSql, source, limits)) {
      const [table = ""] = path;
      for (const { model, reference } of ruled.get(table) ?? []) if (isSame(path, reference)) met.add(model);
    }
    for (const model of met) {
      if (warnings.length >= most) return warnings;
      warnings.push(warningOf(name, model));
    }
  }
  return warnings;
}

/** By the table's own name without case: a warning too many is better than one too few. */
function ruledTables(models: readonly ModelData[]): ReadonlyMap<string, readonly RuledTable[]> {
  const ruled = models.flatMap((data): readonly RuledTable[] => {
    const { name, tableReference } = data;
    return tableReference !== undefined && isRuled(data) ? [{ model: name, reference: tableReference }] : [];
  });
  return Map.groupBy(ruled, ({ reference }) => reference.table.toLowerCase());
}

/** Paths in lower case, the table's own name first; of a text whose tables cannot be told, every name in it. */
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

/** What one of two paths leaves out may be the other's. */
function isSame([, schema, catalog]: readonly string[], reference: TableReference): boolean {
  const differs = (written: string | undefined, declared: string | undefined): boolean =>
    written !== undefined && declared !== undefined && written !== declared.toLowerCase();
  return !differs(schema, reference.schema) && !differs(catalog, reference.catalog);
}

function warningOf(reader: string, ruled: string): PlannerWarning {
  return {
    code: "RULED_TABLE_READ",
    message: `refSql of model "${reader}" reads the table of model "${ruled}", whose access rules do not hold there`,
    hint: `Repeat the rules on "${reader}", or build it without that table.`,
  };
}
