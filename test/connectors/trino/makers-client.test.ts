/**
 * Trino's own client for Node.js speaks to our fake coordinator. It is a judge of the fake, not a driver of ours: it reads integers
 * as doubles, and does not load in workerd. `test/engines/judges/trino-client.test.ts` has it on a real Trino.
 */
import { BasicAuth, Trino } from "trino-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeTrino, startFakeTrino } from "./server.ts";

let fake: FakeTrino;
beforeAll(async () => {
  fake = await startFakeTrino();
});
afterAll(() => fake.close());

async function rowsOf(sql: string): Promise<readonly unknown[][]> {
  const auth = new BasicAuth("reader");
  const client = Trino.create({ server: `http://127.0.0.1:${fake.port}`, catalog: "c", schema: "s", auth });
  const rows: unknown[][] = [];
  for await (const { data = [] } of await client.query(sql)) rows.push(...data);
  return rows;
}

describe("Trino's client", () => {
  it("reads a page", async () => {
    // Doubles hold none of these integers exactly, which is why the client is no driver of ours.
    expect(await rowsOf("SELECT 1 /* rows 2 */")).toEqual([[9007199254740992], [9007199254740994]]);
    expect(fake.asked[0]).toBe("POST /v1/statement");
  });

  it("follows the addresses of later pages", async () => {
    const before = fake.asked.length;
    expect(await rowsOf("SELECT 1 /* rows 2500 */")).toHaveLength(2500);
    expect(fake.asked.slice(before + 1).every((line) => line.startsWith("GET /v1/statement/executing/"))).toBe(true);
    expect(fake.asked.length - before).toBe(4);
  });

  it("reads an answer without rows", async () => {
    expect(await rowsOf("SELECT 1 /* rows 0 */")).toEqual([]);
  });
});
