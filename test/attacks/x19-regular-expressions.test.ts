/**
 * Every regular expression of `src/` and `sidecar/` is read by an engine that backtracks, in a thread that all callers share. None
 * may have two ways to read the same letters that a failure multiplies. Each is judged from its automaton and not by the
 * clock: `test/support/regular-expressions/ambiguity.ts` says why.
 */
import { join } from "node:path";
import { expect, it } from "vitest";
import { ambiguityOf } from "../support/regular-expressions/ambiguity.ts";
import { type Expression, expressionsOf } from "../support/regular-expressions/find.ts";

const { literals, constructions } = expressionsOf(join(import.meta.dirname, "../.."), ["src", "sidecar"]);

const COLUMN = '(?<![\\w"])(?:"a"|a)(?![\\w"])';
const QUALIFIED = `(?:(?:\\w+|"(?:[^"]|"")*")\\.)*${COLUMN}`;
const CHARACTER = "(\\\\(?:x\\{[0-9a-f]+\\}|p\\{\\w+\\}|p\\w|[^])|[^])";

/**
 * Possible arguments of `new RegExp` where constants of the file do not determine them: samples for each call of a
 * file.
 */
const MADE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // The name of a column, escaped, between constants.
  "src/connectors/duckdb-wasm/json-columns.ts": [
    [
      `\\bjson_\\w+\\(${QUALIFIED}(?=[,)])`,
      `\\bCAST\\(${QUALIFIED} AS (?:TEXT|VARCHAR)\\)`,
      `(?<=\\(|\\b(?:WHERE|AND|OR|NOT|ON) )${QUALIFIED} IS (?:NOT )?NULL\\b`,
    ],
    [COLUMN],
  ],
  // Texts of at most a thousand letters are read by these; the one of reals has two counts of digits.
  "src/planner/dialects/mysql/casts.ts": [["^\\s*[-+]?[0-9]{1,30}\\s*$", "^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$"]],
  // Digits are counted: at most a hundred on each side of the point.
  "src/planner/dialects/postgres/casts.ts": [
    ["^\\s*(t|true|f|false|yes|no|on|off|1|0)\\s*$"],
    ["^\\s*[-+]?[0-9]{1,30}\\s*$"],
  ],
  // Each part of a format once, and constant texts between them.
  "src/planner/lowering/times/literal-dates.ts": [
    ["^(\\d{4})(\\d{1,2})(\\d{1,2})\\u{20}(\\d{1,2})(\\d{1,2})(\\d{1,2})(\\d{6})$"],
  ],
  // The items of a set; then one item, which one letter is tried with.
  "src/planner/lowering/patterns/match-order.ts": [
    [`\\[:\\w+:\\]|\\\\[dDs]|\\\\p(?:\\w|\\{\\w+\\})|${CHARACTER}(?:-${CHARACTER})?`],
    ["\\p{L}"],
  ],
  // The signs of a dialect's words.
  "src/planner/substitute/tokens.ts": [["(?:[a-z_@#]|[^\\x00-\\x7f\\s])(?:[\\w$@#]|[^\\x00-\\x7f\\s])*"]],
  // The operator's own directory, escaped.
  "sidecar/duckdb/file-root.ts": [["/srv/files(?![\\w.-])"]],
};

it("the expressions are found", () => {
  expect(literals.length).toBeGreaterThan(800);
  expect(constructions.length).toBeGreaterThan(15);
});

const folderOf = ({ file }: Expression) => file.split("/").slice(0, 3).join("/");
const folders = Map.groupBy([...literals, ...constructions.flatMap(({ made }) => made ?? [])], (expression) =>
  folderOf(expression),
);

it.each([...folders])("none of %s backtracks beyond linear time", (_, expressions) => {
  const found = expressions.flatMap(({ file, line, source, flags }) => {
    const ambiguity = ambiguityOf(source, flags);
    return ambiguity === undefined ? [] : [{ at: `${file}:${line}`, expression: `/${source}/${flags}`, ...ambiguity }];
  });
  expect(found).toEqual([]);
});

it("expressions that are made of other values are known, and do not backtrack either", () => {
  const dynamic = Map.groupBy(
    constructions.filter(({ made }) => made === undefined),
    ({ file }) => file,
  );
  const counts = Array.from(dynamic, ([file, calls]) => [file, calls.length]);
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(Object.entries(MADE).map(([file, calls]) => [file, calls.length])),
  );
  for (const [file, calls] of Object.entries(MADE)) {
    for (const sample of calls.flat())
      expect([file, sample, ambiguityOf(sample, "u")]).toEqual([file, sample, undefined]);
  }
});
