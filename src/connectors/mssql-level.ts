/** What a database of SQL Server understands: servers keep old ones at the level of the version that made them. */
import type { Variant } from "../planner/plan.ts";

/** By the version as `catalog/mssql.ts` asks for it; `undefined` where it does not tell. */
export function msSqlVariant(version: string): Variant | undefined {
  const [, level] = /\(compatibility level (\d{2,3})\)$/.exec(version) ?? [];
  return level === undefined ? undefined : msSqlVariantOf(Number(level));
}

export const msSqlVariantOf = (compatibility: number): Variant => ({ product: "mssql", version: [compatibility] });
