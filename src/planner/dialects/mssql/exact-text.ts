/**
 * Texts compared letter by letter. A column's collation folds case and accents, as most do, and every collation takes blanks at
 * the end for none.
 * https://learn.microsoft.com/en-us/sql/t-sql/language-elements/string-comparison-assignment
 */
import { paddedTexts } from "../../lowering/texts/padded-texts.ts";
import { uuidInOrder } from "../../lowering/uuids.ts";
import type { Expression } from "../../syntax/tree.ts";

export { collated } from "../../lowering/texts/padded-texts.ts";

/** In the order of bytes, and with every character that there is. */
export const CODE_POINTS = "Latin1_General_100_BIN2_UTF8";
/** Counts supplementary characters as one. */
export const CHARACTERS = "Latin1_General_100_CS_AS_SC";
export const USUAL = "DATABASE_DEFAULT";

/** `[` begins a class in patterns. */
export const TEXTS = paddedTexts(CODE_POINTS, { special: "[", readsBlanks: true });

export const {
  exact,
  textKey,
  equality,
  inequality,
  distinctness,
  inList,
  inQuery,
  quantified,
  exactCase,
  nullIf,
  like,
} = TEXTS;

/** A UUID as a text in the order of bytes; any other expression as it is. */
export function orderedUuid(node: Expression): Expression {
  const key = uuidInOrder(node);
  return key === node ? node : exact(key);
}
