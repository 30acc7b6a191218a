/** Names that are forms of their own and not just another name of a function: parameters, result and effect. */

export interface SynonymText {
  readonly kind?: "aggregate";
  /** Types as the listing shows them. */
  readonly takes: string;
  readonly gives: string;
  readonly description: string;
  readonly example: string;
}

const text = (takes: string, gives: string, description: string, example: string): SynonymText => ({
  takes,
  gives,
  description,
  example,
});

const field = (name: string, what = `The ${name} of a date or time`): SynonymText =>
  text("timestamp", "numeric", `${what}, as extract gives it.`, `${name}(day)`);
const choice = (name: string): SynonymText =>
  text(
    "boolean,any,any",
    "any",
    "The second argument where the first is true, else the third.",
    `${name}(is_paid, 1, 0)`,
  );
const found = (description: string, example: string): SynonymText => text("text,text", "integer", description, example);
const atIndex = (name: string): SynonymText =>
  text("array,integer", "any", "Element at an index from 1, which must be a literal.", `${name}(tags, 1)`);
const joined = (name: string): SynonymText =>
  text("array,array...", "array", "The arrays one after the other.", `${name}(tags, ARRAY['new'])`);
const hasAll = (name: string): SynonymText =>
  text(
    "array,array",
    "boolean",
    "Whether the first array has all elements of the second.",
    `${name}(tags, ARRAY['new'])`,
  );
const hasAny = (name: string): SynonymText =>
  text("array,array", "boolean", "Whether the arrays have an element in common.", `${name}(tags, ARRAY['new'])`);
const pushed = (name: string): SynonymText =>
  text("any,array", "array", "With the value, which comes first, at the beginning.", `${name}('new', tags)`);
const aggregate = (takes: string, gives: string, description: string, example: string): SynonymText => ({
  kind: "aggregate",
  takes,
  gives,
  description,
  example,
});

