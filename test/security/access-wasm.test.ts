/**
 * Attempts to get around access rules on files, by the engine of the files Worker. One in 24 of what is answered for local files
 * is asked, beside all that is refused; `ACCESS_RULES=all` asks everything, of every rule.
 */
import { describe } from "vitest";
import { openOver } from "../connectors/duckdb-wasm/both-engines.ts";
import { openDuckDbWorld, type World } from "./access-world.ts";
import { describeAttacks, oneByTurns } from "./attacks/describe.ts";
import { ATTACKS, sampled } from "./attacks/index.ts";

/** Statements whose answers need an extension that this engine lacks. */
const OF_JSON: ReadonlySet<string> = new Set(
  ATTACKS.flatMap(({ answered }) => answered.filter((sql) => /json_each|AS JSON|json -> /i.test(sql))),
);

describe.each(["parquet", "csv"] as const)("on %s by DuckDB's WASM", (format) => {
  describeAttacks(() => openWasmWorld(format), oneByTurns(), sampled(24, OF_JSON));
});

async function openWasmWorld(format: "parquet" | "csv"): Promise<World> {
  const files = await openDuckDbWorld(format);
  const connector = await openOver(files.root, format);
  return {
    ...files,
    source: "minio_file",
    // Same as in a bucket (`access-bucket.test.ts`).
    ...(format === "csv" && { plansWidths: true }),
    opened: { connector, close: () => connector.close() },
    close: async () => {
      await connector.close();
      await files.close();
    },
  };
}
