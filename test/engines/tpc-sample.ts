/**
 * A sample of TPC-DS that fits the evaluator's limit of four megabytes: the orders of every sixth number with their
 * sales and returns, the dimension rows that they or their statements may join, and the columns that a statement reads.
 */
import type { Plan } from "../../src/planner/plan.ts";

const EVERY = 6;
const ORDERS: Readonly<Record<string, string>> = {
  store_sales: "ss_ticket_number",
  store_returns: "sr_ticket_number",
  catalog_sales: "cs_order_number",
  catalog_returns: "cr_order_number",
  web_sales: "ws_order_number",
  web_returns: "wr_order_number",
  inventory: "inv_item_sk",
};
/** Columns that point at a dimension of which most rows are never met. */
const POINTING: Readonly<Record<string, readonly [key: string, ...columns: readonly string[]]>> = {
  time_dim: [
    "t_time_sk",
    ...["store_sales.ss_sold_time_sk", "store_returns.sr_return_time_sk", "catalog_sales.cs_sold_time_sk"],
    ...["catalog_returns.cr_returned_time_sk", "web_sales.ws_sold_time_sk", "web_returns.wr_returned_time_sk"],
  ],
  customer_demographics: [
    "cd_demo_sk",
    ...["customer.c_current_cdemo_sk", "store_sales.ss_cdemo_sk", "catalog_sales.cs_bill_cdemo_sk"],
    ...["web_returns.wr_refunded_cdemo_sk", "web_returns.wr_returning_cdemo_sk"],
  ],
  catalog_page: ["cp_catalog_page_sk", ...["catalog_sales.cs_catalog_page_sk", "catalog_returns.cr_catalog_page_sk"]],
};

/** Which rows of a table; all of those that it does not name. */
export function sampledRows(data: string): Readonly<Record<string, string>> {
  const orders = Object.entries(ORDERS).map(([table, number]) => [table, `${number} % ${EVERY} = 0`] as const);
  const where = new Map<string, string>([...orders, ["date_dim", "d_year BETWEEN 1998 AND 2003"]]);
  for (const [dimension, [key, ...columns]] of Object.entries(POINTING)) {
    const met = columns.map((each) => {
      const [table = "", column] = each.split(".");
      return `SELECT ${column} FROM '${data}/${table}.parquet' WHERE ${where.get(table) ?? "true"}`;
    });
    where.set(dimension, `${key} IN (${met.join(" UNION ALL ")})`);
  }
  return Object.fromEntries(where);
}

/** By table, the columns that a plan reads. */
export function columnsRead(plans: readonly Plan[]): ReadonlyMap<string, readonly string[]> {
  const read = new Map<string, Set<string>>();
  for (const { model, columns } of plans.flatMap((plan) => plan.reads())) {
    const known = read.get(model) ?? new Set();
    for (const column of columns) known.add(column);
    read.set(model, known);
  }
  return new Map([...read].map(([table, columns]) => [table, [...columns]]));
}
