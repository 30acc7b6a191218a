/** The words that generated queries are made of. */
import { functionNames } from "../../src/planner/functions/catalogue.ts";
import type { Random } from "../planner/syntax/random.ts";

/** The rough type of a column or an expression, so that most generated queries are well typed. */
export type Kind = "number" | "text" | "boolean" | "date" | "timestamp" | "json" | "array";

export const KINDS: readonly Kind[] = ["number", "text", "boolean", "date", "timestamp", "json", "array"];

/** Kinds whose values compare with each other on every source. */
export const COMPARABLE: readonly Kind[] = ["number", "text", "boolean", "date", "timestamp"];

export const TYPES: Readonly<Record<Kind, readonly string[]>> = {
  number:
    "int integer bigint smallint int8 numeric decimal(10,2) numeric(38,9) real float float(24) double int64".split(" "),
  text: ["text", "varchar", "varchar(10)", "char(3)", "string", "character varying"],
  boolean: ["boolean", "bool"],
  date: ["date"],
  timestamp: ["timestamp", "timestamptz", "timestamp(3)", "timestamp with time zone", "datetime"],
  json: ["json", "jsonb"],
  array: ["int[]", "array<int>", "integer array"],
};

/** Types that need not fit, or that nobody knows. Left out: `bit(1)`, which DuckDB has without a length and is sent with one. */
export const WRONG_TYPES: readonly string[] = [
  ...["char", "nvarchar(max)", "bit", "bytea", "uuid", "time", "interval", "variant", "number", "number(10)"],
  ...["unsigned", "tinyint", "hugeint", "date32", "map<text, int>", "struct<a int>", "row(a int, b text)", "text[][]"],
  ...[
    "array<array<text>>",
    "decimal(99)",
    "decimal(10,20)",
    "decimal(-1)",
    "varchar(0)",
    "nonsense",
    "s.t",
    "double precision",
  ],
];

/** Calls with words between their arguments have rules of their own in `expressions.ts`. */
const SPECIAL_FORMS: ReadonlySet<string> = new Set(["extract", "position", "overlay", "mode"]);

/** Functions of the catalogue, their synonyms, and names that are refused or unknown. */
export const FUNCTIONS: readonly string[] = [
  ...[...functionNames()].filter((name) => !SPECIAL_FORMS.has(name)),
  ...(
    "ifnull nvl isnull nvl2 zeroifnull iff if decode substr mid len charindex instr strpos ucase lcase year month day quarter " +
    "hour minute second week dayofyear date_part datetrunc date_add date_sub dateadd datediff timestampadd timestampdiff " +
    "add_months last_day to_date date timestamp safe_divide div0 listagg group_concat any_value count_if countif " +
    "approx_count_distinct approx_distinct approx_percentile median regexp_contains regexp_substr regexp_extract truncate " +
    "pow power percentile_cont percentile_disc dayofweek weekday strftime date_format to_varchar get_json_object " +
    "json_extract json_value array_length array_contains array_size sha256 pg_sleep pg_read_file query_to_xml read_csv " +
    "lo_import dblink my_function constructor toString __proto__ hasOwnProperty version current_user getdate sysdate " +
    "json_array_elements jsonb_array_elements_text jsonb_each json_each_text jsonb_object_keys json_to_record " +
    "regexp_split_to_table string_to_table regexp_matches generate_subscripts json_serialize_plan stats repeat julianday " +
    "instr iif str_to_date date_parse element_at make_array list_contains array_join sequence row_to_json"
  ).split(" "),
];

export const UNITS: readonly string[] = "year quarter month week day hour minute second".split(" ");

export const WRONG_UNITS: readonly string[] =
  "millisecond microsecond years days decade century epoch dow isodow doy fortnight dayofweek timezone".split(" ");

