/**
 * Why a refusal is just, and what could be planned. Lines are matched by the reason that the planner gives, and the first one that names
 * the source, or no sources, counts.
 */
import type { DataSource } from "../../src/planner/plan.ts";

interface Line {
  readonly reason: RegExp;
  /** Only for these sources; all if unset. */
  readonly sources?: readonly DataSource[];
  readonly line: string;
}

const NO_TYPE_OF_MEMBERS =
  "The source keeps JSON as a text and reads a member without its quotes: a number and a text are the same.";
const NO_REGULAR_EXPRESSIONS = "The source's patterns read the expression differently, or it has none.";
const TEXTS_OF_JSON = "The source keeps other texts and another order of JSON than PostgreSQL.";

/** The engine has no form for the construct with PostgreSQL's answer. */
export const JUST: readonly Line[] = [
  {
    reason:
      /^arrays$|element of an array or of json|comparison of arrays|array in another|array that is changed|cast from array to array|FILTER of array_agg/,
    line: "The source has no arrays, or none that compare as PostgreSQL's.",
  },
  { reason: /^a function that makes rows$/, line: "The source cannot cut a text into rows by a pattern." },
  { reason: /an array as a column/, line: "The driver returns no arrays that may be NULL." },
  {
    reason:
      /^an interval as a value|cast from interval|comparison of interval|multiplying a compound interval|interval that is computed|an age as a value|(?:day|hour|epoch) of (?:an )?interval|EXTRACT\(EPOCH\) of that type|interval [-+*] |sum of intervals|average of interval|division of other values than numbers/,
    sources: [
      ...(["trino", "athena", "canner", "databricks", "spark", "snowflake", "clickhouse"] as const),
      ...(["mysql", "redshift", "doris", "mssql", "oracle"] as const),
    ],
    line: "The source has no intervals with months and days together; only differences of timestamps have a number.",
  },
  {
    reason:
      /correlated subquer|subquery that names columns of the query around it|query that is two further out|subquery of (?:a value of this|each) row|query of this row|IN of the rows around it|^elements for each row$/,
    line: "The source decorrelates subqueries of this form wrongly, or not at all.",
  },
  {
    reason: /frame of GROUPS|EXCLUDE in a frame|RANGE frame (?:with a distance|of more than)|frame of a distance/,
    line: "The source has no such frame.",
  },
  {
    reason: /common table that names itself|recursive table of distinct rows/,
    line: "The source has no recursion, or only UNION ALL.",
  },
  { reason: /^a row as a value$/, line: "The source has no rows as values." },
  { reason: /whose decimals grow/, line: "A recursive table's decimals keep the digits of its first rows." },
  {
    reason: /another time zone than UTC/,
    line: "The source has no zones by IANA's names, or the name of the zone is computed.",
  },
  {
    reason: /time of day|time \+ interval|time - time|date \+ time|literal of type time|cast from timestamp to time/,
    line: "The source has no type for times of day, or another arithmetic.",
  },
  { reason: /regular expression|SIMILAR TO|groups of a match|every match/, line: NO_REGULAR_EXPRESSIONS },
  {
    reason: /match in its own replacement|regexp_replace of this pattern/,
    sources: ["mssql"],
    line: NO_REGULAR_EXPRESSIONS,
  },
  {
    reason: /a match or a group that may be empty/,
    sources: ["oracle"],
    line: "Oracle's functions of patterns return NULL for an empty match, as for none.",
  },
  {
    reason: /empty text that must differ from NULL|comparison with '…'|^the empty text$/,
    line: "The source keeps the empty text as NULL.",
  },
  {
    reason: /filling, or none|number of characters, or none|empty characters to translate|text from its end/,
    sources: ["oracle"],
    line: "A computed length may be 0, and Oracle has no empty text; its REVERSE is of bytes, and not documented.",
  },
  {
    reason: /cast from json to|operator @> over this|^jsonb$|key or containment/,
    sources: ["spark", "databricks"],
    line: NO_TYPE_OF_MEMBERS,
  },
  {
    reason: /cast from json to integer|type of json that may be missing/,
    sources: ["redshift"],
    line: "The source's manual does not say what the type of a missing member is.",
  },
  {
    reason:
      /comparison of json|json as json|json as a value|text of a value of type json|^the text of json$|^json in json$|cast from json to text|cast from text to json|key or containment/,
    line: TEXTS_OF_JSON,
  },
  {
    reason: /^json without a member$/,
    sources: ["trino", "athena", "canner", "spark", "databricks"],
    line: "The source would write the whole document anew, with other texts of its numbers.",
  },
  {
    reason: /type of json that may be missing/,
    line: "The source's manual does not say what the type of a missing member is.",
  },
  {
    reason: /path into json|step into json/,
    line: "A step of digits is a name in an object and a position in an array, which the source's paths tell apart.",
  },
  {
    reason: /^the year n$|literal of type (?:date|timestamp)/,
    line: "The source's dates end earlier, or have no infinity.",
  },
  {
    reason: /digits together|division whose digits|remainder of fractions|more than three digits behind/,
    line: "A decimal of the source has too few digits for PostgreSQL's result.",
  },
  {
    reason: /product with n digits behind the point/,
    sources: ["snowflake"],
    line: "Snowflake rounds a product to twelve digits behind the point, or to those of its longer factor.",
  },
  {
    reason: /digits are not known|of digits that are not known|text of a quotient/,
    line: "The type of a decimal tells no digits, and the source would compute it as a double or cut it.",
  },
  {
    reason:
      /text of a value of type (?:float|uuid|timestamp|interval)|text of a (?:real|double)|cast from float to text|text of a number that is computed/,
    line: "The source's text of such a value has other digits.",
  },
  {
    reason: /^a uuid$|cast from (?:text to uuid|uuid to text)/,
    line: "The source has no type for UUIDs: a column keeps the text that was written, in capitals or with braces.",
  },
  {
    reason: /trimmed characters|classes of characters|codes? of (?:a computed )?character|initcap/,
    line: "The source's letters and blanks are others than PostgreSQL's.",
  },
  {
    reason: /^a root, a logarithm or an angle, which Doris|^a power that is no integer literal/,
    line: "Doris has NULL or no number where PostgreSQL raises, and no function that raises.",
  },
  { reason: /^a regression or correlation/, line: "It is computed from exact sums, which doubles do not have." },
  {
    reason: /^a computed number of digits|^a text as a number of any length/,
    line: "The source's decimals have a written scale.",
  },
  { reason: /^the time zone$/, line: "A zone whose name is computed cannot be checked when the statement is planned." },
  {
    reason: /^DISTINCT of texts that are grouped/,
    line: "Texts that differ in blanks at their end are one text to the source's DISTINCT.",
  },
  { reason: /^(?:operators|functions) of json$/, line: "SQL Server keeps JSON as a text without a type." },
  {
    reason: /^a format of a large expression|^a long expression beside/,
    line: "The rule repeats its operand, and a plan must not grow with its depth.",
  },
  {
    reason: /^translate that exchanges letters/,
    sources: ["mysql"],
    line: "MySQL has no TRANSLATE, and replacements one after another would exchange a letter twice.",
  },
  {
    reason: /^mdn$/,
    sources: ["mysql"],
    line: "MySQL 9.6 has no md5; earlier servers and MariaDB are planned with it.",
  },
  {
    reason: /^COLLATE$/,
    line: "The source sorts by a collation of its own, and the query asks for one by PostgreSQL's name.",
  },
  { reason: /^a name with /, line: "The source has no form for this character in a name." },
  {
    reason: /function daterange is not known/,
    line: "PostgreSQL runs it as a function of its own; the counts ask for functions that the planner knows.",
  },
  {
    reason: /daterange|does not apply to numeric and integer/,
    line: "PostgreSQL has no such operator or function for the types that this source's columns have.",
  },
  {
    reason: /DISTINCT beside an order by something else/,
    sources: ["bigquery"],
    line: "BigQuery sorts the different values of an aggregate only by themselves.",
  },
  {
    reason: /whose types are unknown|of opaque$|[-+] opaque$/,
    sources: ["bigquery"],
    line: "BigQuery's intervals are a type that the manifest does not name, so that no operator is known to have PostgreSQL's answer.",
  },
];

