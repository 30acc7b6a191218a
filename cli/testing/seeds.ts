/**
 * A model over `seeds/*.csv` in the place of its source, for tests without a connection. Parts in the SQL of the source cannot run
 * on DuckDB: a question that reads one is refused.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PlanRead } from "../../src/planner/plan.ts";
import { inQuotes } from "../../src/planner/syntax/quoting.ts";
import { identifierIn } from "../project/identifier.ts";

type Members = Record<string, unknown>;

export interface SeededModel {
  readonly manifestText: string;
  /** The reason why a plan needs a connection, if it does. */
  readonly refusal: (reads: readonly PlanRead[]) => string | undefined;
}

/** `directory` is that of the project. */
export function overSeeds(manifestText: string, directory: string): SeededModel {
  const manifest = JSON.parse(manifestText) as Members;
  const refused = new Map<string, string>();
  const refusedColumns = new Map<string, ReadonlySet<string>>();
  const models = (Array.isArray(manifest["models"]) ? (manifest["models"] as readonly Members[]) : []).map((model) => {
    const name = String(model["name"]);
    if (model["refSql"] !== undefined)
      refused.set(name.toLowerCase(), `refSql of model ${name} is the SQL of its source`);
    const reference = model["tableReference"] as Members | undefined;
    const native = new Set<string>();
    const columns = (Array.isArray(model["columns"]) ? (model["columns"] as readonly Members[]) : []).map((column) => {
      const { expression, isCalculated, relationship } = column;
      if (typeof expression !== "string" || isCalculated === true || relationship !== undefined) return column;
      const physical = identifierIn(expression);
      if (physical === undefined) {
        native.add(String(column["name"]).toLowerCase());
        return column;
      }
      return { ...column, expression: inQuotes(physical) };
    });
    refusedColumns.set(name.toLowerCase(), native);
    if (reference === undefined) return { ...model, columns };
    const table = seedOf(directory, reference, name);
    if (table === undefined) refused.set(name.toLowerCase(), `there is no seeds/${String(reference["table"])}.csv`);
    return { ...model, columns, tableReference: { table: table ?? "seeds/absent.csv" } };
  });
  return {
    manifestText: JSON.stringify({ ...manifest, models }),
    refusal: (reads) => {
      for (const { model, columns } of reads) {
        const reason = refused.get(model.toLowerCase());
        if (reason !== undefined) return `${reason}: the question needs a connection`;
        const native = refusedColumns.get(model.toLowerCase());
        const column = columns.find((each) => native?.has(each.toLowerCase()) === true);
        if (column !== undefined) {
          return `the expression of ${model}.${column} is SQL of its source: the question needs a connection`;
        }
      }
      return undefined;
    },
  };
}

function seedOf(directory: string, reference: Members, model: string): string | undefined {
  const table = String(reference["table"]);
  const names = [
    ...(reference["schema"] === undefined ? [] : [`${String(reference["schema"])}.${table}`]),
    table,
    model,
  ];
  return names
    .filter((name) => !/[/\\]/.test(name))
    .map((name) => `seeds/${name}.csv`)
    .find((path) => existsSync(join(directory, path)));
}
