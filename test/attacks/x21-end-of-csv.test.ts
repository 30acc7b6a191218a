/** A CSV answer whose process died is told from a whole one by its last line, where the request asks for that line. */
import { describe, expect, test } from "vitest";
import type { Column } from "../../src/result/types.ts";
import { testApp } from "../api/test-app.ts";

const COLUMNS: readonly Column[] = [{ name: "a", type: { kind: "string" } }];

async function csv(headers: Readonly<Record<string, string>>, rows: readonly string[]): Promise<string> {
  const app = testApp({ script: { columns: COLUMNS, batches: [rows.map((value) => [value])] } });
  const body = { sql: "SELECT a FROM m", manifestStr: "bTE=", connectionInfo: { host: "h", user: "u", database: "d" } };
  const response = await app.post("/v3/connector/postgres/query", body, { accept: "text/csv", ...headers });
  return response.text();
}

describe("the last line", () => {
  test("says how many rows came, where it is asked for", async () => {
    expect(await csv({ "x-end-line": "true" }, ["x", "y"])).toBe("a\r\nx\r\ny\r\n# end: 2 rows\r\n");
    expect(await csv({ "x-end-line": "true" }, [])).toBe("a\r\n# end: 0 rows\r\n");
  });

  test("is like no row", async () => {
    const text = await csv({ "x-end-line": "true" }, ["# end: 1 rows", "#"]);
    expect(text.split("\r\n")).toEqual(["a", '"# end: 1 rows"', '"#"', "# end: 2 rows", ""]);
  });

  test.each([{}, { "x-end-line": "false" }])("is not there otherwise: %j", async (headers) => {
    expect(await csv(headers, ["# end: 1 rows"])).toBe("a\r\n# end: 1 rows\r\n");
  });

  test("is asked for by yes or no alone", async () => {
    expect(await csv({ "x-end-line": "maybe" }, [])).toContain("x-end-line");
  });
});
