/**
 * `->`, `->>`, `#>`, `#>>`, subscripts and functions of JSON by literal names and positions, for targets that read a document by one whole
 * path. A member is a call that holds a column and its steps. It cannot be printed: only its text, its type and its length are values.
 */
import { unsupported } from "../../diagnostics.ts";
import { all, call, comparison, integer, isNull, text, typed, values, when } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Is, Subscript } from "../../syntax/tree.ts";
import { JSON_PART, typeOrUnknown } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";
import type { Refusal } from "../rules.ts";
import { pathSteps } from "./json-paths.ts";

/** No function of a caller has a blank in its name. */
export const MEMBER = "member of json";

/** The rule of a printer for a member. */
export const MEMBER_AS_VALUE = {
  refused: "a member of json as json",
  hint: "Take its text: ->> or #>>.",
} satisfies Refusal;

/** A name, or a position in an array. */
export type Step = string | number;

export interface Path {
  readonly document: Expression;
  readonly steps: readonly Step[];
}

/** How a target reads a document. */
export interface Reader {
  /** The target's name of the type of the value at the end of a path; NULL if the document has none. A JSON null has a type. */
  readonly kind: (path: Path, at: Expression) => Expression;
  /**
   * Which steps the target takes into values of another type than theirs: a name into the objects of an array, a position into the value
   * itself.
   */
  readonly relaxed: "names and positions" | "positions" | "none";
  /** The text of `->>`, or an error, NULL if there is no value. */
  readonly text: (path: Path, kind: Expression, at: Expression) => Expression;
  /** PostgreSQL's name of the type, from the target's. */
  readonly typeName: (kind: Expression, at: Expression) => Expression;
  /** The length of an array, or an error, NULL if there is no value. */
  readonly length: (path: Path, kind: Expression, at: Expression) => Expression;
  /** Whether a path of the target can hold the name. */
  readonly isSayable: (name: string) => boolean;
}

export interface JsonReading {
  readonly member: (node: Binary) => Expression;
  readonly memberText: (node: Binary) => Expression;
  readonly subscript: (node: Subscript) => Expression;
  readonly path: (node: Binary) => Expression;
  readonly pathText: (node: Binary) => Expression;
  readonly extractedPath: (node: Call) => Expression;
  readonly extractedText: (node: Call) => Expression;
  readonly typeName: (node: Call) => Expression;
  readonly arrayLength: (node: Call) => Expression;
  /** `j -> 'a' IS NULL`, which a JSON null is not; `undefined` for other operands. */
  readonly isMissing: (node: Is) => Expression | undefined;
}

