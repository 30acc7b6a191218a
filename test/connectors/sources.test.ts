import { describe, expect, it } from "vitest";
import { parseConnection } from "../../src/connectors/sources.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { failureOf } from "./contract.ts";

const CONNECTIONS: Readonly<Record<string, unknown>> = {
  postgres: { host: "db.example.com", port: 5432, database: "d", user: "u", password: "p" },
  local_file: { url: "/", format: "parquet" },
  duckdb: { url: "/", format: "duckdb" },
};

describe("every data source has a row", () => {
  it.each(DATA_SOURCES)("%s", async (source) => {
    const connection = CONNECTIONS[source];
    if (connection !== undefined) {
      expect(parseConnection(source, connection).info.source).toBe(source);
      return;
    }
    const failure = await failureOf((async () => parseConnection(source, {}))());
    expect([failure.reason, failure.message]).toEqual([
      "NOT_IMPLEMENTED",
      `The data source ${source} is not implemented yet.`,
    ]);
  });
});
