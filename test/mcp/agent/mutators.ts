/** Ways in which a model gets a statement wrong. Each is undefined for statements that it does not fit. */

export type Mutator = (sql: string, random: () => number) => string | undefined;

const one = <T>(list: readonly T[], random: () => number): T | undefined => list[Math.floor(random() * list.length)];

/** A letter of a column's name is missing. */
const rename: Mutator = (sql, random) => {
  const found = one([...sql.matchAll(/\b[a-z]\.([a-z_]{5,})\b/g)], random);
  if (found?.[1] === undefined) return undefined;
  const [, name] = found;
  const at = 1 + Math.floor(random() * (name.length - 2));
  return sql.replaceAll(new RegExp(`\\b${name}\\b`, "g"), name.slice(0, at) + name.slice(at + 1));
};

const dropJoin: Mutator = (sql) => {
  const without = sql.replace(/ JOIN \w+ \w+ ON \w+\.\w+ = \w+\.\w+/, "");
  return without === sql ? undefined : without;
};

const wrongCase: Mutator = (sql, random) => {
  const change = random() < 0.5 ? (text: string) => text.toUpperCase() : (text: string) => text.toLowerCase();
  const changed = sql.replace(/= '(\w+)'/, (_, text: string) => `= '${change(text)}'`);
  return changed === sql ? undefined : changed;
};

/** The last of the grouped columns is missing. */
const ungroup: Mutator = (sql) => {
  const [whole, list] = / GROUP BY ((?:\w+\.\w+)(?:, \w+\.\w+)*)/.exec(sql) ?? [];
  if (whole === undefined || list === undefined) return undefined;
  const kept = list.split(", ").slice(0, -1);
  return sql.replace(whole, kept.length === 0 ? "" : ` GROUP BY ${kept.join(", ")}`);
};

/** A join with the many side that nothing needs. count(*) counts the rows of the join, so only sums and means become wrong. */
const MANY: Readonly<Record<string, string>> = {
  "FROM orders o": "JOIN lines extra ON extra.order_id = o.id",
  "FROM courses c": "JOIN grades extra ON extra.course_id = c.id",
  "FROM visits v": "JOIN clicks extra ON extra.visit_id = v.id",
};
const fanOut: Mutator = (sql) => {
  const from = Object.keys(MANY).find((each) => sql.includes(each));
  if (from === undefined || !/\b(?:sum|avg)\(/.test(sql)) return undefined;
  return sql.replace(from, `${from} ${MANY[from]}`);
};

const DIALECTS: readonly (readonly [RegExp, string])[] = [
  [/\bcoalesce\(/, "IFNULL("],
  [/\blength\(/, "LEN("],
  [/\bupper\(/, "UCASE("],
  [/\bextract\(year FROM ([\w.]+)\)/, "YEAR($1)"],
  [/^SELECT (.*) LIMIT (\d+)$/, "SELECT TOP $2 $1"],
];
const otherDialect: Mutator = (sql) => {
  const rule = DIALECTS.find(([pattern]) => pattern.test(sql));
  return rule && sql.replace(...rule);
};

export const MUTATORS: Readonly<Record<string, Mutator>> = {
  rename,
  dropJoin,
  wrongCase,
  ungroup,
  fanOut,
  otherDialect,
};
