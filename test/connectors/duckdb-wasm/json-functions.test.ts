/** Functions of JSON that are ours, in DuckDB's WASM, and the extension's in native DuckDB: the same, or left to the sidecar. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type Random, random as randomOf } from "../../planner/syntax/random.ts";
import { type BothEngines, openBoth, outcomeOf } from "./both-engines.ts";

/** Documents in tables: answered like native DuckDB. */
const DOCUMENTS: readonly string[] = [
  `{"a": 1, "b": [true, null, {"c": "x"}], "a b": "ü😀", "0": -5}`,
  `{"a": {"a": {"a": 1.5}}, "b": [], "c": {}}`,
  ` [1, -2, 0.25, "1", [2, [3]], {"a": null}] `,
  `{"a": "q\\"u\\\\o\\/t\\u00e9\\n\\u001f\\u007f", "b": ["\\t\\b\\f\\r"]}`,
  `{"a": 123456789012345678, "b": -9223372036854775808, "c": 9223372036854775807}`,
  `{"a": 0.1, "b": -12345.678, "c": 1.0, "d": 100000000000.5, "e": 0.00012, "f": 1e3, "g": 2.50, "h": 12E-1}`,
  `{"a": "2024-01-05", "b": ["-0", "x-0", "a, -07"], "c": -0.5}`,
  `"text"`,
  `""`,
  "null",
  "true",
  "-7",
  "3.5",
  "[]",
  "{}",
  `{"a/b": 1, "a~b": 2, "": 3, "a.b": 4}`,
];

/** Invalid JSON, or JSON that readers interpret differently. */
const ODD: readonly string[] = [
  "",
  "nope",
  "{",
  `{"a": 1,}`,
  "[1 2]",
  "1 2",
  `{"a": 1, "a": 2}`,
  "NaN",
  "-Infinity",
  "01",
  "1.",
  "-0",
  "-0.0",
  "[-0, 1]",
  "1e400",
  "1e22",
  "1e15",
  "1e-7",
  "0.000001",
  "18446744073709551615",
  "123456789012345678901234567890",
  "0.1000000000000000055511151231257827",
  `"\\ud800"`,
  `"\\u0000"`,
  `{"\\u0061": 1}`,
  "[".repeat(200) + "]".repeat(200),
  `// comment\n1`,
  `'a'`,
];

const PATHS: readonly string[] = [
  "$",
  "$.a",
  '$."a"',
  '$."a b"',
  '$."a"."a"."a"',
  '$."b"[0]',
  '$."b"[2]."c"',
  "$[0]",
  "$[4][1][0]",
  "$[#-1]",
  '$[#-1]."a"',
  "$[99]",
  "$[#-99]",
  '$."0"',
  "/a",
  "/0",
  "/4/1",
  "/a~1b",
  "/a~0b",
  "/b/2/c",
  '$."nope"',
];

/** Paths that plans have not: the same, or left. */
const ODD_PATHS: readonly string[] = [
  "",
  "a",
  "$.",
  "$..a",
  "$[-1]",
  "/",
  "/a/",
  "$.a-b",
  '$."a""b"',
  "$[*]x",
  "/-",
  "/00",
  "$[#]",
];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const asking = (json: string, path: string): string =>
  [
    `json_type(${json}, ${path})`,
    `json_extract(${json}, ${path})::varchar`,
    `json_extract_string(${json}, ${path})`,
    `json_array_length(${json}, ${path})`,
    `json_exists(${json}, ${path})`,
  ].join(", ");

const ofOne = (document: string, path: string): string =>
  `SELECT json_type(j) AS a, json_array_length(j) AS b, ${asking("j", quoted(path))} FROM (VALUES (${quoted(document)})) t(j)`;

let both: BothEngines;
beforeAll(async () => {
  both = await openBoth({ "one.csv": "a\n1\n" });
}, 60_000);
afterAll(() => both.close());

const outcome = (connector: Connector, sql: string) => outcomeOf(connector, "one.csv", { sql });

