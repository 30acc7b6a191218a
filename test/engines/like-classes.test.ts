/**
 * Tests of regular expressions that are said by LIKE with classes, compared with PostgreSQL's own answer. No server with such a LIKE
 * runs here: its rules are written down below from SQL Server's manual, once for a collation that counts characters and once for one that
 * counts halves of them.
 * https://learn.microsoft.com/en-us/sql/t-sql/language-elements/like-transact-sql
 */
import { expect, test } from "vitest";
import { firstMatch, likePatterns } from "../../src/planner/lowering/patterns/like-classes.ts";
import { re2Pattern } from "../../src/planner/lowering/patterns/regular-expressions.ts";
import { text } from "../../src/planner/syntax/build.ts";
import { startPostgres } from "../support/postgres.ts";

const PATTERNS = [
  ...["[0-9]", "\\d", "\\D", "^A", "^[A-Z]", "[a-z]$", "^\\d{5}$", "\\d{4}-\\d{3}", "(GmbH|AG)$", "[&]|GmbH", "^\\d+$"],
  ...["^\\d*$", "^[0-9]-[0-9]-[0-9]$", " [LS]$", "^DE[0-9]{10}$", "^[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}$", "[;()]"],
  ...["[-' ]", "€$", "[^ -~]", "^\\+", "[^a-zA-Z]", "a.*b", "^a.*b$", "^$", "^a?$", "x*", "^(liked|schöne)"],
  ...["^[^@]+$", "^a\\d+b$", "^[ab]{2,}$", "\\s", "\\S", "^\\s+$", "^\\S+$", "100%", "a_b", "\\[x\\]", "[%_]", "[.]$"],
  ...["(a|b)c", "a|^b|c$", "^ab*", "colou?r", "\\n", "\\.$", "^.*$", "^.+$", "[^a].*", "é|ß", "^[^a].*b"],
];

const TEXTS = [
  ...["", "a", "b", "A", "ab", "aab", "ba", "abc", "a\nb", "a1b", "a12b", "ab1", "a b", " a", "a ", "   ", "x", "c"],
  ...["0", "12345", "1234", "123456", "1234-567", "12-34", "1-0-1", "1-0-11", "Café", "straße", "ÀÉ", "é", "ß", "SS"],
  ...[
    "Muster GmbH",
    "Muster AG ",
    "M&N",
    "gmbh",
    "DE1234567890",
    "DE123456789",
    "AB1 2CD",
    "A12 3BC",
    "AB1C 2DE",
    "ABC 1DE",
  ],
  ...[
    "Cola L",
    "Cola L ",
    "(x)",
    "a;b",
    "O'Neil",
    "10 €",
    "€",
    "+49 1",
    "100%",
    "100_",
    "a_b",
    "axb",
    "[x]",
    "x]",
    "[",
    ".",
  ],
  ...[
    "a.",
    "..",
    "😀",
    "a😀",
    "😀a",
    "a😀b",
    "😀😀",
    "1😀",
    "\t",
    "\n",
    "a\n",
    "\u00a0",
    "a\u2003b",
    "liked it",
    "schöne",
    "Schöne",
  ],
  ...["colour", "color", "user@host", "@", "a@", "aaaa", "abab", "bbb", "~", "\u007f", "٣"],
];

/** A pattern of LIKE by the manual, on these characters. */
function matches(pattern: string, characters: readonly string[]): boolean {
  const tests = [...pattern.matchAll(/\[(\^?)([^\]]+)\]|./gsu)].map(([sign, negation, members]) => {
    if (sign === "%") return undefined;
    if (sign === "_") return () => true;
    if (members === undefined) return (each: string) => each === sign;
    // A dash at the beginning is one.
    const ranges = [...members.matchAll(/(^-)|(.)-(.)|(.)/gsu)].map(([whole, , from = whole, to = whole]) =>
      [from, to].map((each) => each.codePointAt(0) ?? 0),
    );
    const isMember = (each: string): boolean => {
      const code = each.codePointAt(0) ?? 0;
      return ranges.some(([from = 0, to = 0]) => from <= code && code <= to);
    };
    return (each: string) => isMember(each) !== (negation === "^");
  });
  let reached = new Set([0]);
  const skipping = (places: Set<number>): Set<number> => {
    for (const place of places) if (place < tests.length && tests[place] === undefined) places.add(place + 1);
    return places;
  };
  reached = skipping(reached);
  for (const each of characters) {
    const next = new Set<number>();
    for (const place of reached) {
      if (place >= tests.length) continue;
      const one = tests[place];
      if (one === undefined) next.add(place);
      else if (one(each)) next.add(place + 1);
    }
    reached = skipping(next);
  }
  return reached.has(tests.length);
}

const COUNTED: Readonly<Record<string, (value: string) => readonly string[]>> = {
  characters: (value) => [...value],
  halves: (value) => value.split(""),
};

