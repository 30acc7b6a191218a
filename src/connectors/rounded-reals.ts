/**
 * Reals of sources whose floats all have 64 bits: the plan rounds a value to 24 bits (`planner/lowering/numbers/rounded-reals.ts`), and the answer
 * shows it by the digits of a real, as PostgreSQL does.
 */
import type { DataSource } from "../planner/plan.ts";
import type { Column, ResultStream } from "../result/types.ts";
import type { Statement } from "./connector.ts";

const WITHOUT_REALS: ReadonlySet<DataSource> = new Set(["bigquery", "snowflake"]);

/** The stream, with reals in columns that the plan calls reals and the source calls doubles. */
export function withReals(stream: ResultStream, meant: Statement["columns"], source: DataSource): ResultStream {
  if (!WITHOUT_REALS.has(source)) return stream;
  const isReal = stream.columns.map(({ type }, index) => {
    const planned = meant[index]?.type;
    return type.kind === "float64" && planned?.kind === "float" && planned.bits === 32;
  });
  if (!isReal.includes(true)) return stream;
  const columns = stream.columns.map(
    (column, index): Column => (isReal[index] === true ? { ...column, type: { kind: "float32" } } : column),
  );
  return { ...stream, columns, close: () => stream.close() };
}
