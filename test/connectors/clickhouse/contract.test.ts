import { describe } from "vitest";
import { type ClickHouseTestDatabase, startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { describeConnector } from "../contract.ts";
import { openOn } from "./fixture.ts";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  describeConnector("ClickHouse over HTTP", async () => {
    const database: ClickHouseTestDatabase = await startClickHouse();
    await database.query("CREATE TABLE written (n Int32) ENGINE = MergeTree ORDER BY n");
    return {
      statements: {
        numbers: (count) => `SELECT number + 1 AS n FROM numbers(${count}) ORDER BY n`,
        endless: "SELECT number AS n FROM numbers(1000000000000)",
        stuck: "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 7",
        nulls: "SELECT 1, 'a', CAST(NULL AS Nullable(Int32)), CAST(NULL AS Nullable(String))",
        sameNames: "SELECT x, * REPLACE(x + 1 AS x) FROM (SELECT number + 1 AS x FROM numbers(1))",
        syntaxError: "SELECT 1 +",
        unknownTable: "SELECT 1 FROM missing_thing",
        failsWhenRun: "SELECT throwIf(number = 2) FROM numbers(3)",
        writes: "INSERT INTO written SELECT 1",
      },
      open: () => openOn(database),
      running: async (marker) => {
        const sql = `SELECT count() FROM system.processes WHERE query LIKE '%${marker}%' AND query NOT LIKE '%system.processes%'`;
        return Number((await database.query(sql))[0]?.[0]);
      },
      effects: async () => Number((await database.query("SELECT count() FROM written"))[0]?.[0]),
      close: () => database.stop(),
    };
  });
});
