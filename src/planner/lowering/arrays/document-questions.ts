/**
 * Questions about an array whose elements are written out, or that is collected and does not leave the expression, for targets where
 * any other array is a document (`document-arrays.ts`).
 */
import { isNullable } from "../../binding/nullability.ts";
import { call, cases, comparison, inPlaceOf, integer, renamed, values, withArguments } from "../../syntax/build.ts";
import type { ArrayLiteral, Binary, Call, Expression, Subscript } from "../../syntax/tree.ts";
import { BIGINT, INTEGER, TEXT, typeOrUnknown } from "../../types.ts";
import { type arraysAsDocuments, isCollected, refusedArray, uncollated } from "./document-arrays.ts";

/** How a target says the rest. */
export interface Asked {
  readonly arrays: ReturnType<typeof arraysAsDocuments>;
  /** The target's name of `count`. */
  readonly count: string;
  readonly equal: (node: Binary) => Expression;
  /** `string_agg(x, ', ' ORDER BY y)` */
  readonly joinedTexts: (node: Call) => Expression;
}

const isWritten = (array: Expression): array is ArrayLiteral => array.kind === "array" && array.written === undefined;

const kindOf = (value: Expression) => typeOrUnknown(value).kind;

export function questionsOfDocuments({ arrays, count, equal, joinedTexts }: Asked) {
  /** NULL where nothing is collected: there is no array. */
  function countOf(array: Call, at: Call): Expression {
    const counted = withArguments(renamed(array, count), values(array).slice(0, 1));
    const all: Call = { ...counted, orderBy: [], type: BIGINT };
    return call("nullif", [all, integer(0, at)], inPlaceOf(at));
  }

  return {
    /** `(array)[2]`: NULL where there are fewer. */
    elementOf(node: Subscript): Expression {
      const { index } = node;
      if (kindOf(node.operand) !== "array" || index.kind !== "number" || !/^\d{1,9}$/.test(index.text)) {
        throw refusedArray(node);
      }
      return arrays.elementAt(uncollated(node.operand), Number(index.text), node);
    },

    /** `cardinality(a)`, and `array_length(a, 1)` or `array_upper(a, 1)`, which are NULL where there is none. */
    cardinality(node: Call): Expression {
      const [given, dimension] = values(node);
      if (given === undefined) throw refusedArray(node);
      const array = uncollated(given);
      const isLength = node.name[0]?.name !== "cardinality";
      if (isLength && (dimension?.kind !== "number" || dimension.text !== "1")) throw refusedArray(node);
      if (isWritten(array) && array.elements.some((each) => kindOf(each) === "array")) throw refusedArray(node);
      if (isWritten(array)) {
        const { length } = array.elements;
        return isLength && length === 0 ? { kind: "null", span: node.span, type: INTEGER } : integer(length, node);
      }
      if (isCollected(array)) return countOf(array, node);
      const size = arrays.sizeOf(array, node);
      return isLength ? call("nullif", [size, integer(0, node)], inPlaceOf(node)) : size;
    },

    /** `array_to_string(a, ', ')`, with a word for NULLs or without them. */
    joinedElements(node: Call): Expression {
      const [given, separator, forNull] = values(node);
      if (given === undefined || separator === undefined) throw refusedArray(node);
      if (forNull !== undefined && forNull.kind !== "string") throw refusedArray(node);
      const array = uncollated(given);
      if (!isCollected(array)) return arrays.joinedElements(array, separator, forNull, node);
      const [value] = values(array);
      // The text of a truth value in an array is `t`. NULLs are not collected.
      if (value === undefined || !["text", "integer"].includes(kindOf(value))) throw refusedArray(node);
      return { ...joinedTexts(withArguments(renamed(array, "string_agg"), [value, separator])), type: TEXT };
    },

    /** `array_position(a, x)`: the first of them. */
    positionOf(node: Call): Expression {
      const [given, sought, ...others] = values(node);
      if (given === undefined || sought === undefined || others.length > 0) throw refusedArray(node);
      const array = uncollated(given);
      if (!isWritten(array) || array.elements.length === 0 || array.elements.some(isNullable)) {
        return arrays.positionOf(array, sought, node);
      }
      const branches = array.elements.map((element, index) => ({
        when: equal(comparison(sought, "=", element, node)),
        then: integer(index + 1, node),
      }));
      return cases(branches, undefined, inPlaceOf(node));
    },
  };
}
