/** Runs seeds one after the other, each in a database of its own. */
import { DuckDBInstance } from "@duckdb/node-api";
import { Checks } from "./checks.ts";
import { generate } from "./generate.ts";
import { emptyTally, type Tally } from "./judge.ts";
import type { Twin } from "./postgres.ts";

export interface Run {
  readonly tally: Tally;
  readonly first: number;
  /** How many seeds, one after the other. */
  readonly seeds: number;
}

/** Runs seeds from `first` on until there are enough. */
export async function runSeeds(
  first: number,
  enough: (cases: number, seeds: number) => boolean,
  twin?: Twin,
): Promise<Run> {
  const tally = emptyTally();
  let seeds = 0;
  while (!enough(casesOf(tally), seeds)) {
    await runSeed(first + seeds, tally, twin);
    seeds++;
  }
  return { tally, first, seeds };
}

export function casesOf({ cases }: Tally): number {
  return [...cases.values()].reduce((sum, count) => sum + count, 0);
}

async function runSeed(seed: number, tally: Tally, twin: Twin | undefined): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const generated = await generate(seed, connection);
    await twin?.load(generated.world.tables);
    await new Checks(generated, connection, tally, twin).all();
  } catch (error) {
    // An error of the oracle, or of the generator: only the seed says which.
    throw new Error(`seed ${seed}`, { cause: error });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
