/**
 * Sampling for engines that take a tenth of a second per statement: with `SHARE=8` one in eight of a long list runs,
 * others on each engine, so that most of it still runs on one of them; without it, all of it.
 */
export const SHARE = Math.max(1, Math.floor(Number(process.env["SHARE"] ?? 1)) || 1);

const TURNS = ["clickhouse", "trino", "spark", "bigquery", "mysql", "postgres", "duckdb"] as const;

export function shareFor<T>(engine: (typeof TURNS)[number], all: readonly T[]): readonly T[] {
  const turn = TURNS.indexOf(engine);
  return all.filter((_, index) => (index + turn) % SHARE === 0);
}
