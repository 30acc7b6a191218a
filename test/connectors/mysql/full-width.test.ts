/** The width of a whole number tells whether the server's plan has a temporary table, and so something of its estimates. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { drain, patient, plain } from "../contract.ts";
import { type MySqlFixture, startMySqlFixture } from "./fixture.ts";

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let fixture: MySqlFixture;
    beforeAll(async () => {
      fixture = await startMySqlFixture(flavor);
      await fixture.database.query(
        "CREATE TABLE widths (a tinyint, b smallint, c int, d bigint, e int unsigned, f bigint unsigned, g double)",
      );
      await fixture.database.query(
        "INSERT INTO widths VALUES (-1, 2, 3, 4, 5, 6, 7.5), (NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
      );
    });
    afterAll(() => fixture?.close());

    it.each([
      [undefined, "int8 int16 int32 int64 uint32 uint64 float64", [-1, 2, 3, 4n, 5, 6n, 7.5]],
      [true, "int64 int64 int64 int64 uint64 uint64 float64", [-1n, 2n, 3n, 4n, 5n, 6n, 7.5]],
    ] as const)("fenced: %s", async (fenced, kinds, values) => {
      const connector = await fixture.open();
      const statement = { ...plain("SELECT * FROM widths ORDER BY a DESC"), ...(fenced && { fenced }) };
      const result = await connector.query(statement, patient());
      expect(result.columns.map(({ type }) => type.kind).join(" ")).toBe(kinds);
      expect(await drain(result)).toEqual([values, values.map(() => null)]);
      await connector.close();
    });
  });
}