export const SYNONYM_TEXTS: Readonly<Record<string, SynonymText>> = {
  // Compared literally by clients of the retired service.
  extract: text("text,timestamp", "numeric", "Get subfield from date/time", "extract(month FROM day)"),
  format: text(
    "text,any...",
    "text",
    "A literal pattern with each %s replaced by an argument.",
    "format('%s: %s', id, name)",
  ),
  regexp_extract: text(
    "text,text",
    "text",
    "The first match of a literal pattern without groups.",
    "regexp_extract(name, '[0-9]+')",
  ),
  isnull: text("any,any", "any", "The first argument, or the second where that is NULL.", "isnull(city, 'unknown')"),
  nvl2: text(
    "any,any,any",
    "any",
    "The second argument where the first is not NULL, else the third.",
    "nvl2(city, 1, 0)",
  ),
  if: choice("if"),
  iif: choice("iif"),
  iff: choice("iff"),
  instr: found("Where the second text begins in the first, from 1; 0 when it does not.", "instr(name, 'a')"),
  charindex: found("Where the first text begins in the second, from 1; 0 when it does not.", "charindex('a', name)"),
  locate: found("Where the first text begins in the second, from 1; 0 when it does not.", "locate('a', name)"),
  safe_divide: text(
    "numeric,numeric",
    "double precision",
    "Quotient as a float; NULL for a divisor of 0.",
    "safe_divide(price, quantity)",
  ),
  div0: text("numeric,numeric", "numeric", "Quotient; 0 for a divisor of 0.", "div0(price, quantity)"),
  zeroifnull: text("numeric", "numeric", "0 in place of NULL.", "zeroifnull(price)"),
  nullifzero: text("numeric", "numeric", "NULL in place of 0.", "nullifzero(price)"),
  // dates and times
  date_format: text(
    "timestamp,text",
    "text",
    "As text, by a literal pattern: with % as in C, else as in Java.",
    "date_format(day, '%Y-%m')",
  ),
  strftime: text(
    "timestamp,text",
    "text",
    "As text, by a literal pattern of C; in either order.",
    "strftime(day, '%Y-%m')",
  ),
  date_parse: text(
    "text,text",
    "timestamp",
    "A text as a timestamp, by a literal pattern.",
    "date_parse('2024-01-31', '%Y-%m-%d')",
  ),
  from_unixtime: text("numeric", "timestamp", "Seconds since 1970 as a timestamp in UTC.", "from_unixtime(quantity)"),
  to_unixtime: text("timestamp", "numeric", "Seconds since 1970.", "to_unixtime(at)"),
  year: field("year"),
  quarter: field("quarter"),
  month: field("month"),
  week: field("week", "The week of ISO 8601 of a date or time"),
  day: field("day"),
  hour: { ...field("hour"), example: "hour(at)" },
  minute: { ...field("minute"), example: "minute(at)" },
  second: { ...field("second"), example: "second(at)" },
  dayofmonth: field("dayofmonth", "The day of the month"),
  dayofyear: field("dayofyear", "The day of the year"),
  weekofyear: field("weekofyear", "The week of ISO 8601"),
  date_part: text(
    "text,timestamp",
    "double precision",
    "A field of a date or time, as extract names them.",
    "date_part('month', day)",
  ),
  datepart: text(
    "text,timestamp",
    "double precision",
    "A field of a date or time, as extract names them.",
    "datepart(month, day)",
  ),
  datetrunc: text("text,timestamp", "timestamp", "Start of the unit.", "datetrunc(month, day)"),
  datetime_trunc: text("timestamp,text", "timestamp", "Start of the unit.", "datetime_trunc(day, month)"),
  timestamp_trunc: text("timestamp,text", "timestamp", "Start of the unit.", "timestamp_trunc(day, month)"),
  datetime_add: text("timestamp,interval", "timestamp", "Later by an interval.", "datetime_add(day, INTERVAL 3 DAY)"),
  timestamp_add: text("timestamp,interval", "timestamp", "Later by an interval.", "timestamp_add(day, INTERVAL 3 DAY)"),
  datetime_sub: text("timestamp,interval", "timestamp", "Earlier by an interval.", "datetime_sub(day, INTERVAL 3 DAY)"),
  timestamp_sub: text(
    "timestamp,interval",
    "timestamp",
    "Earlier by an interval.",
    "timestamp_sub(day, INTERVAL 3 DAY)",
  ),
  dateadd: text("text,integer,timestamp", "timestamp", "A number of units later.", "dateadd(day, 3, at)"),
  timestampadd: text("text,integer,timestamp", "timestamp", "A number of units later.", "timestampadd(day, 3, at)"),
  add_months: text("timestamp,integer", "timestamp", "A number of months later.", "add_months(day, 2)"),
  date_add: text(
    "timestamp,interval",
    "timestamp",
    "Later by an interval; also date_add('day', 3, x).",
    "date_add(day, INTERVAL 3 DAY)",
  ),
  date_sub: text(
    "timestamp,interval",
    "timestamp",
    "Earlier by an interval; also date_sub('day', 3, x).",
    "date_sub(day, INTERVAL 3 DAY)",
  ),
  datediff: text(
    "timestamp,timestamp",
    "integer",
    "Days from the second date to the first; with a unit first, boundaries from start to end.",
    "datediff(day, DATE '2024-01-01')",
  ),
  date: text("any", "date", "The value as a date.", "date(at)"),
  timestamp: text("any", "timestamp", "The value as a timestamp.", "timestamp(day)"),
  getdate: text("", "timestamp with time zone", "The instant at which the statement began.", "getdate()"),
  sysdate: text("", "timestamp with time zone", "The instant at which the statement began.", "sysdate()"),
  today: text("", "date", "Today, in UTC.", "today()"),
  curdate: text("", "date", "Today, in UTC.", "curdate()"),
  // aggregates
  first: aggregate("any", "any", "The first value in an order, which must be told.", "first(name ORDER BY id)"),
  count_if: aggregate("boolean", "bigint", "Number of rows for which the condition holds.", "count_if(is_paid)"),
  countif: aggregate("boolean", "bigint", "Number of rows for which the condition holds.", "countif(is_paid)"),
  listagg: aggregate(
    "text,text",
    "text",
    "Texts joined by a separator.",
    "listagg(name, ', ') WITHIN GROUP (ORDER BY name)",
  ),
  group_concat: aggregate("text", "text", "Texts joined by commas.", "group_concat(name ORDER BY name)"),
  median: aggregate(
    "numeric",
    "double precision",
    "The value in the middle, or between the two there.",
    "median(price)",
  ),
  quantile_cont: aggregate(
    "numeric,numeric",
    "double precision",
    "As percentile_cont: value, then fraction.",
    "quantile_cont(price, 0.9)",
  ),
  quantile_disc: aggregate(
    "any,numeric",
    "any",
    "As percentile_disc: value, then fraction.",
    "quantile_disc(price, 0.9)",
  ),
  // arrays
  array_size: text("array", "integer", "Number of elements.", "array_size(tags)"),
  make_array: text("any...", "array", "An array of the arguments.", "make_array(1, 2, 3)"),
  array_concat: joined("array_concat"),
  list_concat: joined("list_concat"),
  list_cat: joined("list_cat"),
  array_element: atIndex("array_element"),
  list_element: atIndex("list_element"),
  list_extract: atIndex("list_extract"),
  array_extract: atIndex("array_extract"),
  element_at: atIndex("element_at"),
  array_has_all: hasAll("array_has_all"),
  list_has_all: hasAll("list_has_all"),
  list_contains_all: hasAll("list_contains_all"),
  array_has_any: hasAny("array_has_any"),
  list_has_any: hasAny("list_has_any"),
  array_overlaps: hasAny("array_overlaps"),
  arrays_overlap: hasAny("arrays_overlap"),
  array_push_front: pushed("array_push_front"),
  list_push_front: pushed("list_push_front"),
  list_prepend: pushed("list_prepend"),
  sequence: text(
    "integer,integer,integer",
    "array",
    "Whole numbers from start to end by a step.",
    "sequence(1, 10, 2)",
  ),
};
