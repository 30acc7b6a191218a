/** Constructs of the language that can be nested, one inside the other: each function, cast, operator and field. */
import { SCALARS } from "../../../src/planner/functions/scalars.ts";
import { manifestOfTable } from "../../support/plan.ts";

/** A column of the table `t`, its type in a manifest, and the type that a cast to it names. */
const KINDS = {
  integer: { column: "i", declared: "INTEGER", cast: "INTEGER", other: "2" },
  decimal: { column: "d", declared: "DECIMAL(10,2)", cast: "NUMERIC(10,2)", other: "2.5" },
  double: { column: "f", declared: "DOUBLE", cast: "DOUBLE PRECISION", other: "2.5e0" },
  text: { column: "s", declared: "VARCHAR", cast: "VARCHAR", other: "'ab'" },
  boolean: { column: "b", declared: "BOOLEAN", cast: "BOOLEAN", other: "TRUE" },
  date: { column: "day", declared: "DATE", cast: "DATE", other: "DATE '2024-02-29'" },
  timestamp: { column: "at", declared: "DATETIME", cast: "TIMESTAMP", other: "TIMESTAMP '2024-02-29 12:30:00'" },
  instant: {
    column: "moment",
    declared: "TIMESTAMP WITH TIME ZONE",
    cast: "TIMESTAMPTZ",
    other: "TIMESTAMPTZ '2024-02-29 12:30:00Z'",
  },
  time: { column: "clock", declared: "TIME", cast: "TIME", other: "TIME '12:30:00'" },
  interval: { column: "span", declared: "INTERVAL", cast: "INTERVAL", other: "INTERVAL '1 day'" },
  json: { column: "j", declared: "JSON", cast: "JSON", other: "CAST('{}' AS JSON)" },
  uuid: { column: "id", declared: "UUID", cast: "UUID", other: "CAST('00000000-0000-0000-0000-000000000000' AS UUID)" },
  binary: { column: "raw", declared: "BYTEA", cast: "BYTEA", other: "CAST('ab' AS BYTEA)" },
  array: { column: "list", declared: "INTEGER[]", cast: "INTEGER[]", other: "ARRAY[1, 2]" },
} as const;

type Kind = keyof typeof KINDS;

const ALL = Object.keys(KINDS) as readonly Kind[];

export const manifest = manifestOfTable(
  Object.fromEntries(Object.values(KINDS).map(({ column, declared }) => [column, declared])),
);

export interface Construct {
  readonly name: string;
  readonly kind: Kind;
  /** The construct over an operand of its kind. */
  readonly over: (operand: string) => string;
  /** The result has its operand's kind. */
  readonly isClosed: boolean;
}

const construct = (name: string, kind: Kind, over: (operand: string) => string, isClosed = false): Construct => ({
  name: `${name} of ${kind}`,
  kind,
  over,
  isClosed,
});

/** Kinds of column that a parameter of the catalogue takes, and another argument for it. */
const TAKES: Readonly<Record<string, readonly Kind[]>> = {
  any: ["integer", "text", "timestamp"],
  number: ["integer", "decimal", "double"],
  numbers: ["integer"],
  text: ["text"],
  boolean: ["boolean"],
  datetime: ["date", "timestamp", "instant"],
  temporal: ["date", "timestamp", "instant"],
  interval: ["interval"],
  json: ["json"],
  array: ["array"],
  binary: ["binary"],
  bytes: ["text"],
};

/** Texts that mean something to the function. */
const TEXTS: Readonly<Record<string, string>> = {
  date_trunc: "'month'",
  date_diff: "'day'",
  to_char: "'YYYY-MM-DD'",
  to_date: "'YYYY-MM-DD'",
  to_timestamp: "'YYYY-MM-DD'",
  encode: "'hex'",
  decode: "'hex'",
};

function functionConstructs(): readonly Construct[] {
  return SCALARS.flatMap(({ name, specified: [parameters] }) => {
    const words = parameters.split(" ").filter((word) => word !== "");
    return words.flatMap((word, index) => {
      const kinds = TAKES[word.replace(/[?*]+/, "")] ?? [];
      // A function's first operand has all of its types; the others differ little by theirs.
      return kinds.slice(0, index === 0 ? 3 : 1).map((kind) =>
        construct(`${name}, argument ${index + 1},`, kind, (operand) => {
          const values = words.slice(0, Math.max(index + 1, words.filter((each) => !each.includes("?")).length));
          const given = values.map((each, at) => {
            if (at === index) return operand;
            const takes = each.replace(/[?*]+/, "");
            if (takes === "text" && TEXTS[name] !== undefined) return TEXTS[name];
            return takes === "any" || takes === "datetime" || takes === "temporal" || takes === "number"
              ? KINDS[
                  takes === "number" && kind !== "decimal" && kind !== "double"
                    ? "integer"
                    : at > 0 || kinds.length > 1
                      ? kind
                      : "integer"
                ].other
              : KINDS[TAKES[takes]?.[0] ?? "integer"].other;
          });
          return `${name}(${given.join(", ")})`;
        }),
      );
    });
  });
}

