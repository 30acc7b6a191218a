import type { Random } from "../../support/random-query.ts";
import { type Maker, ordered, some } from "./maker.ts";

const NUMBERS = [
  "1",
  "0",
  "-7",
  "1.5",
  "1.50",
  "100",
  "1e2",
  "1E-3",
  "0.10",
  "123456789012345678901",
  "0.30000000000000004",
];
const WORDS = [
  '"x"',
  '""',
  '"a, b: c"',
  '"1.50"',
  String.raw`"q\"{\\"`,
  '"é"',
  String.raw`"\u00e9\/\n"`,
  '"[1,2]"',
  '"{"',
  "true",
  "false",
  "null",
];
const NAMES = ["a", "b", "B", "aa", "c d", "é", "", "0", "x,y", "k:"];

const plain = (random: Random): string => random.pick(["1", "-2", "1.5", '"x"', '"a, b"', "true", "null", '""']);

/** A document; blanks stand where `separators` say, or anywhere. */
function document(
  random: Random,
  depth: number,
  separators: readonly [colon: string, comma: string],
  scalar = anyScalar,
): string {
  const inner = (): string => document(random, depth - 1, separators, scalar);
  if (depth > 0 && random.chance(0.45)) {
    const members = some(random, NAMES, random.below(4)).map(
      (name) => `${JSON.stringify(name)}${separators[0]}${inner()}`,
    );
    return `{${members.join(separators[1])}}`;
  }
  if (depth > 0 && random.chance(0.4)) return `[${Array.from({ length: random.below(4) }, inner).join(separators[1])}]`;
  return scalar(random);
}

const anyScalar = (random: Random): string => (random.chance(0.4) ? random.pick(NUMBERS) : random.pick(WORDS));

const SEPARATORS = [
  [":", ","],
  [": ", ", "],
  [" :", " ,"],
] as const;

function documents(random: Random, type: "json" | "jsonb"): string {
  const separators = random.pick(SEPARATORS);
  const scalar = random.chance(0.5) ? plain : anyScalar;
  const one = (): string =>
    random.chance(0.1) ? "NULL" : `'${document(random, 3, separators, scalar).replaceAll("'", "''")}'`;
  const object = (): string =>
    `'{"a"${separators[0]}${document(random, 2, separators, scalar)}${separators[1]}"b"${separators[0]}${document(random, 1, separators, scalar)}}'`;
  const values = Array.from(
    { length: 5 },
    (_, row) => `(${row + 1}, ${random.chance(0.5) ? object() : one()}::${type})`,
  );
  return `(VALUES ${values.join(", ")}) AS t(id, j)`;
}

/** Texts of documents and of what is inside of them. */
export const jsonTexts: Maker = (random) => {
  const type = random.pick(["json", "jsonb"] as const);
  const from = documents(random, type);
  const value = (): string =>
    random.pick([
      "j ->> 'a'",
      "j ->> 'b'",
      "j -> 'a' ->> 'b'",
      "(j -> 'a')::text",
      "j::text",
      "j #>> '{a,b}'",
      "j #>> '{a,0}'",
      "j ->> 0",
      "(j -> id)::text",
      "j ->> CASE WHEN id > 2 THEN 'a' ELSE 'b' END",
      `${type}_extract_path_text(j, 'a')`,
      "coalesce(j ->> 'a', '-')",
      "length(j ->> 'a')",
      "concat(j -> 'a', '!')",
      "(CASE WHEN id = 1 THEN j -> 'b' ELSE j -> 'a' END)::text",
    ]);
  const list = `CASE WHEN ${type}_typeof(j) = 'array' THEN j ELSE '[]' END`;
  const members = `CASE WHEN ${type}_typeof(j) = 'object' THEN j ELSE '{}' END`;
  return ordered(
    random.pick([
      `SELECT id, ${value()} AS v, ${value()} AS w FROM ${from} ORDER BY id`,
      `SELECT ${value()} AS v, count(*) AS n FROM ${from} GROUP BY 1 ORDER BY 2, 1`,
      `SELECT id, e, n FROM ${from}, ${type}_array_elements_text(${list}) WITH ORDINALITY AS e(e, n) ORDER BY id, n`,
      `SELECT id, e ->> 'a' AS a, e ->> 0 AS b, e #>> '{}' AS c, n FROM ${from}, ${type}_array_elements(${list}) WITH ORDINALITY AS e(e, n) ORDER BY id, n`,
      `SELECT id, k, v, n FROM ${from}, ${type}_each_text(${members}) WITH ORDINALITY AS m(k, v, n) ORDER BY id, n`,
      `SELECT id, k, v::text AS v, n FROM ${from}, ${type}_each(${members}) WITH ORDINALITY AS m(k, v, n) ORDER BY id, n`,
      `SELECT id, x::text AS v FROM (SELECT id, j -> 'a' AS x FROM ${from}) s ORDER BY id`,
      `SELECT string_agg(j ->> 'a', '|' ORDER BY id) AS v FROM ${from}`,
      `SELECT id FROM ${from} WHERE ${value()} = ${random.pick(["'x'", "'1.5'", `'{"a": 1}'`, "'true'"])} ORDER BY id`,
    ]),
  );
};

