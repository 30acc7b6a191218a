/** The rows of the shop in PostgreSQL. */
import type { TestDatabase } from "../support/postgres.ts";
import { tables } from "./shop.ts";

export async function fillPostgres(database: TestDatabase): Promise<void> {
  const client = await database.connect();
  await client.query(`
    CREATE TABLE stored_orders (order_id int PRIMARY KEY, customer_id int, ordered_at timestamp, status text, amount numeric(10,2), tax numeric(10,2));
    CREATE TABLE stored_customers (id int PRIMARY KEY, region text, joined_at timestamp)`);
  for (const name of ["orders", "customers"] as const) {
    const [, ...lines] = (tables().get(name) ?? "").trim().split("\n");
    const rows = lines.map((line) => {
      const cells = line.split(",").map((cell) => (cell === "" ? "NULL" : `'${cell}'`));
      return `(${cells.join(", ")})`;
    });
    await client.query(`INSERT INTO stored_${name} VALUES ${rows.join(", ")}`);
  }
}