const casts = ALL.flatMap((kind) =>
  ALL.filter((to) => to !== kind).map((to) =>
    construct(`a cast to ${to}`, kind, (operand) => `CAST(${operand} AS ${KINDS[to].cast})`),
  ),
);

const NUMBERS = ["integer", "decimal", "double"] as const;

const operators = [
  ...["+", "-", "*", "/", "%", "^"].flatMap((operator) =>
    NUMBERS.flatMap((kind) => [
      construct(`${operator} on the left`, kind, (operand) => `(${operand} ${operator} ${KINDS[kind].other})`),
      construct(`${operator} on the right`, kind, (operand) => `(${KINDS[kind].other} ${operator} ${operand})`),
    ]),
  ),
  ...["&", "|", "#", "<<", ">>", "//"].map((operator) =>
    construct(operator, "integer", (operand) => `(${operand} ${operator} 2)`),
  ),
  ...["=", "<", "<>", "IS DISTINCT FROM"].flatMap((operator) =>
    ALL.filter((kind) => kind !== "json").map((kind) =>
      construct(operator, kind, (operand) => `(${operand} ${operator} ${KINDS[kind].other})`),
    ),
  ),
  ...ALL.flatMap((kind) => {
    const { other, column } = KINDS[kind];
    return [
      construct("IS NULL", kind, (operand) => `(${operand} IS NULL)`),
      construct("CASE WHEN", kind, (operand) => `CASE WHEN b THEN ${operand} ELSE ${other} END`, true),
      construct(
        "CASE over it",
        kind,
        (operand) => `CASE ${operand} WHEN ${other} THEN ${column} ELSE ${other} END`,
        true,
      ),
      construct("BETWEEN", kind, (operand) => `(${operand} BETWEEN ${other} AND ${other})`),
      construct("IN", kind, (operand) => `(${operand} IN (${other}, ${column}))`),
      construct("NOT IN a subquery", kind, (operand) => `(${operand} NOT IN (SELECT u.${column} FROM t AS u))`),
    ];
  }),
  ...["LIKE", "NOT LIKE", "ILIKE", "~", "~*", "SIMILAR TO", "||", "^@"].map((operator) =>
    construct(operator, "text", (operand) => `(${operand} ${operator} 'a')`),
  ),
  construct("|| on the right", "text", (operand) => `('a' || ${operand})`),
  ...["->", "->>", "#>", "#>>"].map((operator) =>
    construct(
      operator,
      "json",
      (operand) => `(${operand} ${operator} ${operator.startsWith("#") ? "'{a,b}'" : "'a'"})`,
    ),
  ),
  ...["->", "->>"].map((operator) => construct(`${operator} 0`, "json", (operand) => `(${operand} ${operator} 0)`)),
  construct("NOT", "boolean", (operand) => `(NOT ${operand})`, true),
  construct("AND", "boolean", (operand) => `(${operand} AND b)`, true),
  ...["TRUE", "FALSE", "UNKNOWN"].map((word) =>
    construct(`IS ${word}`, "boolean", (operand) => `(${operand} IS ${word})`),
  ),
  ...NUMBERS.map((kind) => construct("unary -", kind, (operand) => `(-${operand})`)),
  construct("unary ~", "integer", (operand) => `(~${operand})`),
  construct("a subscript", "array", (operand) => `(${operand})[1]`),
  construct("a slice", "array", (operand) => `(${operand})[1:2]`, true),
  construct("an index", "integer", (operand) => `list[${operand}]`),
  construct("= ANY", "integer", (operand) => `(${operand} = ANY (list))`),
  construct("< ALL of a subquery", "integer", (operand) => `(${operand} < ALL (SELECT u.i FROM t AS u))`),
  construct("< ALL of a subquery", "text", (operand) => `(${operand} < ALL (SELECT u.s FROM t AS u))`),
];

const FIELDS = [
  ...["year", "quarter", "month", "week", "day", "dow", "isodow", "doy", "isoyear"],
  ...["decade", "century", "millennium", "epoch", "julian"],
];
const CLOCK_FIELDS = ["hour", "minute", "second", "millisecond", "microsecond"];