/** The construct could be planned, and nobody has written its rule yet. */
export const NOT_YET: readonly Line[] = [
  { reason: /^mdn$/, sources: ["doris"], line: "Could be planned by Doris' own md5." },
  {
    reason: /^>= ALL of a query$/,
    line: "Could be planned as a join with the least and greatest value of each group.",
  },
  {
    reason: /interval|an age/,
    sources: ["bigquery"],
    line: "BigQuery's INTERVAL has months, days and seconds, and could be a column of the answer.",
  },
  { reason: /^a percentile/, line: "Several fractions at once could be planned as an array of one percentile each." },
  { reason: /computed LIMIT/, line: "Could be planned by row_number() and a condition on it." },
  {
    reason: /rows that are made of json/,
    sources: ["bigquery"],
    line: "Could be planned by JSON_KEYS, with the value of each key.",
  },
  { reason: /rows that are made of json/, sources: ["snowflake"], line: "Could be planned by LATERAL FLATTEN." },
  {
    reason: /rows that are made of json/,
    sources: ["mysql", "oracle"],
    line: "Could be planned by JSON_TABLE; keys need a table of an object's names first.",
  },
  {
    reason: /rows that are made of json/,
    sources: ["redshift"],
    line: "Could be planned by unnesting and UNPIVOT of SUPER.",
  },
  {
    reason: /rows that are made of json/,
    sources: ["doris"],
    line: "Could be planned by LATERAL VIEW of EXPLODE_JSON_ARRAY_JSON and JSON_KEYS.",
  },
  { reason: /rows that are made of json/, sources: ["mssql"], line: "Could be planned by OPENJSON." },
  {
    reason: /cast from json to integer/,
    sources: ["mssql"],
    line: "Could be planned by the type that OPENJSON returns.",
  },
  {
    reason: /^the elements of an array$/,
    sources: ["redshift"],
    line: "Could be planned by a derived table whose column the computed array is.",
  },
  {
    reason: /^ANY or ALL of an array$/,
    line: "Could be planned by the source's own function that finds an element in an array.",
  },
  {
    reason: /^the elements of an array of /,
    line: "Could be planned as a join with the elements, grouped by a number of each row.",
  },
  {
    reason: /^a series for each row$|^a series with computed ends$/,
    line: "Could be planned by a join with numbers up to the length of the longest series.",
  },
  {
    reason: /^a series of months from a day/,
    line: "Could be written out as a list of dates, where both ends are literals.",
  },
  {
    reason: /^the rows of a query as an array$/,
    sources: ["bigquery"],
    line: "Could be planned by BigQuery's own ARRAY(…), where no element is NULL.",
  },
  {
    reason: /^the rows of a query as an array$/,
    line: "Could be planned by array_agg over a derived table, and an empty array without rows.",
  },
  {
    reason: /^an aggregate of the query around a subquery$/,
    line: "Could be planned by a derived table of the groups, whose column the aggregate is.",
  },
  {
    reason: /^an aggregate over a subquery$|^groups by a subquery$/,
    line: "Could be planned by a derived table whose column the subquery is.",
  },
  {
    reason: /^mdn$/,
    sources: ["mssql", "oracle"],
    line: "Could be planned by HASHBYTES or STANDARD_HASH, over the text's bytes in UTF-8.",
  },
  {
    reason: /^the text of an array$/,
    line: "Could be planned by the source's own function, where the array is not NULL.",
  },
  {
    reason: /^json without a member$/,
    sources: ["bigquery", "snowflake"],
    line: "Could be planned by JSON_REMOVE or OBJECT_DELETE, where the document is not compared.",
  },
  {
    reason: /^a row that is compared with those of a subquery$|^IN over rows$|^IN of rows$|^a row IN a query/,
    line: "NOT IN of rows could be planned by one EXISTS for equal rows and one for rows with a NULL.",
  },
  {
    reason: /^the comparison of JSON values$/,
    line: "Could be planned by comparing the texts that jsonb::text is planned with, and numbers by their value.",
  },
  {
    reason: /^array_agg of different values$/,
    sources: ["redshift"],
    line: "Could be planned by LISTAGG(DISTINCT …), from which the array is read.",
  },
  {
    reason: /^split_part /,
    line: "A part from the end could be planned by the reversed text; a longer separator by its positions.",
  },
  { reason: /^to_timestamp$/, line: "Could be planned by the parts of the format." },
  { reason: /^trimming several characters$/, line: "Could be planned by a pattern of the characters." },
  {
    reason:
      /filling or length$|^[lr]pad with these arguments$|characters? to fill with$|^a computed or negative number of characters$|^a computed text or number to repeat$/,
    line: "Could be planned by the repeated filling, cut to the length.",
  },
  {
    reason: /^a sort key beside a subquery that is one$/,
    line: "Could be planned by a derived table whose column the key is.",
  },
  {
    reason: /^operators of bits/,
    sources: ["redshift", "oracle"],
    line: "Could be planned by arithmetic over the bits that both numbers have.",
  },
  {
    reason: /^the field of EXTRACT$/,
    line: "Could be planned by arithmetic over the year, or the year of the week's Thursday.",
  },
  {
    reason: /^a function that makes rows as a value$/,
    line: "Could be planned by replacing each match by a character, and splitting there.",
  },
  {
    reason: /^translate that exchanges letters$/,
    sources: ["doris"],
    line: "Could be planned by Doris' TRANSLATE, which its older versions lack.",
  },
  {
    reason: /^position of a computed|^a computed text to be found$/,
    line: "Could be planned by a CASE for the empty text, whose position is 1.",
  },
  { reason: /^(?:trunc|truncate|round) of a float$/, line: "Could be planned by floor and ceil." },
  {
    reason: /^width_bucket$/,
    sources: ["doris"],
    line: "Could be planned with a division that keeps the digits of the bounds.",
  },
  {
    reason: /^a translation of computed letters/,
    sources: ["mssql"],
    line: "Could be planned by TRANSLATE, and REPLACE of the letters without a counterpart.",
  },
  {
    reason: /^nth_value$/,
    sources: ["mssql"],
    line: "Could be planned by row_number() and MAX, where the frame is the whole partition.",
  },
  { reason: /^several orders of rows/, sources: ["mssql"], line: "Could be planned by one subquery for each order." },
  { reason: /^the least or greatest text$/, sources: ["redshift"], line: "Could be planned by CASE and comparisons." },
  { reason: /^arrays that are compared with &&$/, line: "Could be planned as a join with the elements of both." },
  { reason: /^lead with a default over a named window$/, line: "Could be planned by writing the window out." },
  {
    reason: /^json of rows whose names are sorted$/,
    sources: ["mysql"],
    line: "Could be planned by GROUP_CONCAT in the order of the names.",
  },
  {
    reason: /^a slice of an array$/,
    sources: ["bigquery"],
    line: "Could be planned by a subquery over UNNEST … WITH OFFSET.",
  },
  {
    reason: /^a default with more digits than the values$/,
    line: "Could be planned by a cast of both to the longer type.",
  },
  {
    reason: /^an array in a recursive table$/,
    sources: ["databricks", "oracle"],
    line: "Could be planned by casts of both branches to one type.",
  },
  {
    reason: /^ANY or ALL with that comparison$/,
    sources: ["clickhouse"],
    line: "Could be planned as a join with the least and greatest value of each group.",
  },
];

const lineOf = (lines: readonly Line[], reason: string, source: DataSource): string | undefined =>
  lines.find(
    ({ reason: pattern, sources }) => pattern.test(reason) && (sources === undefined || sources.includes(source)),
  )?.line;

/** Why the refusal stays; `undefined` if the construct could be planned. */
export const whyJust = (reason: string, source: DataSource): string | undefined => lineOf(JUST, reason, source);

/** How the construct could be planned, where the refusal is not just. */
export const howPlanned = (reason: string, source: DataSource): string | undefined =>
  whyJust(reason, source) === undefined ? lineOf(NOT_YET, reason, source) : undefined;
