/** The TPC-H tables as a modeller would declare them: relationships, calculated columns, a row rule. */
import { plainManifest } from "../../test/support/analyst.ts";
import type { NamedQuery } from "./queries.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly [member: string]: unknown;
}

interface Model {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly [member: string]: unknown;
}

const calculated = (name: string, type: string, expression: string): Column => ({
  name,
  type,
  isCalculated: true,
  expression,
});
const handle = (name: string, model: string, relationship: string): Column => ({ name, type: model, relationship });

const ADDED: Readonly<Record<string, readonly Column[]>> = {
  nation: [handle("region", "region", "nation_region"), calculated("region_name", "VARCHAR", "region.r_name")],
  customer: [
    handle("nation", "nation", "customer_nation"),
    handle("orders", "orders", "orders_customer"),
    calculated("region_name", "VARCHAR", "nation.region_name"),
    calculated("order_count", "BIGINT", "count(orders.o_orderkey)"),
    calculated("spent", "DECIMAL(38,2)", "coalesce(sum(orders.o_totalprice), 0)"),
  ],
  orders: [
    handle("customer", "customer", "orders_customer"),
    handle("lineitems", "lineitem", "lineitem_orders"),
    calculated("customer_region", "VARCHAR", "customer.region_name"),
    calculated("quantity", "DECIMAL(38,2)", "sum(lineitems.l_quantity)"),
    calculated("revenue", "DECIMAL(38,4)", "sum(lineitems.l_extendedprice * (1 - lineitems.l_discount))"),
  ],
  lineitem: [
    handle("order", "orders", "lineitem_orders"),
    calculated("net", "DECIMAL(38,4)", "l_extendedprice * (1 - l_discount)"),
    calculated("segment", "VARCHAR", `"order".customer.c_mktsegment`),
  ],
};

const related = (name: string, left: string, right: string, condition: string): Readonly<Record<string, unknown>> => ({
  name,
  models: [left, right],
  joinType: "MANY_TO_ONE",
  condition,
});

const RELATIONSHIPS = [
  related("nation_region", "nation", "region", "nation.n_regionkey = region.r_regionkey"),
  related("customer_nation", "customer", "nation", "customer.c_nationkey = nation.n_nationkey"),
  related("orders_customer", "orders", "customer", "orders.o_custkey = customer.c_custkey"),
  related("lineitem_orders", "lineitem", "orders", "lineitem.l_orderkey = orders.o_orderkey"),
];

const ROW_RULES = {
  customer: [
    {
      name: "own_nation",
      requiredProperties: [{ name: "session_nation", required: true }],
      condition: "c_nationkey = @session_nation",
    },
  ],
};

export const SESSION: ReadonlyMap<string, string> = new Map([["session_nation", "7"]]);

/** Base64 of the modelled tables among as many other models as make `count` in all. */
export function modelledManifest(count: number): string {
  const plain = plainManifest("postgres") as { readonly models: readonly Model[] };
  const models = plain.models.map((model) => ({
    ...model,
    columns: [...model.columns, ...(ADDED[model.name] ?? [])],
    rowLevelAccessControls: model.name === "customer" ? ROW_RULES.customer : [],
  }));
  const others = Array.from({ length: count - models.length }, (_, index) => otherModel(index));
  const relationships = others
    .slice(1)
    .map((_, index) =>
      related(`other_${index}`, `other_${index}`, `other_${index + 1}`, `other_${index}.c1 = other_${index + 1}.c0`),
    );
  return encoded({ ...plain, models: [...models, ...others], relationships: [...RELATIONSHIPS, ...relationships] });
}

/** Base64 of models that no query of ours names. */
export function otherModels(count: number): string {
  return encoded({
    catalog: "tpch",
    schema: "public",
    models: Array.from({ length: count }, (_, index) => otherModel(index)),
  });
}

const OTHER_TYPES = ["INTEGER", "VARCHAR", "DATE", "DECIMAL(15,2)", "TIMESTAMP"];
const OTHER_COLUMNS = 30;

function otherModel(index: number): Model {
  const columns = Array.from({ length: OTHER_COLUMNS }, (_, column) => ({
    name: `c${column}`,
    type: OTHER_TYPES[column % OTHER_TYPES.length] ?? "",
    notNull: column === 0,
    ...(column % 10 === 9 ? { isCalculated: true, expression: `c${column - 1} || ' of ${index}'` } : {}),
  }));
  return {
    name: `other_${index}`,
    tableReference: { schema: "public", table: `t${index}` },
    columns,
    primaryKey: "c0",
  };
}

function encoded(manifest: unknown): string {
  return Buffer.from(JSON.stringify(manifest)).toString("base64");
}

/** After TPC-H, over the calculated columns instead of the joins and sums that they stand for. */
export const MODELLED_QUERIES: readonly NamedQuery[] = [
  {
    name: "Q3",
    sql: `SELECT l_orderkey, sum(net) AS revenue, o_orderdate, o_shippriority
      FROM customer JOIN orders ON c_custkey = o_custkey JOIN lineitem ON l_orderkey = o_orderkey
      WHERE c_mktsegment = 'BUILDING' AND o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'
      GROUP BY l_orderkey, o_orderdate, o_shippriority ORDER BY revenue DESC, o_orderdate LIMIT 10`,
  },
  {
    name: "Q5",
    sql: `SELECT customer_region, sum(revenue) AS revenue FROM orders
      WHERE o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01'
      GROUP BY customer_region ORDER BY revenue DESC`,
  },
  {
    name: "Q10",
    sql: `SELECT c_custkey, c_name, spent, c_acctbal, region_name, c_address, c_phone, c_comment FROM customer
      WHERE order_count > 3 ORDER BY spent DESC LIMIT 20`,
  },
  {
    name: "Q12",
    sql: `SELECT segment, sum(CASE WHEN l_shipmode = 'MAIL' THEN net ELSE 0 END) AS mail, sum(net) AS revenue
      FROM lineitem WHERE l_receiptdate >= DATE '1994-01-01' GROUP BY segment ORDER BY segment`,
  },
  {
    name: "Q18",
    sql: `SELECT c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, quantity
      FROM customer JOIN orders ON c_custkey = o_custkey WHERE quantity > 300
      ORDER BY o_totalprice DESC, o_orderdate LIMIT 100`,
  },
  {
    name: "Q22",
    sql: `SELECT substr(c_phone, 1, 2) AS code, count(*) AS customers, sum(c_acctbal) AS balance FROM customer
      WHERE order_count = 0 AND c_acctbal > (SELECT avg(c_acctbal) FROM customer WHERE c_acctbal > 0)
      GROUP BY substr(c_phone, 1, 2) ORDER BY code`,
  },
];
