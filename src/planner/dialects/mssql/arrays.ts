/**
 * Questions about an array whose elements are written out, or that is collected; any other is a document (`json-arrays.ts`).
 * https://learn.microsoft.com/en-us/sql/t-sql/functions/openjson-transact-sql
 */
import { refusedArray } from "../../lowering/arrays/document-arrays.ts";
import { questionsOfDocuments } from "../../lowering/arrays/document-questions.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression, Subscript } from "../../syntax/tree.ts";
import { equality } from "./exact-text.ts";
import { groupOfMatch } from "./first-matches.ts";
import { ARRAYS } from "./json-arrays.ts";
import { joinedTexts } from "./texts.ts";

export const QUESTIONS = questionsOfDocuments({ arrays: ARRAYS, count: "count_big", equal: equality, joinedTexts });

/** `(array)[2]`: NULL where there are fewer. */
export const elementOf = (node: Subscript): Expression =>
  groupOfMatch(node.operand, node.index) ?? QUESTIONS.elementOf(node);

/** `array_replace(a, x, y)`: an aggregate takes no columns of the query around beside its own (error 8124). */
export function replacedElement(node: Call): Expression {
  const [, sought, other] = values(node);
  const isLiteral = (value: Expression | undefined): boolean => value?.kind === "string" || value?.kind === "number";
  if (!isLiteral(sought) || !isLiteral(other)) throw refusedArray(node);
  return ARRAYS.replacedElement(node);
}