const CONSTANTS = [
  "null",
  "true",
  '"x"',
  "1",
  "1.5",
  "100",
  "[]",
  "{}",
  "[1]",
  '["x"]',
  '[null, "a, b"]',
  "[[1]]",
  '[{"a": 1}]',
  '{"a": "x"}',
  '{"a": 1.50}',
  '{"b": null}',
  '{"a": {}}',
  '{"a": []}',
  '{"a": [1, "x"]}',
  '{"a": {"b": 1}, "b": true}',
  '[1, 1, "x", [], {}]',
];

/** Comparisons and containment beside constants, over small documents of the same values. */
export const jsonConstants: Maker = (random) => {
  const small = (depth: number): string => {
    if (depth > 0 && random.chance(0.3))
      return `{${some(random, ["a", "b"], random.below(3))
        .map((name) => `"${name}": ${small(depth - 1)}`)
        .join(",")}}`;
    if (depth > 0 && random.chance(0.3))
      return `[${Array.from({ length: random.below(3) }, () => small(depth - 1)).join(" ,")}]`;
    return random.pick(["null", "true", '"x"', "1", "1.0", "1.5", "1e2", '"a, b"', '""']);
  };
  const value = (): string => (random.chance(0.4) ? random.pick(CONSTANTS) : small(2));
  const rows = Array.from(
    { length: 8 },
    (_, row) => `(${row + 1}, ${random.chance(0.1) ? "NULL" : `'${value()}'`}::jsonb)`,
  );
  const from = `(VALUES ${rows.join(", ")}) AS t(id, j)`;
  const constant = (): string => `'${value()}'${random.chance(0.5) ? "::jsonb" : ""}`;
  const operand = random.pick(["j", "j", "j -> 'a'", "j -> 0"]);
  const condition = (): string =>
    random.pick([
      `${operand} @> ${constant()}`,
      `${operand} @> ${constant()}`,
      `${operand} <@ ${constant()}`,
      `${constant().replace(/::jsonb$/, "")}::jsonb <@ ${operand}`,
      `${operand} = ${constant()}`,
      `${operand} <> ${constant()}`,
      `${operand} IS DISTINCT FROM ${constant()}`,
      `${operand} IN (${constant()}, ${constant()})`,
      `${operand} NOT IN (${constant()}, ${constant()})`,
    ]);
  return ordered(
    random.pick([
      `SELECT id, ${condition()} AS c, ${condition()} AS d FROM ${from} ORDER BY id`,
      `SELECT id FROM ${from} WHERE NOT (${condition()}) OR ${condition()} ORDER BY id`,
    ]),
  );
};

/** jsonb with members and elements added and taken away, and made of values. */
export const jsonEdits: Maker = (random) => {
  const from = documents(random, "jsonb");
  const list = `CASE jsonb_typeof(j) WHEN 'array' THEN j WHEN 'object' THEN '[]' ELSE jsonb_build_array(j) END`;
  const held = `CASE WHEN jsonb_typeof(j) IN ('array', 'object') THEN j ELSE '{}' END`;
  const value = (): string =>
    random.pick([
      `(${held}) - ${random.pick(["'a'", "'b'", "''", "'x'", "ARRAY['a', 'é']", "CASE WHEN id > 2 THEN 'a' ELSE 'b' END"])}`,
      `(${list}) - ${random.pick(["0", "1", "-1", "9", "id - 2"])}`,
      `(${held}) || '${random.pick(['{"a": 1.50}', "{}", '{"k:": null, "a": 2}'])}'`,
      `(${list}) || ${random.pick(["'1'", "'[1, 2]'", "j"])}`,
      "jsonb_build_object('k', j, 'a', id, 'b', 1.50)",
      "jsonb_build_object(id::text || 'x', j -> 'a', 'b', 1.50)",
    ]);
  const made = `${random.pick(["'a'", "id::text", "CASE WHEN id > 2 THEN 'x' ELSE 'yy' END"])}, ${random.pick(["j -> 'a'", "id", "id * 1.10", "j ->> 'b'"])}`;
  return ordered(
    random.pick([
      `SELECT id, ${value()} AS v, (${value()})::text AS w FROM ${from} ORDER BY id`,
      `SELECT id, (${value()}) ->> 'a' AS v, jsonb_typeof(${value()}) AS w FROM ${from} ORDER BY id`,
      `SELECT jsonb_object_agg(${made} ORDER BY id) AS v FROM ${from} WHERE id < ${1 + random.below(6)}`,
      `SELECT jsonb_object_agg(${made} ORDER BY id)::text AS v FROM ${from}`,
      `SELECT json_object_agg(${made.replace("j -> 'a'", "id")} ORDER BY id)::text AS v, json_agg(id ORDER BY id)::text AS w FROM ${from}`,
      `SELECT json_build_object('x', id, 'a', id * 1.10, 'b', 'ü')::text AS v, json_build_array(id, NULL, true)::text AS w, to_json(id)::text AS x FROM ${from} ORDER BY id`,
    ]),
  );
};
