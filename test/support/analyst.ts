/** The extended TPC-H tables through plain models: every column under its own name. */
import type { DataSource } from "../../src/planner/plan.ts";

const TABLES = {
  nation: "n_nationkey INTEGER, n_name VARCHAR, n_regionkey INTEGER, n_comment VARCHAR",
  region: "r_regionkey INTEGER, r_name VARCHAR, r_comment VARCHAR",
  supplier:
    "s_suppkey INTEGER, s_name VARCHAR, s_address VARCHAR, s_nationkey INTEGER, s_phone VARCHAR, s_acctbal DECIMAL(15;2), s_comment VARCHAR",
  customer:
    "c_custkey INTEGER, c_name VARCHAR, c_address VARCHAR, c_nationkey INTEGER, c_phone VARCHAR, c_acctbal DECIMAL(15;2), c_mktsegment VARCHAR, c_comment VARCHAR, c_active BOOLEAN, c_attrs JSON",
  part: "p_partkey INTEGER, p_name VARCHAR, p_mfgr VARCHAR, p_brand VARCHAR, p_type VARCHAR, p_size INTEGER, p_container VARCHAR, p_retailprice DECIMAL(15;2), p_comment VARCHAR",
  partsupp:
    "ps_partkey INTEGER, ps_suppkey INTEGER, ps_availqty INTEGER, ps_supplycost DECIMAL(15;2), ps_comment VARCHAR",
  orders:
    "o_orderkey INTEGER, o_custkey INTEGER, o_orderstatus VARCHAR, o_totalprice DECIMAL(15;2), o_orderdate DATE, o_orderpriority VARCHAR, o_clerk VARCHAR, o_shippriority INTEGER, o_comment VARCHAR, o_created TIMESTAMP",
  lineitem:
    "l_orderkey INTEGER, l_partkey INTEGER, l_suppkey INTEGER, l_linenumber INTEGER, l_quantity DECIMAL(15;2), l_extendedprice DECIMAL(15;2), l_discount DECIMAL(15;2), l_tax DECIMAL(15;2), l_returnflag VARCHAR, l_linestatus VARCHAR, l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE, l_shipinstruct VARCHAR, l_shipmode VARCHAR, l_comment VARCHAR",
} as const;

const PRIMARY_KEYS: Readonly<Record<keyof typeof TABLES, readonly string[]>> = {
  nation: ["n_nationkey"],
  region: ["r_regionkey"],
  supplier: ["s_suppkey"],
  customer: ["c_custkey"],
  part: ["p_partkey"],
  partsupp: ["ps_partkey", "ps_suppkey"],
  orders: ["o_orderkey"],
  lineitem: ["l_orderkey", "l_linenumber"],
};

/** File sources name their tables by path, databases by schema. */
export function plainManifest(source: DataSource): unknown {
  return {
    catalog: "tpch",
    schema: "public",
    models: (Object.keys(TABLES) as (keyof typeof TABLES)[]).map((name) => ({
      name,
      tableReference: tableReference(source, name),
      columns: TABLES[name].split(", ").map((column) => {
        const [columnName = "", type = ""] = column.replace(";", ",").split(" ");
        return { name: columnName, type: typeIn(source, type) };
      }),
      primaryKey: PRIMARY_KEYS[name],
    })),
  };
}

/** Each under the name that its own test data have; a database without schemas is the one that is connected to. */
function tableReference(source: DataSource, name: string) {
  if (source === "local_file") return { table: `tpch/${name}.parquet` };
  return ["mysql", "trino", "clickhouse", "spark", "bigquery"].includes(source)
    ? { table: name }
    : { schema: "public", table: name };
}

/** A TIMESTAMP is an instant to BigQuery. */
const typeIn = (source: DataSource, type: string): string =>
  source === "bigquery" && type === "TIMESTAMP" ? "DATETIME" : type;
