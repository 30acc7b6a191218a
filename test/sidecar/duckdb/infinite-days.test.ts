/** Days that are words, which DuckDB by itself reads as the first day of 1900. */
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ask, connectTo, failureOf, type Playground, playground } from "./fixtures.ts";

const after = (line: string): string => `${'{"d":"2024-01-01","s":"x"}\n'.repeat(9_000)}${line}\n`;

const REFUSED: Readonly<Record<string, string | Uint8Array>> = {
  "infinity.json": '{"d":"2024-01-01"}\n{"d":"infinity"}\n',
  "before.json": '{"d":"-infinity"}\n{"d":"2024-01-01"}\n',
  "epoch.json": '[{"d":"2024-01-01 10:00:00"},{"d":"Epoch"}]',
  "nested.json": '{"r":{"d":["2024-01-01","INFINITY"]}}\n',
  "words.json": '{"s":"infinity"}\n{"s":"epoch"}\n',
  "alone.json": '"2024-01-01"\n"infinity"\n',
  "odd~na/me.json": '{"a~/b":"2024-01-01"}\n{"a~/b":"infinity"}\n',
  "european.csv": "d\n31/12/2024\ninfinity\n",
  "american.csv": "t,n\n12/31/2024 10:00:00 AM,1\nEpoch,2\n",
  "late.csv": `d\n${"31/12/2024\n".repeat(30_000)}-infinity\n`,
  "late.ndjson.gz": gzipSync(after('{"d":"infinity","s":"x"}')),
  "frames.ndjson.zst": Buffer.concat(
    ['{"d":"2024-01-01"}\n', '{"d":"infinity"}\n'].map((line) => zstdCompressSync(Buffer.from(line))),
  ),
};

const ANSWERED: Readonly<Record<string, string>> = {
  "texts.json": '{"d":"2024-01-01","s":"infinity"}\n{"d":"2024-01-02","s":"epoch"}\n{"d":"2024-01-03","s":"x"}\n',
  "iso.csv": "d\n2024-12-31\ninfinity\n",
  "european-alone.csv": "d,s\n31/12/2024,x\n30/12/2024,to infinity\n",
  "texts.csv": "s\ninfinity\nx\n",
  "other.json": '{"s":"infinity"}\n{"s":"x"}\n',
  "long.json": after('{"d":"2024-01-02","s":"to infinity and beyond"}'),
};

let ground: Playground;
let connector: Connector;

beforeAll(async () => {
  ground = playground();
  for (const [name, content] of Object.entries({ ...REFUSED, ...ANSWERED })) ground.write(name, content);
  connector = await connectTo(ground, { format: "json" });
});
afterAll(async () => {
  await connector.close();
  ground.remove();
});

it.each(Object.keys(REFUSED))("%s is refused", async (name) => {
  const failure = await failureOf(ask(connector, `SELECT * FROM "${name}" LIMIT 1`, name));
  expect(failure).toMatchObject({ reason: "FILE_INVALID", message: expect.stringContaining(name) });
});

it("one of several is told by its name", async () => {
  const failure = await failureOf(ask(connector, 'SELECT * FROM "*inf*.json" LIMIT 1', "*inf*.json"));
  expect(failure.message).toMatch(/"infinity\.json" has a day/);
});

it("in the last of many files", async () => {
  for (let number = 10; number < 50; number++) ground.write(`many/${number}.csv`, "d\n2024-12-31\n");
  ground.write("many/99.csv", "d\n31/12/2024\ninfinity\n");
  expect((await failureOf(ask(connector, 'SELECT * FROM "many/*.csv"', "many/*.csv"))).reason).toBe("FILE_INVALID");
});

it.each(Object.keys(ANSWERED))("%s is answered", async (name) => {
  expect((await ask(connector, `SELECT * FROM "${name}"`, name)).rows.length).toBeGreaterThan(1);
});
