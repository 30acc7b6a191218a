/** Trino's own client on a real Trino: what our fake of the protocol answers it, Trino answers it, too. */
import { BasicAuth, Trino } from "trino-client";
import { describe, expect, it } from "vitest";
import { hasTrino, startTrino, WITHOUT_TRINO } from "../../support/trino-server.ts";

describe.skipIf(!hasTrino())(hasTrino() ? "Trino's client on a real Trino" : WITHOUT_TRINO, () => {
  async function rowsOf(sql: string): Promise<readonly unknown[][]> {
    const { url } = await startTrino();
    const client = Trino.create({ server: url, catalog: "tpch", schema: "tiny", auth: new BasicAuth("test") });
    const rows: unknown[][] = [];
    for await (const { data = [] } of await client.query(sql)) rows.push(...data);
    return rows;
  }

  it("reads the doubles that it makes of integers, as from the fake", async () => {
    expect(await rowsOf("SELECT n FROM (VALUES 9007199254740993, 9007199254740994) AS t(n)")).toEqual([
      [9007199254740992],
      [9007199254740994],
    ]);
  });

  it("follows the addresses of later pages", async () => {
    expect(await rowsOf("SELECT orderkey FROM orders")).toHaveLength(15_000);
  });

  it("reads an answer without rows", async () => {
    expect(await rowsOf("SELECT 1 WHERE false")).toEqual([]);
  });
});
