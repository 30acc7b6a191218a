import type { Random } from "../../support/random-query.ts";
import { type Maker, ordered, rows } from "./maker.ts";

const ATOMS = ["a", "b", "c", "1", "-", "[ab]", "[^a]", ".", "\\d", "\\w", "\\s", "é", "[a-c]"];
const QUANTIFIERS = ["*", "+", "?", "{2}", "{1,2}", "*?", "+?", "??", "{1,2}?"];

/** A pattern of a few characters: alternatives, groups and quantifiers of both kinds, nested in each other. */
function pattern(random: Random, depth: number): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    const isGroup = depth > 0 && random.chance(0.3);
    const part = isGroup
      ? `${random.pick(["(", "(", "(?:"])}${pattern(random, depth - 1)})`
      : random.pick(random.chance(0.6) ? ["a", "b"] : ATOMS);
    return random.chance(0.3) ? part + random.pick(QUANTIFIERS) : part;
  });
  const branch = parts.join("");
  return random.chance(0.25) ? `${branch}|${pattern(random, Math.max(depth - 1, 0))}` : branch;
}

/** Statements with patterns that can match in several ways (docs/decisions/0052-matches-of-patterns.md#decision). */
export const patterns: Maker = (random) => {
  const texts = Array.from({ length: 8 }, () => {
    const alphabet = random.pick(["ab", "abc", "ab1-", "aAbB", "aé b"]);
    return `'${Array.from({ length: random.below(8) }, () => random.pick([...alphabet])).join("")}'`;
  });
  const from = rows(random, "t", { x: { type: "text", values: [...texts, "NULL"] } }, 8);
  const anchored = `${random.pick(["", "", "", "^"])}${pattern(random, 2)}${random.pick(["", "", "", "$"])}`;
  const p = `'${anchored}'`;
  const flags = random.pick(["", "", ", 'i'"]);
  const replacement = random.pick(["'-'", "''", "'[\\&]'", "'<\\1>'", "'\\2\\1'", "'\\\\'", "'\\x'", "x"]);
  const value = random.pick([
    `regexp_substr(x, ${p})`,
    `regexp_substr(x, ${p}, 1, ${1 + random.below(2)})`,
    `regexp_count(x, ${p})`,
    `regexp_match(x, ${p}${flags})`,
    `substring(x FROM ${p})`,
    `regexp_replace(x, ${p}, ${replacement})`,
    `regexp_replace(x, ${p}, ${replacement}, '${random.pick(["g", "gi", "i", "ic"])}')`,
    `regexp_split_to_array(x, ${p}${flags})`,
    `x ~ ${p}`,
  ]);
  return random.chance(0.8)
    ? ordered(`SELECT id, ${value} AS v FROM ${from} ORDER BY id`)
    : ordered(
        `SELECT id, m, n FROM ${from}, regexp_matches(x, ${p}, ${random.pick(["'g'", "'gi'", "''"])}) WITH ORDINALITY AS u(m, n) ORDER BY id, n`,
      );
};
