/** docs/reference/row-policies.md: the example of PostgreSQL, run. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startPostgres } from "../support/postgres.ts";

const PAGE = readFileSync(new URL("../../docs/reference/row-policies.md", import.meta.url), "utf8");

test("the policy leaves a tenant its own rows, and fails without the setting", async () => {
  const [, example = ""] = /<!-- grammar: postgres -->\n```sql\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const database = await startPostgres();
  const client = await database.connect();
  // Roles belong to the server, which tests share.
  const role = `reader_of_guide_${database.database}`;
  await client.query("CREATE TABLE orders AS SELECT * FROM (VALUES (1, 'ann'), (2, 'bob')) AS t(id, tenant)");
  await client.query(example.replaceAll(/\breader\b/g, role));
  await client.query(`SET ROLE ${role}`);
  await expect(client.query("SELECT id FROM orders")).rejects.toThrow(/app\.tenant/);
  await client.query("SET app.tenant = 'bob'");
  expect((await client.query("SELECT id FROM orders")).rows).toEqual([{ id: 2 }]);
  await client.query(`RESET ROLE; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await database.stop();
});