export function jsonReading(reader: Reader): JsonReading {
  const step = (document: Expression, key: Expression, at: Expression): Expression => {
    if (key.kind === "string") return within(document, [named(key.value, key)], at);
    const place = countOf(key);
    if (place === undefined || place < 0) {
      const hint = "Write the name or the position as a literal.";
      throw unsupported("a computed step into json, or one from the end", key.span, hint);
    }
    const { type } = document;
    if (place === 0 && type?.kind === "json" && type.binary === true) {
      // In PostgreSQL, a scalar is its own first element.
      throw unsupported("the first element of what may be a plain value", key.span, "Cast it to json: x::json -> 0.");
    }
    return within(document, [place], at);
  };
  const named = (name: string, { span }: Expression): string => {
    if (reader.isSayable(name)) return name;
    throw unsupported("the name of this member of json", span, "Use another name.");
  };
  /** A step of digits is a position in an array and a name in an object. */
  const along = (document: Expression, steps: readonly string[] | undefined, at: Expression): Expression => {
    if (steps === undefined || steps.some((each) => /^-?\d+$/.test(each))) {
      throw unsupported("a path into json of computed steps, or of positions", at.span, "Use -> step by step.");
    }
    const names = steps.map((each) => named(each, at));
    return within(document, names, at);
  };
  const path = (node: Binary): Expression => along(node.left, pathSteps(node.right), node);
  const extractedPath = (node: Call): Expression => {
    const [document, ...steps] = values(node);
    if (document === undefined) return node;
    const names = steps.map((each) => (each.kind === "string" ? each.value : undefined));
    return along(document, names.every((each) => each !== undefined) ? names : undefined, node);
  };
  /** Whether each step leads into an object or an array; `undefined` if the target's path says so itself. */
  const parentsOf = ({ document, steps }: Path, at: Expression): Expression | undefined => {
    const conditions = steps.flatMap((each, index): readonly Expression[] => {
      const isName = typeof each === "string";
      if (reader.relaxed === "none" || (isName && reader.relaxed === "positions")) return [];
      const kind = reader.kind({ document, steps: steps.slice(0, index) }, at);
      return [comparison(kind, "=", text(isName ? "object" : "array", at), at)];
    });
    return all(conditions, at);
  };
  const kindOf = (whole: Path, at: Expression): Expression => {
    const kind = reader.kind(whole, at);
    const parents = parentsOf(whole, at);
    return parents === undefined ? kind : when(parents, kind, undefined, typed(typeOrUnknown(kind), at));
  };
  const textOf = (value: Expression, at: Expression): Expression => {
    const whole = pathOf(value, at);
    return reader.text(whole, kindOf(whole, at), at);
  };
  return {
    member: (node) => step(node.left, node.right, node),
    memberText: (node) => textOf(step(node.left, node.right, node), node),
    subscript(node) {
      if (typeOrUnknown(node.operand).kind === "json") return step(node.operand, node.index, node);
      throw unsupported("an element of an array or of json", node.span);
    },
    path,
    pathText: (node) => textOf(path(node), node),
    extractedPath,
    extractedText: (node) => textOf(extractedPath(node), node),
    typeName(node) {
      const [value] = values(node);
      return value === undefined ? node : reader.typeName(kindOf(pathOf(value, node), node), node);
    },
    arrayLength(node) {
      const [value] = values(node);
      if (value === undefined) return node;
      const whole = pathOf(value, node);
      return reader.length(whole, kindOf(whole, node), node);
    },
    isMissing(node) {
      const { operand, negated, test } = node;
      return test === "null" && isMember(operand) ? isNull(kindOf(pathOf(operand, node), node), negated) : undefined;
    },
  };
}

const isMember = (value: Expression): value is Call => value.kind === "call" && value.name[0]?.name === MEMBER;

/** A path continues where the one below it ends. */
function within(value: Expression, steps: readonly Step[], at: Expression): Expression {
  const { document, steps: before } = pathOf(value, at);
  const path = [...before, ...steps].map((each) => (typeof each === "number" ? integer(each, at) : text(each, at)));
  return call(MEMBER, [document, ...path], typed(JSON_PART, at));
}

function pathOf(value: Expression, at: Expression): Path {
  if (isMember(value)) {
    const [document = value, ...steps] = values(value);
    return { document, steps: steps.flatMap((each) => stepOf(each) ?? []) };
  }
  if (value.kind === "bound" && typeOrUnknown(value).kind === "json") return { document: value, steps: [] };
  throw unsupported("a member of json that is computed", at.span, "Take members of columns of type json.");
}

const stepOf = (each: Expression): Step | undefined => (each.kind === "string" ? each.value : countOf(each));

/** The path in the notation that begins with `$`, with names in quotes. */
export const dollarPath = (steps: readonly Step[]): string =>
  `$${steps.map((each) => (typeof each === "number" ? `[${each}]` : `."${each}"`)).join("")}`;

/** Names that need no escape between double quotes. */
export const isPlainName = (name: string): boolean => name !== "" && !/["'\\$*\p{Cc}]/u.test(name);

/** A number whose text is the same without an exponent and without a zero at its end. */
export const PLAIN_NUMBER = "^-?[0-9]+([.][0-9]*[1-9])?$";
