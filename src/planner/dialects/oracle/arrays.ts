/**
 * Questions about an array whose elements are written out, or that is collected; any other is a document (`json-arrays.ts`).
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/JSON_VALUE.html
 */
import { isCollected, refusedArray, uncollated } from "../../lowering/arrays/document-arrays.ts";
import { questionsOfDocuments } from "../../lowering/arrays/document-questions.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { inPlaceOf, text, values } from "../../syntax/build.ts";
import type { Call, Expression, Subscript, Template } from "../../syntax/tree.ts";
import { type SqlType, typeOrUnknown } from "../../types.ts";
import { ARRAYS } from "./json-arrays.ts";
import { compare, joinedTexts } from "./texts.ts";

export const QUESTIONS = questionsOfDocuments({ arrays: ARRAYS, count: "count", equal: compare, joinedTexts });

const placed = (type: string): Template => words(`JSON_VALUE($1, $2 RETURNING ${type} ERROR ON ERROR NULL ON EMPTY)`);

/** Types that an element has as it is collected. */
const PLACED: Readonly<Partial<Record<SqlType["kind"], Template>>> = {
  text: placed("VARCHAR2(4000)"),
  integer: placed("NUMBER"),
  decimal: placed("NUMBER"),
};

/** `(array)[2]`: NULL where there are fewer. */
export function elementOf(node: Subscript): Expression {
  const array = uncollated(node.operand);
  return isCollected(array) ? collectedElement(array, node) : QUESTIONS.elementOf(node);
}

/** An aggregate of groups stands in no query of its own. */
function collectedElement(array: Call, node: Subscript): Expression {
  const [value] = values(array);
  const template = value && PLACED[typeOrUnknown(value).kind];
  const place = countOf(node.index);
  if (template === undefined || place === undefined || place < 1) throw refusedArray(node);
  return spelled(template, [array, text(`$[${place - 1}]`, node)], inPlaceOf(node));
}
