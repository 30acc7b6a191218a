/** Compressed texts that are cut off or damaged: DuckDB answers the part that it can read. */
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ask, calling, connectTo, failureOf, type Playground, playground, statement } from "./fixtures.ts";

const rows = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `${from + i},${"x".repeat((from + i) % 50)}\n`).join("");
const csv = Buffer.from(`n,text\n${rows(0, 30_000)}`);
const json = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `{"n":${i}}\n`).join(""));
/** A frame for tools that do not know it to pass over (RFC 8878 §3.1.2). */
const SKIPPED = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

/** Cuts at the end of a line, where the reader of rows notices nothing missing. */
const cut = (bytes: Buffer, part: number): Buffer => bytes.subarray(0, Math.floor(bytes.length * part));

const WHOLE: Readonly<Record<string, Buffer>> = {
  "a.csv.gz": gzipSync(csv),
  "a.ndjson.gz": gzipSync(json),
  "a.csv.zst": zstdCompressSync(csv),
  "members.csv.gz": Buffer.concat([gzipSync(csv), gzipSync(rows(30_000, 10))]),
  "frames.csv.zst": Buffer.concat([SKIPPED, zstdCompressSync(csv), zstdCompressSync(rows(30_000, 10))]),
};
const DAMAGED: Readonly<Record<string, Buffer>> = {
  ...Object.fromEntries(
    [0.9, 0.5, 0.1].flatMap((part) => [
      [`cut-${part}.csv.gz`, cut(gzipSync(csv), part)],
      [`cut-${part}.csv.zst`, cut(zstdCompressSync(csv), part)],
      [`cut-${part}.ndjson.gz`, cut(gzipSync(json), part)],
    ]),
  ),
  "without-length.csv.gz": gzipSync(csv).subarray(0, -4),
  "without-checksum.csv.gz": gzipSync(csv).subarray(0, -8),
  "flipped.csv.gz": gzipSync(csv).map((byte, at) => (at === 9_000 ? byte ^ 1 : byte)) as Buffer,
  "other-length.csv.gz": gzipSync(csv).map((byte, at, { length }) => (at === length - 4 ? byte ^ 1 : byte)) as Buffer,
  "second-member.csv.gz": Buffer.concat([gzipSync(csv), gzipSync(rows(30_000, 9_000)).subarray(0, 9_000)]),
  "second-frame.csv.zst": Buffer.concat([zstdCompressSync(csv), cut(zstdCompressSync(rows(30_000, 9_000)), 0.5)]),
  "no-frame.csv.zst": csv,
};

let ground: Playground;
let connector: Connector;

beforeAll(async () => {
  ground = playground();
  for (const [name, content] of Object.entries({ ...WHOLE, ...DAMAGED })) ground.write(name, content);
  connector = await connectTo(ground);
});
afterAll(async () => {
  await connector.close();
  ground.remove();
});

describe("compressed texts", () => {
  it.each(Object.keys(WHOLE))("%s is answered", async (name) => {
    const count = /members|frames/.test(name) ? 30_010n : 30_000n;
    expect((await ask(connector, `SELECT count(*) FROM "${name}"`, name)).rows).toEqual([[count]]);
  });

  it.each(Object.keys(DAMAGED))("%s is refused, whatever of it is asked for", async (name) => {
    for (const sql of [`SELECT count(*) FROM "${name}"`, `SELECT n FROM "${name}" LIMIT 1`]) {
      expect((await failureOf(ask(connector, sql, name))).reason).toBe("FILE_INVALID");
    }
  });

  it("one of several is told by its name", async () => {
    const failure = await failureOf(ask(connector, 'SELECT n FROM "*-*.csv.gz" LIMIT 1', "*-*.csv.gz"));
    expect(failure.message).toMatch(/^"[\w.-]+" is cut off or damaged\.$/);
  });

  it.each([
    "SELECT count(*) FROM read_csv('cut-0.9.csv.gz')",
    "SELECT count(*) FROM read_csv('cut-0.9*')",
    "SELECT count(*) FROM query('SELECT * FROM read_csv(''cut-0.9.csv.gz'')')",
  ])("that the modeller's own SQL opens: %s", async (sql) => {
    const text = sql.replaceAll("cut-0.9", `${ground.root}/cut-0.9`);
    expect((await failureOf(ask(connector, text))).reason).toBe("FILE_INVALID");
  });

  it("end with the statement's time", async () => {
    const late = connector.query(statement('SELECT n FROM "a.csv.gz"', "a.csv.gz"), calling({ timeoutMs: 1 }));
    expect((await failureOf(late)).reason).toBe("STATEMENT_TIMEOUT");
  });
});