const times = [
  ...FIELDS.flatMap((field) =>
    (["date", "timestamp", "instant"] as const).map((kind) =>
      construct(`EXTRACT ${field}`, kind, (operand) => `extract(${field} FROM ${operand})`),
    ),
  ),
  ...CLOCK_FIELDS.flatMap((field) =>
    (["timestamp", "instant", "time", "interval"] as const).map((kind) =>
      construct(`EXTRACT ${field}`, kind, (operand) => `extract(${field} FROM ${operand})`),
    ),
  ),
  ...["year", "quarter", "month", "week", "day", "hour", "decade"].flatMap((unit) =>
    (["date", "timestamp", "instant"] as const).map((kind) =>
      construct(`date_trunc ${unit}`, kind, (operand) => `date_trunc('${unit}', ${operand})`),
    ),
  ),
  ...["year", "month", "week", "day", "hour", "second"].flatMap((unit) =>
    (["timestamp", "instant"] as const).map((kind) =>
      construct(`date_diff ${unit}`, kind, (operand) => `date_diff('${unit}', ${operand}, ${KINDS[kind].other})`),
    ),
  ),
  ...["1 day", "1 month", "2 hours", "1 month 2 days 3 hours"].flatMap((length) =>
    (["date", "timestamp", "instant"] as const).flatMap((kind) => [
      construct(`+ ${length}`, kind, (operand) => `(${operand} + INTERVAL '${length}')`),
      construct(`- ${length}`, kind, (operand) => `(${operand} - INTERVAL '${length}')`),
    ]),
  ),
  construct("+ days", "date", (operand) => `(${operand} + 1)`, true),
  construct("a difference", "date", (operand) => `(${operand} - DATE '2024-01-01')`),
  construct("a difference", "timestamp", (operand) => `(${operand} - TIMESTAMP '2024-01-01 00:00:00')`),
  construct("a moved interval", "interval", (operand) => `(TIMESTAMP '2024-01-01 00:00:00' + ${operand})`),
  construct("a product", "interval", (operand) => `(${operand} * 2)`, true),
  construct("days of a number", "integer", (operand) => `(day + ${operand} * INTERVAL '1 day')`),
  construct("AT TIME ZONE", "timestamp", (operand) => `(${operand} AT TIME ZONE 'Europe/Berlin')`),
  construct("AT TIME ZONE", "instant", (operand) => `(${operand} AT TIME ZONE 'Europe/Berlin')`),
  ...["YYYY-MM-DD HH24:MI:SS", "FMMonth", "Day", "IYYY-IW", "Q", "HH12 AM", "US"].map((format) =>
    construct(`to_char ${format}`, "timestamp", (operand) => `to_char(${operand}, '${format}')`),
  ),
  ...["FM999,990.00", "0000", "S999", "99.9EEEE"].map((format) =>
    construct(`to_char ${format}`, "decimal", (operand) => `to_char(${operand}, '${format}')`),
  ),
];

/** Spellings of other systems that are taken apart before they are bound. */
const synonyms = [
  ...["ifnull", "nvl", "isnull"].map((name) => construct(name, "text", (operand) => `${name}(${operand}, 'a')`)),
  construct("nvl2", "integer", (operand) => `nvl2(${operand}, ${operand}, 1)`.replace(`, ${operand}, 1`, ", i, 1")),
  construct("iff", "boolean", (operand) => `iff(${operand}, TRUE, FALSE)`, true),
  construct("decode", "integer", (operand) => `decode(${operand}, 1, 2, 3)`, true),
  construct("instr", "text", (operand) => `instr(${operand}, 'a')`),
  construct("locate", "text", (operand) => `locate('a', ${operand})`),
  construct("add_months", "date", (operand) => `add_months(${operand}, 1)`),
  construct("dateadd", "timestamp", (operand) => `dateadd('day', 1, ${operand})`),
  construct("datediff", "timestamp", (operand) => `datediff('day', ${operand}, at)`),
  construct("months_between", "date", (operand) => `months_between(${operand}, day)`),
  construct("safe_divide", "double", (operand) => `safe_divide(${operand}, 2)`),
  construct("zeroifnull", "integer", (operand) => `zeroifnull(${operand})`, true),
  construct("nullifzero", "integer", (operand) => `nullifzero(${operand})`, true),
  construct("div0", "double", (operand) => `div0(${operand}, 2)`),
];

export const CONSTRUCTS: readonly Construct[] = [
  ...functionConstructs(),
  ...casts,
  ...operators,
  ...times,
  ...synonyms,
].filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);

/** How the value of one level becomes an operand of the next: by a cast, or as a condition where there is no such cast. */
export const BRIDGES = ["cast", "case"] as const;

/** The construct so many times inside of itself. */
export function nested({ kind, over, isClosed }: Construct, depth: number, bridge: (typeof BRIDGES)[number]): string {
  const { column, cast, other } = KINDS[kind];
  let expression: string = column;
  for (let level = 0; level < depth; level++) {
    const value = over(expression);
    if (isClosed || level === depth - 1) expression = value;
    else if (bridge === "cast") expression = `CAST(${value} AS ${cast})`;
    else expression = `CASE WHEN ${value} IS NULL THEN ${column} ELSE ${other} END`;
  }
  return `SELECT ${expression} AS x FROM t`;
}
