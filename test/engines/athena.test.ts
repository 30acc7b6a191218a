/** The connector of Athena against a FAKE of its API whose statements a real Trino runs (`test/connectors/athena/over-trino.ts`). */
import { describe, expect, it } from "vitest";
import { parseAthenaConnection } from "../../src/connectors/connection/athena.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { openAthena } from "../../src/connectors/http/athena.ts";
import { type FakeAthena, KEYS, startAthenaOverTrino } from "../connectors/athena/over-trino.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../connectors/contract.ts";
import { hasTrino, startTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

const ORIGIN = "https://athena.eu-west-1.amazonaws.com";
const FIELDS = {
  s3_staging_dir: "s3://bucket/q/",
  region_name: "eu-west-1",
  schema_name: "tiny",
  aws_access_key_id: KEYS.id,
  aws_secret_access_key: KEYS.secret,
};

let athena: FakeAthena;

async function open(change: object = {}): Promise<Connector> {
  const fetchHere: typeof fetch = (input, init) => fetch(String(input).replace(ORIGIN, athena.url), init);
  return openAthena(
    parseAthenaConnection({ ...FIELDS, ...change }).info,
    { fetch: fetchHere, connectTimeoutMs: 10_000 },
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

describe.skipIf(!hasTrino())(hasTrino() ? "Athena's API over Trino" : WITHOUT_TRINO, () => {
  describeConnector("Athena by its API", async () => {
    const { url } = await startTrino();
    athena = await startAthenaOverTrino(url);
    return {
      statements: {
        numbers: (count) =>
          count === 0
            ? "SELECT n FROM UNNEST(sequence(1, 1)) AS t(n) WHERE n < 1"
            : `SELECT a * 1000 + b + 1 AS n FROM UNNEST(sequence(0, ${Math.ceil(count / 1000) - 1})) AS x(a), UNNEST(sequence(0, 999)) AS y(b) WHERE a * 1000 + b < ${count} ORDER BY n`,
        // Rows come when there are all of them.
        endless: "SELECT orderkey, comment FROM lineitem",
        stuck: "SELECT count(*) FROM tpch.sf1000.lineitem a, tpch.sf1000.lineitem b WHERE a.comment < b.comment",
        nulls: "SELECT 1, 'a', CAST(NULL AS integer), CAST(NULL AS varchar)",
        sameNames: "SELECT 1 AS x, 2 AS x",
        syntaxError: "SELECT 1 FROM WHERE",
        unknownTable: "SELECT 1 FROM missing_thing",
        failsWhenRun: "SELECT 1 / (n - 1) FROM (VALUES 1, 2, 3) AS s(n)",
      },
      open,
      running: async (marker) => {
        const headers = { "x-trino-user": "watch" };
        const answer = await fetch(`${url}/v1/query`, { headers });
        const queries = (await answer.json()) as readonly { readonly state: string; readonly query: string }[];
        return queries.filter(({ state, query }) => !["FINISHED", "FAILED"].includes(state) && query.includes(marker))
          .length;
      },
      close: () => athena.close(),
    };
  });

  it("reads every type", async () => {
    athena = await startAthenaOverTrino((await startTrino()).url);
    const { types, rows } =
      await rowsOf(`SELECT true, tinyint '-1', smallint '2', 3, 9007199254740993, real '1.1', 1e0/3, 1e30, nan(),
      -infinity(), decimal '12345678901234567890.12', char 'ab', 'x', '', x'00ff', date '-0044-03-15',
      timestamp '2020-01-01 00:00:00.1', timestamp '2020-01-01 00:00:00.123456',
      timestamp '2020-06-10 15:55:23.38 Europe/Berlin', interval '1' day, interval '-14' month, json '{"a":1}', array['a, b'], null`);
    expect(rows).toEqual([
      [
        ...[true, -1, 2, 3, 9007199254740993n, Math.fround(1.1), 1 / 3, 1e30, Number.NaN, Number.NEGATIVE_INFINITY],
        ...["12345678901234567890.12", "ab", "x", "", Uint8Array.of(0, 255), Date.UTC(-44, 2, 15) / 86_400_000],
        ...[1577836800100000n, 1577836800123456n, BigInt(Date.UTC(2020, 5, 10, 13, 55, 23, 380)) * 1000n],
        { months: 0, days: 1, microseconds: 0n },
        { months: -14, days: 0, microseconds: 0n },
        ...['{"a":1}', "[a, b]", null],
      ],
    ]);
    expect(types.map(({ kind }) => kind).join(" ")).toBe(
      "boolean int8 int16 int32 int64 float32 float64 float64 float64 float64 decimal string string string binary date " +
        "timestamp timestamp timestamp interval interval json opaque null",
    );
    expect(types[10]).toEqual({ kind: "decimal", precision: 22, scale: 2 });
    await expect(rowsOf("SELECT timestamp '2020-01-01 00:00:00.123456789'")).rejects.toThrow(
      /more than 6 digits of a second/,
    );
    await athena.close();
  });

  it("reads the catalogue of the connection's schema", async () => {
    athena = await startAthenaOverTrino((await startTrino()).url);
    const connector = await open();
    const tables = await connector.catalog({ kind: "tables", filter: { table: "NAT*" }, limit: undefined }, patient());
    expect(tables).toMatchObject([
      {
        name: "tiny.nation",
        description: "",
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
    const asked = athena.asked.length;
    expect(await connector.catalog({ kind: "version" }, patient())).toBe("AWS Athena - Follow AWS service versioning");
    expect(athena.asked.length).toBe(asked);
    expect(await connector.catalog({ kind: "schemas", filter: { schema: "t*" }, limit: undefined }, patient())).toEqual(
      [{ name: "tpch", schemas: ["tiny"] }],
    );
    expect(await connector.catalog({ kind: "constraints", filter: {}, limit: undefined }, patient())).toEqual([]);
    await connector.close();
    await athena.close();
  });

  it("is not let in with another secret", async () => {
    athena = await startAthenaOverTrino((await startTrino()).url);
    const failure = await failureOf(rowsOf("SELECT 1", { aws_secret_access_key: "another" }));
    expect(failure).toMatchObject({ reason: "AUTHENTICATION", engineCode: "InvalidSignatureException" });
    await athena.close();
  });
});
