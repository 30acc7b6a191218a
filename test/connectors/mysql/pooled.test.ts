/** Sessions that serve one request after another, as in the sidecar, on real servers. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Pool, type PoolLimits } from "../../../sidecar/pool.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { eventually } from "../../support/eventually.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST, ODD_SETTINGS, openFromNode, startMySqlFixture } from "./fixture.ts";

const LIMITS: PoolLimits = {
  perIdentity: 4,
  total: 8,
  waiting: 8,
  waitMs: 10_000,
  idleMs: 60_000,
  checkMs: 60_000,
  lifetimeMs: 600_000,
  holdMs: 60_000,
};

const NUMBER = "SELECT CONNECTION_ID()";

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let pool: Pool;
    beforeAll(async () => {
      // A reset returns to defaults that the connector cannot use.
      database = await startMySql(flavor, { options: ODD_SETTINGS });
      await database.query(`
        SET SESSION autocommit = 1;
        CREATE FUNCTION remember() RETURNS int NO SQL BEGIN SET @remembered = 7; RETURN 1; END;
        CREATE FUNCTION shift() RETURNS int NO SQL BEGIN SET SESSION time_zone = '-07:00'; RETURN 1; END`);
    });
    beforeEach(() => {
      pool = new Pool(LIMITS);
    });
    afterEach(() => pool.close());
    afterAll(() => database?.stop());

    const open = (): Promise<Connector> => openFromNode({ connectionUrl: database.url }, { ...NODE_HOST, pool });
    const ask = async (sql: string, connector?: Connector): Promise<unknown> => {
      const asked = connector ?? (await open());
      try {
        return (await drain(await asked.query(plain(sql), patient())))[0]?.[0];
      } finally {
        await asked.close();
      }
    };
    const idle = (count: number) => eventually(() => expect(pool.counters.idle).toBe(count));

    const contractPool = new Pool({ ...LIMITS, perIdentity: 60, total: 60 });
    describeConnector("from a pool", async () => {
      const fixture = await startMySqlFixture(flavor, (at) =>
        openFromNode({ connectionUrl: at.url }, { ...NODE_HOST, pool: contractPool }),
      );
      const close = async (): Promise<void> => {
        await contractPool.close();
        await fixture.close();
      };
      return { ...fixture, close };
    });

    it("serves the next request, and two at once have one each", async () => {
      const first = await ask(NUMBER);
      await idle(1);
      expect(await ask(NUMBER)).toBe(first);
      const two = await Promise.all([open(), open()]);
      const numbers = await Promise.all(two.map((connector) => ask(NUMBER, connector)));
      expect(new Set(numbers).size).toBe(2);
    });

    it.each<[string, string, string, unknown]>([
      ["a variable of the user's", "SELECT remember()", "SELECT IF(@remembered IS NULL, 'none', 'some')", "none"],
      ["a setting that a function changed", "SELECT shift()", "SELECT @@SESSION.time_zone", "+00:00"],
      ["a lock", "SELECT GET_LOCK('siskin', 0)", "SELECT IF(IS_USED_LOCK('siskin') IS NULL, 'free', 'held')", "free"],
    ])("leaves nothing behind: %s", async (_name, leaves, looks, expected) => {
      await ask(leaves);
      await idle(1);
      const [number, seen] = [await ask(NUMBER), await idle(1).then(() => ask(looks))];
      expect(seen).toBe(expected);
      await idle(1);
      expect(await ask(NUMBER)).toBe(number);
    });

    it("has its settings again after a reset", async () => {
      const settings =
        "SELECT concat_ws(' ', @@SESSION.sql_mode, @@SESSION.character_set_results, @@SESSION.collation_connection)";
      const first = await ask(settings);
      await idle(1);
      expect(await ask(settings)).toBe(first);
      expect(first).toBe("STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION utf8mb4 utf8mb4_bin");
    });

    it("that was ended by somebody is replaced once", async () => {
      const number = await ask(NUMBER);
      await idle(1);
      await database.query(`KILL ${number}`);
      expect(await ask(NUMBER)).not.toBe(number);
    });

    it("that the server ends while nobody uses it is forgotten", async () => {
      const number = await ask(NUMBER);
      await idle(1);
      await database.query(`KILL ${number}`);
      await idle(0);
    });

    it("whose statement was given up serves nobody again", async () => {
      const connector = await open();
      const controller = new AbortController();
      const failing = failureOf(
        connector.query(plain("SELECT SLEEP(60)"), { signal: controller.signal, timeoutMs: 60_000 }).then(drain),
      );
      setTimeout(() => controller.abort(new Error("gone")), 50);
      expect((await failing).reason).toBe("CANCELLED");
      await connector.close();
      expect(pool.counters.idle).toBe(0);
      const left = async () =>
        (await database.query("SHOW PROCESSLIST")).filter((row) => row.includes("SELECT SLEEP(60)"));
      await expect.poll(left, { timeout: 30_000, interval: 20 }).toEqual([]);
    });
  });
}
