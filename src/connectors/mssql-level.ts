/** The compatibility level of a SQL Server database: servers keep the level of databases that an older version created. */
import type { Variant } from "../planner/plan.ts";

/** From the version text that `catalog/mssql.ts` requests; `undefined` if it contains no level. */
export function msSqlVariant(version: string): Variant | undefined {
  const [, level] = /\(compatibility level (\d{2,3})\)$/.exec(version) ?? [];
  return level === undefined ? undefined : msSqlVariantOf(Number(level));
}

export const msSqlVariantOf = (compatibility: number): Variant => ({ product: "mssql", version: [compatibility] });