const re2 = (pattern: string): string => {
  const read = re2Pattern(text(pattern, { span: { start: 0, end: 0 } }));
  return read.kind === "string" ? read.value : pattern;
};

test.each(Object.keys(COUNTED))("LIKE says what PostgreSQL does, where a collation counts %s", async (unit) => {
  const split = COUNTED[unit] ?? (() => []);
  const database = await startPostgres();
  try {
    const client = await database.connect();
    const wrong: string[] = [];
    for (const isFolded of [false, true]) {
      for (const pattern of PATTERNS) {
        const tests = likePatterns(re2(pattern), isFolded);
        if (tests === undefined) {
          // Letters of a long class have no other case here.
          expect({ pattern, isFolded: true }).toEqual({ pattern, isFolded });
          continue;
        }
        const operator = isFolded ? "~*" : "~";
        const { rows } = await client.query(`SELECT s, s ${operator} $2 AS found FROM unnest($1::text[]) AS t(s)`, [
          TEXTS,
          pattern,
        ]);
        for (const { s, found } of rows as readonly { s: string; found: boolean }[]) {
          const said = tests.some((way) =>
            way.every((each) => matches(`${each.pattern}.`, split(`${s}.`)) !== each.negated),
          );
          if (said !== found) wrong.push(`${JSON.stringify(s)} ${operator} ${pattern}: ${found}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  } finally {
    await database.stop();
  }
});

/** The place is the first one from which the pattern without its first `%` matches the rest. */
function placeOf(pattern: string, characters: readonly string[]): number {
  if (!pattern.startsWith("%")) return matches(pattern, characters) ? 0 : -1;
  return characters.findIndex((_, at) => matches(pattern.slice(1), characters.slice(at)));
}

/** Patterns with the number of a group, or 0. */
const FOUND: readonly (readonly [pattern: string, group: number])[] = [
  ...[
    "[aeiou]",
    ",\\d\\d\\s",
    "str\\.$",
    "^a",
    "\\D.*$",
    "[0-9*]+.*$",
    "ab",
    "b$",
    "\\s",
    "[^a].*",
    "é",
    "[0-9]+",
    "a\\d*",
  ].map((pattern) => [pattern, 0] as const),
  ...["^[0-9 -]+", "[^a]+", "\\S+", "[A-Z][a-z]+", "\\s+"].map((pattern) => [pattern, 0] as const),
  ["#([0-9]+)", 1],
  ["a(.*)", 1],
  ["([a-z])$", 1],
  ["([a-z])([0-9])", 2],
  ["@([^@]+)", 1],
];

test.each(Object.keys(COUNTED))("the first match is PostgreSQL's, where a collation counts %s", async (unit) => {
  const split = COUNTED[unit] ?? (() => []);
  const database = await startPostgres();
  try {
    const client = await database.connect();
    const wrong: string[] = [];
    for (const [pattern, group] of FOUND) {
      const first = firstMatch(re2(pattern), false, group);
      if (first === undefined) throw new Error(`not found by LIKE: ${pattern}`);
      const { rows } = await client.query(
        "SELECT s, regexp_replace(s, $2, '<>') AS replaced, (regexp_match(s, $2))[$3] AS part FROM unnest($1::text[]) AS t(s)",
        [[...TEXTS, ...MATCHED], pattern, Math.max(group, 1)],
      );
      for (const { s, replaced, part } of rows as readonly { s: string; replaced: string; part: string | null }[]) {
        const characters = split(s);
        const place = placeOf(`${first.pattern}.`, split(`${s}.`));
        const { rest, length } = first;
        const behind = characters.slice(place + length);
        const stop = typeof rest === "string" ? 0 : placeOf(rest.pattern, [...behind, ...split(rest.sign)]);
        const following = rest === "all" ? behind.length : stop;
        const asked = first.group.length + (first.group.withRest ? following : 0);
        const [start, end] = [place + first.group.skipped, place + length + following];
        const ownPart = place < 0 ? null : characters.slice(start, start + asked).join("");
        const own = place < 0 ? s : [...characters.slice(0, place), "<>", ...characters.slice(end)].join("");
        if (own !== replaced) wrong.push(`${JSON.stringify(s)}, ${pattern}: ${own}, not ${replaced}`);
        if (ownPart !== part) wrong.push(`${JSON.stringify(s)}, ${pattern}: ${ownPart}, not ${part}`);
      }
    }
    expect(wrong).toEqual([]);
  } finally {
    await database.stop();
  }
});

const MATCHED = [
  "1,00 €",
  "1,00 2,00 x",
  "Hauptstr.",
  "str. 1",
  "12a34b",
  "1*2",
  "12-14 b",
  "x #12 #3",
  "a@b😀c@d",
  "😀😀a",
  "Ab Cde",
];
