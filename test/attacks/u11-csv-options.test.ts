/** CSV files in other encodings and with other delimiters: the error named options that nobody could set. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openDuckDb } from "../../sidecar/duckdb/connector.ts";
import { openFileRoot } from "../../sidecar/duckdb/file-root.ts";
import type { LocalFileConnection } from "../../src/connectors/connection/local-file.ts";
import { parseConnection } from "../../src/connectors/sources.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "siskin-u11-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function rowsOf(content: Uint8Array, csv: Readonly<Record<string, unknown>>): Promise<unknown> {
  writeFileSync(join(root, "cities.csv"), content);
  const { info } = parseConnection("local_file", { url: "/", format: "csv", csv });
  const settings = { root: await openFileRoot(root), memory: "256MB", threads: 1 };
  const connector = await openDuckDb(info as LocalFileConnection, settings);
  try {
    const reads = [{ model: "cities", columns: [], physical: { table: "cities.csv" } }];
    const options = { signal: new AbortController().signal, timeoutMs: 20_000, isolation: "tests" };
    const statement = { sql: 'SELECT * FROM "cities.csv"', columns: [], session: [], reads };
    const { batches } = await connector.query(statement, options);
    const rows: unknown[] = [];
    for await (const batch of batches) rows.push(...batch);
    return rows;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  } finally {
    await connector.close();
  }
}

it.each<[what: string, content: Uint8Array, csv: Readonly<Record<string, unknown>>, rows: unknown]>([
  ["Latin-1", Buffer.from("city;note\nKöln;x\n", "latin1"), { encoding: "latin-1" }, [["Köln", "x"]]],
  ["UTF-16", Buffer.from("\ufeffcity;note\nKöln;x\n", "utf16le"), { encoding: "utf-16" }, [["Köln", "x"]]],
  ["another delimiter", Buffer.from("city^note\na;b^x\n"), { delimiter: "^" }, [["a;b", "x"]]],
  ["another quote", Buffer.from("city;note\n'a;b';x\n"), { delimiter: ";", quote: "'" }, [["a;b", "x"]]],
  [
    "no header",
    Buffer.from("a;x\nb;y\n"),
    { header: false },
    [
      ["a", "x"],
      ["b", "y"],
    ],
  ],
  ["another NULL", Buffer.from("city;note\na;-\n"), { nullText: "-" }, [["a", null]]],
  ["another form of days", Buffer.from("city;day\na;03.04.2024\n"), { dateFormat: "%d.%m.%Y" }, [["a", 19_816]]],
])("reads %s", async (_, content, csv, rows) => {
  expect(await rowsOf(content, csv)).toEqual(rows);
});

it("refuses an unknown option", () => {
  expect(() => parseConnection("local_file", { csv: { delimeter: ";" } })).toThrow(/delimeter/);
});