/** Words and signs of SQL, and what people bring along from other languages. */
export const FRAGMENTS: readonly string[] = [
  ...(
    "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET FETCH FIRST NEXT ROW ROWS ONLY WITH TIES UNION ALL INTERSECT EXCEPT " +
    "DISTINCT ON JOIN LEFT RIGHT FULL OUTER INNER CROSS NATURAL USING LATERAL VALUES TABLE AS AND OR NOT IN IS NULL TRUE LIKE " +
    "ILIKE SIMILAR TO ESCAPE BETWEEN SYMMETRIC CASE WHEN THEN ELSE END CAST TRY_CAST EXISTS ANY SOME ARRAY ROW INTERVAL DAY " +
    "DATE TIMESTAMP TIME ZONE AT COLLATE OVER PARTITION RANGE GROUPS UNBOUNDED PRECEDING FOLLOWING CURRENT FILTER WITHIN " +
    "QUALIFY WINDOW ROLLUP CUBE GROUPING SETS EXTRACT YEAR SUBSTRING FOR POSITION TRIM BOTH OVERLAY PLACING CURRENT_DATE " +
    "RECURSIVE MATERIALIZED IGNORE NULLS ISNULL NOTNULL MINUS EXCLUDE REPLACE RENAME ORDINALITY UNNEST DELETE INSERT INTO " +
    "UPDATE SET DROP EXPLAIN PIVOT UNPIVOT TOP APPLY TABLESAMPLE UNKNOWN OVERLAPS ASOF SEMI ANTI PREPARE"
  ).split(" "),
  ..."( ) [ ] { } , ; . : :: := => * + - / // % ^ || -> ->> #> #>> @> <@ && ? ?| ?& ^@ # & | << >> ~ ~* !~ !~*".split(
    " ",
  ),
  ..."= <> != < <= > >= == === <=> ! !== @x @@v $1 :name %s {{x}} ` \\ .. ...".split(" "),
  ..."1 1.5 .5 1. 1e3 1E+2 2e-1 1e 0x1F 0b1 1_0 1__0 1a 's' ' \" \"q\" \"\" E'\\n' E'\\u{1}' E'\\ $$d$$ $$ $t$ X'1F' X'1' B'2' U&'\\0041' N'x'".split(
    " ",
  ),
  ...["--c\n", "/*c*/", "/*", "*/", "/*/*", "\n", "\r", "\t", "\0", "\ud800", "\udc00", "é", "e\u0301", "😀"],
  ...["\u00a0", "\u200b", "\u202e", "\ufeff", "\u2028", "‘", "“", "，", "；", "（", "＝", "−", "–", "İ", "ſ", "K", "ﬁ"],
];

/** Numbers near the limits of something. */
export const NUMBERS: readonly string[] = [
  ..."0 1 2 10 007 1.50 .5 1. 1e3 1e0 15E-1 1e-3 1e400 1E+5 0x7fff 0b101 0o17 1_000 2147483647 2147483648 9223372036854775807".split(
    " ",
  ),
  ..."9223372036854775808 18446744073709551616 99999999999999999999999999999999999999 0.1234567890123456789".split(" "),
];

export const STRINGS: readonly string[] = [
  ...'x it\'\'s a%b_c \\ % -- /* $$ " 1 1.5 abc true 2024-01-01 2024-02-30 12:30 PT1H {} {1,2} {a,"b",NULL} {{1},{2}} {a [1] {"a":1} \\0 \\% now'.split(
    " ",
  ),
  ...["", "2024-01-01 12:00:00", "2024-01-01T00:00:00Z", "1 day", "1-2", "YYYY-MM-DD", "HH24:MI:SS.US", "epoch"],
  ...[
    "FMDay, DD. TMMonth YYYYth",
    "FM9,990.00",
    "TMDay FXSSSSSP",
    "L999PR",
    "P1Y2M3DT4H",
    "1 mon - 1 day ago",
    "infinity",
  ],
  ...["20240131", "2024/01/31", "2024-01-31T10:20:30Z", "J2460341", "31 Jan 2024 BC"],
  ...["a\nb", "😀", "e\u0301", "\u202eabc", "é", "( )", ";", "Europe/Berlin", "UTC"],
];

/** A long, odd or dangerous name. */
export function oddName({ pick, below }: Random): string {
  return pick<() => string>([
    () => "x".repeat(pick([63, 64, 128, 1023, 1024, 1025, 3000])),
    () => "é".repeat(1 + below(70)),
    () => pick(["select", "user", "order", "group", "null", "end", "timestamp", "table", "default", "row", "array"]),
    () => pick(["a b", 'qu"ote', "it's", "a.b", "--", "/*", "1st", "", " ", "$1", "@x", "%s", "a;b", "a\nb", "a\\b"]),
    () => pick(["e\u0301", "İ", "ß", "ſ", "\u202ea", "\ud800", "a\0b", "😀", "名前", "\u200b", "\ufeffx", "K"]),
    () => pick(["__proto__", "constructor", "toString", "hasOwnProperty", "undefined_", "NaN", "valueOf"]),
  ])();
}
