/** The connector of Trino on a real one, by the sidecar's `fetch`; `test/connectors/trino` has fakes of its protocol. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { guardedFetch } from "../../sidecar/guarded-fetch.ts";
import { parseTrinoConnection } from "../../src/connectors/connection/trino.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { openTrino } from "../../src/connectors/http/trino.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../connectors/contract.ts";
import { TEST_CA_PATH } from "../support/postgres-server.ts";
import { hasTrino, startTrino, TRINO_LOGIN, trinoToken, WITHOUT_TRINO } from "../support/trino-server.ts";

async function open(change: object = {}): Promise<Connector> {
  const { url } = await startTrino();
  const { protocol, hostname, port } = new URL(url);
  const fields = { host: `${protocol}//${hostname}`, port, catalog: "tpch", schema: "tiny", user: "test", ...change };
  return openTrino(
    parseTrinoConnection(fields).info,
    { fetch: guardedFetch({ allowedHosts: [hostname] }) },
    { signal: new AbortController().signal },
  );
}

async function rowsOf(sql: string, change: object = {}) {
  const connector = await open(change);
  try {
    const result = await connector.query(plain(sql), patient());
    return { types: result.columns.map(({ type }) => type), rows: await drain(result) };
  } finally {
    await connector.close();
  }
}

/** Statements with this text in the server's own list. */
async function running(marker: string): Promise<number> {
  const { rows } = await rowsOf(
    `SELECT count(*) FROM system.runtime.queries WHERE state NOT IN ('FINISHED', 'FAILED') AND query LIKE '%' || '${marker}' || '%' AND query NOT LIKE '%system.runtime%'`,
  );
  return Number(rows[0]?.[0]);
}

const STUCK = "SELECT count(*) FROM tpch.sf1000.lineitem a, tpch.sf1000.lineitem b WHERE a.comment < b.comment";

