/**
 * Capitals and small letters as PostgreSQL's locale C.UTF-8 has them: each character has one of either, or is its own. ClickHouse's
 * `upperUTF8` writes several (`ß` as `SS`), `lowerUTF8` depends on the word (`ΣΑΣ` as `σας`), and `initcapUTF8` errs in Greek.
 * Seen on ClickHouse 26.7 for all characters; letters that Unicode 17 added differ until PostgreSQL has them.
 */

import { words } from "../../lowering/templates/template.ts";

/** Small letters with an iota: one capital each, where `upperUTF8` writes two. */
const WITH_IOTA: readonly (readonly [small: number, distance: number])[] = [
  ...[0x1f80, 0x1f90, 0x1fa0].flatMap((first) => Array.from({ length: 8 }, (_, index) => [first + index, 8] as const)),
  ...[0x1fb3, 0x1fc3, 0x1ff3].map((small) => [small, 9] as const),
];
const SMALL = String.fromCodePoint(...WITH_IOTA.map(([small]) => small));
const CAPITAL = String.fromCodePoint(...WITH_IOTA.map(([small, distance]) => small + distance));

/** SQL text of the capital of one character. */
const upper = (character: string): string =>
  `if(lengthUTF8(upperUTF8(${character})) = 1, upperUTF8(${character}), translateUTF8(${character}, '${SMALL}', '${CAPITAL}'))`;

/** SQL text of small letters. The small letter of İ is i, and that of Σ at the end of a word is σ. */
const lower = (value: string): string => `lowerUTF8(translateUTF8(${value}, 'İΣ', 'iσ'))`;

/** Words are runs of letters and ASCII digits. */
const WORD = "[\\\\p{L}\\\\p{Nl}0-9]+|[^\\\\p{L}\\\\p{Nl}0-9]+";

export const UPPER = words(
  `if(ifNull(lengthUTF8(upperUTF8($1)) != lengthUTF8($1), 0), arrayStringConcat(arrayMap(_c -> ${upper("_c")}, extractAll(assumeNotNull($1), '(?s).'))), upperUTF8($1))`,
);
export const LOWER = words(lower("$1"));
export const INITCAP = words(
  `if(isNull($1), NULL, arrayStringConcat(arrayMap(_w -> concat(${upper("leftUTF8(_w, 1)")}, ${lower("substringUTF8(_w, 2)")}), extractAll(assumeNotNull($1), '${WORD}'))))`,
);
