/** Aggregates of other tools in the input language. */

import type { FilePosition } from "../exit.ts";
import { written } from "../project/identifier.ts";
import { type ModelDraft, UNKNOWN_TYPE } from "./model-draft.ts";
import { Unmapped } from "./sql-text.ts";

export type Aggregate =
  | { readonly kind: "sum" | "avg" | "min" | "max" | "count" | "count distinct" }
  | { readonly kind: "percentile"; readonly at: number; readonly isDiscrete: boolean };

/** A condition in the SQL of the source, or one in the input language over columns of the model and paths. */
export interface Filter {
  readonly sql: string;
  readonly language: "native" | "input";
}

export interface Aggregated {
  readonly aggregate: Aggregate;
  /** In the SQL of the source; `undefined` counts rows. */
  readonly value: string | undefined;
  readonly filters: readonly Filter[];
  /** The type of the value, where the import declares it. */
  readonly type?: string | undefined;
  /** Name of the measure, after which hidden columns are named. */
  readonly name: string;
}

/** The measure's expression; its input becomes a hidden column of the model where no column has it. Throws `Unmapped`. */
export function aggregated(model: ModelDraft, given: Aggregated, at: FilePosition | undefined): string {
  const { aggregate, value, filters, name, type: declared } = given;
  if (value === undefined && filters.length === 0) {
    if (aggregate.kind !== "count") throw new Unmapped(`The aggregate ${aggregate.kind} has no input.`);
    return "count(*)";
  }
  const native = filters.filter(({ language }) => language === "native").map(({ sql }) => `(${sql})`);
  const own = filters.filter(({ language }) => language === "input").map(({ sql }) => `(${sql})`);
  const raw = value ?? "1";
  const expression = native.length === 0 ? raw : `CASE WHEN ${native.join(" AND ")} THEN ${raw} END`;
  const isConstant = value === undefined && native.length === 0;
  const input = isConstant ? "1" : written(model.input(expression, `${name}_value`, at, declared));
  if (own.length === 0) return call(aggregate, input);
  const condition = `CASE WHEN ${own.join(" AND ")} THEN ${input} END`;
  const type = isConstant ? "INTEGER" : (model.column(input)?.type ?? UNKNOWN_TYPE);
  return call(aggregate, written(model.calculated(condition, `${name}_filtered`, type, at)));
}

function call(aggregate: Aggregate, input: string): string {
  switch (aggregate.kind) {
    case "count distinct":
      return `count(DISTINCT ${input})`;
    case "percentile": {
      const name = aggregate.isDiscrete ? "percentile_disc" : "percentile_cont";
      return `${name}(${aggregate.at}) WITHIN GROUP (ORDER BY ${input})`;
    }
    default:
      return `${aggregate.kind}(${input})`;
  }
}