describe.skipIf(!hasTrino())(hasTrino() ? "a real Trino" : WITHOUT_TRINO, () => {
  describeConnector("Trino over HTTP", async () => {
    const { rows } = await rowsOf("SELECT 1");
    expect(rows).toEqual([[1]]);
    return {
      statements: {
        numbers: (count) =>
          count === 0
            ? "SELECT n FROM UNNEST(sequence(1, 1)) AS t(n) WHERE n < 1"
            : `SELECT a * 1000 + b + 1 AS n FROM UNNEST(sequence(0, ${Math.ceil(count / 1000) - 1})) AS x(a), UNNEST(sequence(0, 999)) AS y(b) WHERE a * 1000 + b < ${count} ORDER BY n`,
        endless: "SELECT a.orderkey, a.comment FROM tpch.sf1000.lineitem a",
        stuck: STUCK,
        nulls: "SELECT 1, 'a', CAST(NULL AS integer), CAST(NULL AS varchar)",
        sameNames: "SELECT 1 AS x, 2 AS x",
        syntaxError: "SELECT 1 FROM WHERE",
        unknownTable: "SELECT 1 FROM missing_thing",
        failsWhenRun: "SELECT 1 / (n - 1) FROM (VALUES 1, 2, 3) AS s(n)",
      },
      open,
      running,
      close: async () => {},
    };
  });

  it.each(["its caller", "its time"])(
    "ends a statement when %s has gone, long before Trino gives it up",
    async (who) => {
      const connector = await open();
      const marker = `gone_${who.replace(" ", "_")}`;
      const controller = new AbortController();
      const options = { signal: controller.signal, timeoutMs: who === "its time" ? 4000 : 90_000 };
      const failing = failureOf(connector.query(plain(`${STUCK} /* ${marker} */`), options).then(drain));
      if (who === "its caller") {
        await expect.poll(() => running(marker), { timeout: 60_000, interval: 20 }).toBe(1);
        controller.abort(new Error("gone"));
      }
      await failing;
      const gone = Date.now();
      await expect.poll(() => running(marker), { timeout: 30_000, interval: 20 }).toBe(0);
      // By the server's own list: looking at it takes time as well.
      const { rows } = await rowsOf(
        `SELECT CAST(to_unixtime("end") * 1000 AS bigint) FROM system.runtime.queries WHERE query LIKE '%' || '${marker}' || '%' AND query NOT LIKE '%system.runtime%'`,
      );
      expect(Number(rows[0]?.[0])).toBeLessThan(gone + 30_000);
      await connector.close();
    },
  );

  it("reads every type exactly", async () => {
    const { types, rows } =
      await rowsOf(`SELECT true, tinyint '-1', smallint '2', 3, 9007199254740993, real '1.1', 1e0/3,
      nan(), -infinity(), decimal '12345678901234567890.12', char 'ab', 'x', json '{"a":1}', uuid '12151fd2-7586-11e9-8f9e-2a86e4085a59',
      x'00ff', date '-0044-03-15', date '12345-01-01', time '10:11:12.123456789', timestamp '2020-01-01 00:00:00.1',
      timestamp '2020-01-01 00:00:00.123456', timestamp '2020-01-01 00:00:00.123456789', timestamp '2020-06-10 15:55:23.38 Europe/Berlin',
      timestamp '2020-06-10 15:55:23 +02:30', interval '1' day - interval '25' hour, interval '-14' month, array[1, null],
      map(array['b', 'a'], array[decimal '1.5', null]), CAST(row(1, 'x') AS row(a integer, b varchar)), ipaddress '10.0.0.1', null,
      time '01:02:03+05:00', timestamp '2020-01-01 00:00:00.123456789012', map(array[9007199254740993], array[9007199254740995])`);
    expect(rows).toEqual([
      [
        ...[true, -1, 2, 3, 9007199254740993n, Math.fround(1.1), 1 / 3, Number.NaN, Number.NEGATIVE_INFINITY],
        ...["12345678901234567890.12", "ab", "x", '{"a":1}', "12151fd2-7586-11e9-8f9e-2a86e4085a59"],
        ...[Uint8Array.of(0, 255), Date.UTC(-44, 2, 15) / 86_400_000, Date.UTC(12345, 0, 1) / 86_400_000],
        ...[36_672_123_456_789, 1577836800100n, 1577836800123456n, 1577836800123456789n],
        ...[BigInt(Date.UTC(2020, 5, 10, 13, 55, 23, 380)), BigInt(Date.UTC(2020, 5, 10, 13, 25, 23))],
        ...[
          { months: 0, days: 0, microseconds: -3_600_000_000n },
          { months: -14, days: 0, microseconds: 0n },
        ],
        ...[
          [1, null],
          [
            ["b", "1.5"],
            ["a", null],
          ],
          [1, "x"],
          "10.0.0.1",
          null,
          "01:02:03+05:00",
        ],
        ...["2020-01-01 00:00:00.123456789012", [[9007199254740993n, 9007199254740995n]]],
      ],
    ]);
    expect(types.map(({ kind }) => kind).join(" ")).toBe(
      "boolean int8 int16 int32 int64 float32 float64 float64 float64 decimal string string json uuid binary date date time " +
        "timestamp timestamp timestamp timestamp timestamp interval interval list map struct string null string opaque map",
    );
  });

  it("reads the catalogue of the connection's schema", async () => {
    const connector = await open();
    const tables = await connector.catalog({ kind: "tables", filter: { table: "NAT*" }, limit: undefined }, patient());
    expect(tables).toMatchObject([
      {
        name: "tpch.tiny.nation",
        properties: { catalog: "tpch", schema: "tiny", table: "nation", path: null },
        columns: [
          { name: "nationkey", type: "BIGINT", notNull: true },
          { name: "name", type: "VARCHAR", notNull: true },
          { name: "regionkey", type: "BIGINT", notNull: true },
          { name: "comment", type: "VARCHAR", notNull: true },
        ],
        primaryKey: "",
      },
    ]);
    expect(await connector.catalog({ kind: "version" }, patient())).toMatch(/^\d+$/);
    const schemas = await connector.catalog({ kind: "schemas", filter: { schema: "t*" }, limit: undefined }, patient());
    expect(schemas).toEqual([{ name: "tpch", schemas: ["tiny"] }]);
    expect(await connector.catalog({ kind: "constraints", filter: {}, limit: undefined }, patient())).toEqual([]);
    await connector.close();
  });

  it.each<[object, string]>([
    [{ catalog: "nowhere" }, "CATALOG_NOT_FOUND"],
    [{ schema: "nowhere" }, "SCHEMA_NOT_FOUND"],
  ])("says what is wrong with a connection of %j", async (change, engineCode) => {
    expect(await failureOf(rowsOf("SELECT * FROM nation", change))).toMatchObject({
      reason: "SOURCE_INVALID_SQL",
      engineCode,
      position: 14,
    });
  });

  it.each([
    "CREATE TABLE memory.default.made AS SELECT 1 AS x",
    "/* SELECT */ DELETE FROM nation",
    "-- SELECT\nINSERT INTO memory.default.t VALUES 1",
    "CALL system.runtime.kill_query('x')",
    "START TRANSACTION",
  ])("does not run %s", async (sql) => {
    expect((await failureOf(rowsOf(sql))).reason).toBe("SOURCE_INVALID_SQL");
  });
});

