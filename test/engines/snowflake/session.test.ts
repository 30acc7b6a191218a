/**
 * The connector by password against fakesnow's server, which others than this project wrote for Snowflake's own connectors: logins,
 * statements, rows as Arrow, errors, metadata. An emulation, and *not* Snowflake. One analyst query in eight; all with `EMULATED=all`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { ANALYST_QUERIES } from "../../parity/analyst.ts";
import { ask, judgeRows } from "../../parity/judge.ts";
import { REFUSED_BY_SNOWFLAKE } from "../../parity/refused/snowflake.ts";
import { plainManifest } from "../../support/analyst.ts";
import { hasFakesnow } from "../../support/fakesnow/fakesnow.ts";
import { type FakesnowServer, startFakesnow } from "../../support/fakesnow/server.ts";
import { manifestOf } from "../../support/plan.ts";
import { TPCH_TABLES } from "../../support/tpch.ts";
import { EXAMPLES } from "../unexecuted/questions.ts";
import { EMULATED_OTHERWISE } from "./emulated.ts";

const HOST = "https://acme-sales.snowflakecomputing.com";
const FIELDS = { account: "acme-sales", user: "reader", password: "pw", database: "D", schema: "PUBLIC" };
const ALL = { filter: {}, limit: undefined } as const;
const EVERY = process.env["EMULATED"] === "all" ? 1 : 8;

const analyst = ANALYST_QUERIES.filter(
  ({ id }, index) =>
    index % EVERY === 0 && !REFUSED_BY_SNOWFLAKE.analyst.includes(id) && !Object.hasOwn(EMULATED_OTHERWISE, id),
);

describe.skipIf(!hasFakesnow())(hasFakesnow() ? "fakesnow's server" : "not run: npm run engines installs it", () => {
  let server: FakesnowServer;
  let connector: Connector;
  beforeAll(async () => {
    server = await startFakesnow(
      Object.fromEntries(TPCH_TABLES.map((name) => [name, `${EXAMPLES}/tpch/${name}.parquet`])),
    );
    const reached: typeof fetch = (input, init) => {
      if (!String(input).startsWith(`${HOST}/`)) throw new Error(`Asked ${String(input)}`);
      return fetch(String(input).replace(HOST, server.url), init);
    };
    const host = { fetch: reached, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 10_000 };
    connector = await openHere(parseConnection("snowflake", FIELDS).info, host, { signal: patient().signal });
  }, 60_000);
  afterAll(async () => {
    await connector?.close();
    await server?.close();
  });

  /** fakesnow calls a column that is selected as it is by its own name, whatever it is called in the statement. */
  const withoutNames: Pick<Connector, "query"> = {
    query: ({ columns, ...statement }, options) => {
      const capitals = columns.map((column) => ({ ...column, name: column.name.toUpperCase() }));
      return connector.query({ ...statement, columns: capitals }, options);
    },
  };
  const manifest = manifestOf(plainManifest("snowflake"));
  test.each(analyst)("$id $title", async ({ sql, ordered, expected }) => {
    const answer = await ask(sql, manifest, "snowflake", {
      connector: withoutNames as Connector,
      close: async () => {},
    });
    expect("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
  });

  test("values of every type that it sends", async () => {
    const sql = `SELECT 12::NUMBER(5, 0) AS a, 12.30::NUMBER(10, 2) AS b, 1.5::FLOAT AS c, 'ä' AS d, TRUE AS e,
      DATE '2024-02-29' AS f, TIMESTAMP '2024-02-29 12:00:00.25' AS g, TIME '10:11:12.5' AS h, NULL::VARCHAR AS i`;
    expect(await drain(await connector.query(plain(sql), patient()))).toEqual([
      [12n, "12.30", 1.5, "ä", true, 19_782, 1_709_208_000_250_000_000n, 36_672_500_000_000, null],
    ]);
  });

  test("what it says of errors", async () => {
    const failure = await failureOf(connector.query(plain("SELECT nope FROM region"), patient()));
    expect(failure).toMatchObject({ engineCode: "002043", reason: "SOURCE_ERROR" });
  });

  test("metadata", async () => {
    const tables = await connector.catalog({ kind: "tables", ...ALL }, patient());
    expect(tables.map(({ name }) => name).sort()).toEqual(
      TPCH_TABLES.map((name) => `PUBLIC.${name.toUpperCase()}`).sort(),
    );
    expect(await connector.catalog({ kind: "constraints", ...ALL }, patient())).toEqual([]);
    expect(await connector.catalog({ kind: "version" }, patient())).toMatch(/^\d+\.\d+/);
  });
});