describe("functions of JSON", () => {
  it.each(DOCUMENTS)("of %s", async (document) => {
    const sql = `SELECT json_type(j), json_array_length(j), ${PATHS.map((path) => asking("j", quoted(path))).join(", ")} FROM (VALUES (${quoted(document)})) t(j)`;
    const answer = await outcome(both.wasm, sql);
    expect(answer).toHaveProperty("rows");
    expect(answer).toEqual(await outcome(both.native, sql));
  });

  it.each([
    ...ODD.map((document) => [document, ["$", '$."a"', "$[0]"]] as const),
    ...DOCUMENTS.slice(0, 3).map((document) => [document, ODD_PATHS] as const),
  ])("of %s, or left to the sidecar", async (document, paths) => {
    for (const path of paths) {
      const sql = ofOne(document, path);
      const answer = await outcome(both.wasm, sql);
      if (answer.reason === "NEEDS_SIDECAR") continue;
      expect(answer, sql).toEqual(await outcome(both.native, sql));
    }
  });

  it("of made documents, in chunks, in conditions and in lambdas", async () => {
    const random = randomOf(20261127);
    const documents = Array.from({ length: 600 }, () => made(random, 4));
    const rows = documents.map((document, index) => `(${index}, ${quoted(document)})`).join(", ");
    for (const path of ['$."a"', "$[1]", "/b", '$."b"."a"', "$[#-1]"]) {
      const sql =
        `SELECT i, ${asking("j", quoted(path))}, list_transform([j], (lambda _j: json_type(_j)))[1] ` +
        `FROM (VALUES ${rows}, (-1, NULL)) t(i, j) WHERE coalesce(json_type(j), '') <> 'BOOLEAN' ORDER BY i`;
      const answer = await outcome(both.wasm, sql);
      expect(answer).toEqual(await outcome(both.native, sql));
      expect((answer as { readonly rows: readonly unknown[] }).rows.length).toBeGreaterThan(400);
    }
  });

  it("give back what they take of the engine's memory", async () => {
    const sql = `SELECT count(json_extract_string('{"a": "' || repeat('x', 1000) || i || '"}', '$."a"')) AS n FROM range(200000) t(i)`;
    expect(await outcome(both.wasm, sql)).toMatchObject({ rows: [[200_000n]] });
  });

  it("are none of the next statement's", async () => {
    await outcome(both.wasm, `SELECT json_type('1')`);
    const others = `SELECT function_name FROM duckdb_functions() WHERE function_name LIKE 'js' || 'on%'`;
    expect(await outcome(both.wasm, others)).toMatchObject({ rows: [] });
  });
});

describe("what is left to the sidecar", () => {
  it.each([
    ["many values at once", `SELECT json_extract('[1]', '$[*]')`],
    ["all members", `SELECT json_extract('{}', '$.*')`],
    ["names of members", `SELECT json_keys('{}')`],
    ["values as JSON", "SELECT to_json(1)"],
    ["checked texts", "SELECT CAST('1' AS JSON)"],
    ["what is no JSON", `SELECT json_type('nope')`],
    ["a document of such a length", `SELECT json_type('"' || repeat('x', 300000) || '"')`],
    [
      "texts of such a length",
      `SELECT count(json_extract('"' || repeat('x', 20000) || i || '"', '$')) FROM range(2000) t(i)`,
    ],
    ["what is no text", "SELECT json_type(1.5::double)"],
    ["what is tried", `SELECT TRY(json_type('nope'))`],
    [
      "what fails behind the first rows",
      `SELECT json_type(CASE WHEN i = 5000 THEN 'nope' ELSE '1' END) FROM range(6000) t(i)`,
    ],
  ])("%s", async (_, sql) => {
    expect(await outcome(both.wasm, sql)).toMatchObject({ reason: "NEEDS_SIDECAR" });
  });
});

function made(random: Random, depth: number): string {
  const blank = random.pick(["", "", " ", "\n"]);
  const simple = [
    "1",
    "-3",
    "0",
    "12.5",
    "0.001",
    "7.25",
    "true",
    "false",
    "null",
    '"a"',
    '"é\\n"',
    '"1"',
    '""',
    '"x y"',
  ];
  const kind = depth === 0 ? 0 : random.below(3);
  if (kind === 0) return `${blank}${random.pick(simple)}${blank}`;
  const count = random.below(4);
  if (kind === 1) return `${blank}[${Array.from({ length: count }, () => made(random, depth - 1)).join(",")}]`;
  const names = ["a", "b", "c", "1"].slice(0, count);
  return `{${names.map((name) => `${blank}"${name}"${blank}:${made(random, depth - 1)}`).join(",")}}${blank}`;
}