describe.skipIf(!hasTrino())(hasTrino() ? "Trino over TLS" : WITHOUT_TRINO, () => {
  const { user, password } = TRINO_LOGIN;

  /** `changes` of the connection; `authority` is whom the sidecar trusts. */
  async function asked(
    changes: object,
    authority = TEST_CA_PATH,
    sql = "SELECT current_user, (SELECT count(*) FROM nation)",
  ) {
    const { secureUrl } = await startTrino();
    const { port } = new URL(secureUrl);
    const fields = { host: "https://localhost", port, catalog: "tpch", schema: "tiny", user, ...changes };
    const connector = await openTrino(
      parseTrinoConnection(fields).info,
      {
        fetch: guardedFetch({
          allowedHosts: ["localhost"],
          certificateAuthority: authority === "" ? undefined : readFileSync(authority, "utf8"),
        }),
      },
      { signal: new AbortController().signal },
    );
    return drain(await connector.query(plain(sql), patient())).finally(() => connector.close());
  }

  it.each<[string, () => object]>([
    ["a password", () => ({ password })],
    ["a token", () => ({ kwargs: { accessToken: trinoToken(60) } })],
  ])("lets in whoever has %s, for every part of an answer", async (_, changes) => {
    expect(await asked(changes())).toEqual([[user, 25n]]);
    // So many that they come in parts.
    expect(await asked(changes(), undefined, "SELECT orderkey FROM orders")).toHaveLength(15_000);
  });

  it.each<[string, () => object]>([
    ["another password", () => ({ password: "wrong" })],
    ["no password", () => ({})],
    ["another's name", () => ({ password, user: "bob" })],
    ["a token that has expired", () => ({ kwargs: { accessToken: trinoToken(-60) } })],
    [
      "a token that somebody has changed",
      () => ({
        kwargs: { accessToken: trinoToken(60).replace(/[^.]*$/, (signature) => [...signature].reverse().join("")) },
      }),
    ],
  ])("does not let in whoever has %s", async (_, changes) => {
    const failure = await failureOf(asked(changes()));
    expect(failure.reason).toBe("AUTHENTICATION");
    expect(failure.message).not.toMatch(/wrong|eyJ|password of ann/);
  });

  it("is not talked to where nobody trusts its certificate", async () => {
    expect((await failureOf(asked({ password }, ""))).reason).toBe("TLS_UNTRUSTED");
  });

  it("says that a port without TLS is none of it", async () => {
    const { url } = await startTrino();
    const failure = await failureOf(asked({ password, port: new URL(url).port }));
    expect(["HOST_UNREACHABLE", "TLS_UNTRUSTED"]).toContain(failure.reason);
  });
});
