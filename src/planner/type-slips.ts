/** Type names of a manifest that are probably misspelt. */
import { PlannerError } from "./diagnostics.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { isSlipOf } from "./suggest.ts";
import { parseTypeName } from "./syntax/parser.ts";
import type { TypeName } from "./syntax/tree.ts";
import { NAMEABLE_TYPES, SIMPLE_TYPE_NAMES, type TypeNames, typeOfName } from "./types.ts";

/** Types of sources without a kind in the planner, which a column may still have. */
const OTHER_TYPES: readonly string[] = [
  // PostgreSQL, Redshift
  ...[
    "int4multirange",
    "int8multirange",
    "nummultirange",
    "tsmultirange",
    "tstzmultirange",
    "datemultirange",
    "pg_lsn",
  ],
  ...[
    "regclass",
    "regtype",
    "regproc",
    "xid",
    "xid8",
    "cid",
    "tid",
    "hllsketch",
    "intervaly2m",
    "intervald2s",
    "varbyte",
  ],
  // MySQL, MariaDB, Doris
  ...[
    "linestring",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geometrycollection",
    "geomcollection",
    "inet4",
    "inet6",
  ],
  ...["hll", "bitmap", "quantile_state", "agg_state", "ipv4", "ipv6", "datev2", "datetimev2", "decimalv2", "decimalv3"],
  // SQL Server, Oracle
  ...[
    "hierarchyid",
    "sql_variant",
    "rowversion",
    "sysname",
    "rowid",
    "urowid",
    "bfile",
    "xmltype",
    "sdo_geometry",
    "vector",
  ],
  // ClickHouse
  ...[
    "int256",
    "uint128",
    "uint256",
    "enum8",
    "enum16",
    "time64",
    "bfloat16",
    "nothing",
    "nested",
    "dynamic",
    "nullable",
  ],
  ...[
    "lowcardinality",
    "aggregatefunction",
    "simpleaggregatefunction",
    "ring",
    "multilinestring",
    "decimal32",
    "decimal64",
  ],
  ...["decimal128", "decimal256"],
  // Snowflake, BigQuery, Databricks, Spark
  ...["object", "variant", "range", "void", "calendarinterval", "timestamp_nanos"],
  // Trino, Athena, DuckDB
  ...[
    "hyperloglog",
    "p4hyperloglog",
    "qdigest",
    "tdigest",
    "setdigest",
    "ipaddress",
    "ipprefix",
    "geometry",
    "timetz",
    "bignum",
  ],
  ...["varint", "time_ns", "int1", "int3", "file"],
  // Tools that do not know one
  ...["unknown", "any", "other", "array", "list", "map", "struct", "row", "tuple", "record"],
];

/** Longer texts are no slip of a name, and respelling them costs. */
const LONGEST = 200;

/**
 * The first unknown name within a written type that is a typing error away from a known type, with near names. Other
 * unknown names pass: sources have user-defined types (enums, domains).
 */
export function typeSlip(
  text: string,
  typeNames: TypeNames,
): { readonly name: string; readonly near: readonly string[] } | undefined {
  if (text.length > LONGEST) return undefined;
  const written = typeNames.respelled?.(text) ?? text;
  let parsed: TypeName;
  try {
    parsed = parseTypeName(written, DEFAULT_LIMITS);
  } catch (error) {
    // A spelling that the language's grammar does not have.
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
  const known = [...typeNames.names.keys(), ...SIMPLE_TYPE_NAMES, ...NAMEABLE_TYPES, ...OTHER_TYPES];
  for (const name of unknownIn(parsed, typeNames)) {
    if (known.includes(name)) continue;
    const near = [...new Set(known.filter((each) => isSlipOf(name, each)))].slice(0, 3);
    if (near.length > 0) return { name, near };
  }
  return undefined;
}

/** Names without a kind, elements of arrays and fields of rows included. */
function unknownIn(name: TypeName, typeNames: TypeNames): readonly string[] {
  const inner = name.members.flatMap(({ type }) => unknownIn(type, typeNames));
  const isOpaque = typeOfName({ ...name, dimensions: 0 }, typeNames).kind === "opaque";
  return isOpaque ? [name.name.toLowerCase(), ...inner] : inner;
}
