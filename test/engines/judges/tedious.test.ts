/**
 * Our fake of SQL Server, judged by Microsoft's client: it logs in there, sends what we send, and reads the same bytes, so that
 * no mistake of ours about the protocol is on both sides.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drain, patient, plain } from "../../connectors/contract.ts";
import { hasJudges, judge } from "../../judges/judge.ts";
import { connectionTo, open, shop } from "../../sidecar/mssql/fixture.ts";
import { VALUES } from "../../sidecar/mssql/values.ts";
import { columns, hex, row } from "../../support/tds-messages.ts";
import { type FakeMsSql, startFakeMsSql } from "../../support/tds-server.ts";
import { logIn, rowsOf } from "./tedious.ts";

describe.skipIf(!hasJudges)("a login", () => {
  it.each([true, false])("is what tedious sends, but for its names; with TLS: %s", async (encrypt) => {
    const server = await startFakeMsSql(shop().answer, encrypt ? {} : { encryption: 2 });
    const kwargs = encrypt ? { TrustServerCertificate: "yes" } : { Encrypt: "no" };
    const connector = await open(connectionTo(server, { kwargs }));
    await logIn(server, encrypt);
    const [ours, theirs] = server.logins;
    expect([theirs?.version, theirs?.features.toString("hex")]).toEqual([
      ours?.version,
      ours?.features.toString("hex"),
    ]);
    for (const name of ["user", "password", "server", "database", "language"] as const) {
      expect(theirs?.fields[name]).toBe(ours?.fields[name]);
    }
    // The option flags, byte by byte: a missing database is fatal to both, ODBC's settings and the language are ours.
    const flags = (message: Buffer | undefined) => [...(message?.subarray(24, 28) ?? [])];
    expect(flags(theirs?.message)).toEqual([0xf0, 0x00, 0x00, 0x18]);
    expect(flags(ours?.message)).toEqual([0xf0, 0x03, 0x00, 0x18]);
    await connector.close();
    await server.close();
  });
});

describe.skipIf(!hasJudges)("values", () => {
  let server: FakeMsSql;
  let parts: readonly Buffer[] = [];
  beforeAll(async () => {
    server = await startFakeMsSql(
      function* (text) {
        if (/^SELECT/.test(text)) yield* parts;
      },
      { encryption: 2 },
    );
  });
  afterAll(() => server.close());

  it("of every type are the same to tedious, where it has room for them", async () => {
    parts = [columns(VALUES.map(({ name, type }) => ({ name, type }))), row(...VALUES.map(({ bytes }) => bytes))];
    const rows = await rowsOf(server, "SELECT x");
    const expected = VALUES.map(({ name, value, otherwise }) => [
      name,
      otherwise ?? (value instanceof Uint8Array ? { type: "Buffer", data: [...value] } : value),
    ]);
    const theirs = rows[0]?.map(({ metadata, value }) => [metadata.colName, JSON.parse(JSON.stringify(value))]);
    expect(theirs).toEqual(expected);
  });

  it("of every collation that tedious knows have its code page", async () => {
    const known =
      judge<Readonly<Record<"codepageByLanguageId" | "codepageBySortId", object>>>("tedious/lib/collation.js");
    const collations = [
      ...Object.keys(known.codepageByLanguageId).map((id) =>
        Buffer.from([Number(id) & 0xff, Number(id) >> 8, 0xd0, 0, 0]),
      ),
      ...Object.keys(known.codepageBySortId).map((id) => Buffer.from([0x09, 0x04, 0xd0, 0, Number(id)])),
    ];
    const list = collations.map((collation, index) => ({
      name: String(index),
      type: Buffer.concat([hex("a7 40 1f"), collation]),
    }));
    parts = [columns(list), row(...list.map(() => hex("04 00 b0 a4 c1 c4")))];
    const connector = await open(connectionTo(server, { kwargs: { Encrypt: "no" } }));
    const [ours] = await drain(await connector.query(plain("SELECT x"), patient()));
    await connector.close();
    const theirs = await rowsOf(server, "SELECT x");
    expect(ours).toEqual(theirs[0]?.map(({ value }) => value));
    // The bytes differ between code pages, but for 1252, 1254 and 1258.
    expect(new Set(ours).size).toBe(12);
  });
});
