/**
 * The empty text is NULL on Oracle (https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/Nulls.html): no column of
 * its tables holds one, and what computes one gives NULL. So every place that would tell the two apart asks a text with a character
 * in front of it, or the values that it is made of; where neither can be, the statement is refused. Only in an answer NULL stands
 * for an empty text that was computed.
 */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { countStep } from "../../plan-budget.ts";
import { call, isNull, logical, text, typed, values } from "../../syntax/build.ts";
import { transformExpression, transformQuery } from "../../syntax/rewrite.ts";
import type { Call, Expression, Query, QueryBody, Select } from "../../syntax/tree.ts";
import { children, walk } from "../../syntax/walk.ts";
import { TEXT, typeOrUnknown } from "../../types.ts";
import { isMemberText, presenceOfMember, presentMemberText } from "./json.ts";

/** Texts one behind the other, NULL where one of them is: spelled in `print.ts`. */
export const JOINED = "joined texts";
/** A text that is empty where it is NULL; of what is joined and measured alone. */
export const OR_EMPTY = "or empty";
/** The elements of an array in one text, which is empty where there are none (`json-arrays.ts`). */
export const ELEMENTS_TEXT = "text of elements";
/** The parts of a text as an array; an empty one has none. */
export const PARTS = "parts of a text";
/** `nullif(x, '')`: the text as Oracle has it. */
export const PRESENT = "present text";
/** Any character: one more in front of both sides changes neither their equality nor their order. */
const MARK = ".";

const isEmpty = (node: Expression | undefined): boolean => node?.kind === "string" && node.value === "";

/** Strict functions, of which the first argument alone may be empty: NULL where one of theirs is. */
const STRICT = new Set("upper lower initcap substring left right btrim ltrim rtrim replace translate".split(" "));
const FIRST = new Set("upper lower initcap nullif min max any_value first_value last_value lag lead".split(" "));
const ALWAYS = new Set(["btrim", "ltrim", "rtrim", "split_part", "repeat", "regexp_replace", OR_EMPTY, ELEMENTS_TEXT]);

/** Columns of derived tables lead to the same expressions again and again. */
const KNOWN = new WeakMap<Expression, boolean>();

/** Whether a text, lowered or not, may be empty: it may where nothing tells that it is not. */
export function mayBeEmpty(node: Expression): boolean {
  countStep();
  // Most are of these kinds, and less work than to remember.
  if (node.kind === "string") return isEmpty(node);
  if (!MADE_OF_TEXTS.has(node.kind) || (node.kind === "bound" && !node.column.origins?.length)) return false;
  let found = KNOWN.get(node);
  if (found === undefined) {
    found = readsEmpty(node);
    KNOWN.set(node, found);
  }
  return found;
}

const MADE_OF_TEXTS: ReadonlySet<Expression["kind"]> = new Set([
  ...(["bound", "case", "cast", "collate", "scalar-query", "binary", "call", "spelled"] as const),
]);

function readsEmpty(node: Expression): boolean {
  switch (node.kind) {
    case "bound":
      return node.column.origins?.some(mayBeEmpty) ?? false;
    case "case":
      return [...node.branches.map(({ then }) => then), node.otherwise].some((each) => each && mayBeEmpty(each));
    case "cast":
      return typeOrUnknown(node).kind === "text" && mayBeEmpty(node.operand);
    case "collate":
      return mayBeEmpty(node.operand);
    case "scalar-query": {
      const { body } = node.query;
      return body.kind !== "select" || body.items.some((item) => item.kind === "item" && mayBeEmpty(item.expression));
    }
    case "binary":
      // The text of a member is not empty in a column of a derived table (`withoutEmptyTexts`).
      return node.operator === "||" && mayBeEmpty(node.left) && mayBeEmpty(node.right);
    case "spelled":
      return isMemberText(node);
    case "call":
      return ofCall(functionName(node), values(node));
    default:
      return false;
  }
}

function ofCall(name: string, [first, second, third, ...others]: readonly Expression[]): boolean {
  if (first === undefined) return false;
  if (ALWAYS.has(name)) return true;
  if (FIRST.has(name)) return !(name === "nullif" && isEmpty(second)) && mayBeEmpty(first);
  const all = [first, second, third, ...others].filter((each) => each !== undefined);
  const isSome = (count: Expression | undefined): boolean => count !== undefined && (countOf(count) ?? 0) > 0;
  switch (name) {
    case "substring":
      return !(second && countOf(second) === 1 && (third === undefined || isSome(third))) || mayBeEmpty(first);
    case "left":
    case "right":
      return !isSome(second) || mayBeEmpty(first);
    case "replace":
      return third?.kind !== "string" || third.value === "" || mayBeEmpty(first);
    case "translate":
      return !(second?.kind === "string" && third?.kind === "string" && second.value.length <= third.value.length);
    case "coalesce":
    case "greatest":
    case "least":
      return all.some(mayBeEmpty);
    case "concat":
    case "concat_ws":
      return all.every((each) => isNullable(each) || mayBeEmpty(each));
    case JOINED:
      return all.every(mayBeEmpty);
    default:
      return false;
  }
}

/** Expressions one of which is NULL on Oracle if the text is NULL in the language. */
export function missing(node: Expression): readonly Expression[] {
  countStep();
  if (isEmpty(node) || !isNullable(node) || (node.kind === "call" && functionName(node) === OR_EMPTY)) return [];
  if (node.kind === "call" && functionName(node) === JOINED) return values(node).flatMap(missing);
  if (isMemberText(node)) return [presenceOfMember(node)];
  if (!mayBeEmpty(node)) return leavesOf(node);
  if (node.kind === "call" && (STRICT.has(functionName(node)) || functionName(node) === "split_part")) {
    return values(node).flatMap(missing);
  }
  // Pattern and replacement are literals, of which the empty one is NULL.
  if (node.kind === "call" && functionName(node) === "regexp_replace") return values(node).slice(0, 1).flatMap(missing);
  throw emptyTextRefused(node);
}

const WHOLE = new Set([
  ...STRICT,
  ..."lpad rpad to_char trunc floor ceil round mod abs length sys_extract_utc".split(" "),
]);

/** The values that make the expression NULL, if nothing else does. */
function leavesOf(node: Expression): readonly Expression[] {
  countStep();
  const below = (parts: readonly Expression[]): readonly Expression[] =>
    parts.filter(isNullable).flatMap((each) => (mayBeEmpty(each) ? missing(each) : leavesOf(each)));
  switch (node.kind) {
    case "cast":
      return node.safe ? [node] : below([node.operand]);
    case "extract":
      return below([node.operand]);
    case "binary":
      return "+-*/".includes(node.operator) ? below([node.left, node.right]) : [node];
    case "spelled":
      return node.template.nulls === "strict" ? below(node.parts) : [node];
    case "call":
      return WHOLE.has(functionName(node)) && node.over === undefined ? below(values(node)) : [node];
    default:
      return [node];
  }
}

const emptyTextRefused = (node: Expression) =>
  unsupported(
    "an empty text that must differ from NULL",
    node.span,
    "Oracle has no empty text: write nullif(…, '') where the text is computed.",
  );

export const joinedParts = (parts: readonly Expression[], at: Expression): Call =>
  call(
    JOINED,
    parts.flatMap((part) => (part.kind === "call" && functionName(part) === JOINED ? values(part) : [part])),
    typed(TEXT, at),
  );

/** With a character in front, if one of the texts may be empty; `undefined` where none may be. */
export function marked(texts: readonly Expression[], at: Expression): readonly Expression[] | undefined {
  if (!texts.some(mayBeEmpty)) return undefined;
  const literal = texts.find(isEmpty);
  if (literal !== undefined) {
    throw unsupported("a comparison with ''", literal.span, "Oracle has no empty text: write IS NULL or IS NOT NULL.");
  }
  return texts.map((each) =>
    each.kind === "string" ? text(MARK + each.value, each) : joinedParts([text(MARK, at), each], at),
  );
}

/** NULL where the language has NULL. */
export function isMissing(operand: Expression, negated: boolean): Expression | undefined {
  if (!mayBeEmpty(operand)) return undefined;
  const parts = missing(operand).map((each) => isNull(each, negated));
  const [only] = parts;
  if (only === undefined) throw emptyTextRefused(operand);
  return parts.length === 1 ? only : logical(negated ? "and" : "or", parts, operand);
}

export const orEmpty = (operand: Expression): Expression =>
  isNullable(operand) || mayBeEmpty(operand) ? call(OR_EMPTY, [operand], typed(TEXT, operand)) : operand;

/** `coalesce(…, '')` may be joined and measured. */
export function coalesced(node: Call): Expression | undefined {
  const all = values(node);
  if (!isEmpty(all.at(-1))) return undefined;
  const [only, ...others] = all.slice(0, -1);
  if (only === undefined) return undefined;
  const inner = others.length === 0 ? only : call("coalesce", [only, ...others], typed(TEXT, node));
  return call(OR_EMPTY, [inner], typed(TEXT, node));
}

/** `nullif(x, '')` is the text that Oracle has anyway. */
export function presentText(node: Call): Expression | undefined {
  const [value, other] = values(node);
  if (value === undefined || other === undefined) return undefined;
  if (isEmpty(other)) return call(PRESENT, [value], typed(TEXT, node));
  return undefined;
}

// ------------------------------------------------------------------------------------------------ a whole statement

/** Where an empty text may be NULL all the same. */
const PASSING = new Set([...STRICT, JOINED, PRESENT, PARTS, "string_to_array", "split_part", "regexp_replace"]);

/**
 * The statement, in which the text of a JSON member raises where it would be empty and PostgreSQL tells that from NULL. Other texts
 * that may be empty are refused in these places.
 */
export function withoutEmptyTexts(statement: Query): Query {
  const present = new Set<Expression>();
  const places = new Places(present);
  const isSortedSet = statement.body.kind === "set" && statement.orderBy.length > 0;
  /** Bodies whose keys have been looked at, together with those of ORDER BY. */
  const sorted = new Set<Walked>();
  const answers = new Set<Walked>(isSortedSet ? [] : selectsOf(statement.body));
  walk(statement, (node) => {
    switch (node.kind) {
      case "query":
        places.refuseSorted(node);
        sorted.add(node.body);
        break;
      case "select":
        if (!sorted.has(node)) places.refuseKeys(node, []);
        if (!answers.has(node)) places.refuseMembersIn(node);
        break;
      case "set":
        if (!node.all) places.refuseItems(node.left, node.right);
        break;
      default:
        if (isExpression(node)) places.refuseWithin(node);
    }
    return true;
  });
  if (present.size === 0) return statement;
  return transformQuery(statement, {
    expression: (node) => (present.has(node) && isMemberText(node) ? presentMemberText(node) : node),
  });
}

type Walked = Parameters<Parameters<typeof walk>[1]>[0];

const OTHERS = new Set(
  "query select set values nested item star table physical-table bound-common bound-model derived function join aliased-join opaque-table opaque".split(
    " ",
  ),
);

const isExpression = (node: Walked): node is Walked & Expression => !OTHERS.has(node.kind);

/** The selects whose items are columns of the answer. */
function selectsOf(body: QueryBody): readonly QueryBody[] {
  return body.kind === "set" ? [...selectsOf(body.left), ...selectsOf(body.right)] : [body];
}

/** The texts of members that make this text one that may be empty. */
function membersIn(node: Expression): readonly Expression[] {
  const found: Expression[] = [];
  walk(node, (each) => {
    if (each.kind === "query") return false;
    if (isExpression(each) && isMemberText(each)) found.push(each);
    return true;
  });
  return found;
}

const withPresentMembers = (node: Expression): Expression =>
  transformExpression(node, { expression: (each) => (isMemberText(each) ? presentMemberText(each) : each) });

/** Places of a statement where an empty text must differ from NULL. */
class Places {
  readonly #present: Set<Expression>;

  constructor(present: Set<Expression>) {
    this.#present = present;
  }

  refuse(node: Expression): void {
    if (!mayBeEmpty(node)) return;
    if (mayBeEmpty(withPresentMembers(node))) throw emptyTextRefused(node);
    for (const member of membersIn(node)) this.#present.add(member);
  }

  refuseWithin(node: Expression): void {
    const name = node.kind === "call" ? functionName(node) : node.kind;
    const isLast = (child: Expression): boolean =>
      node.kind === "call" && name === "coalesce" && child === values(node).at(-1);
    const isBranch = (child: Expression): boolean =>
      node.kind === "case" && (node.otherwise === child || node.branches.some(({ then }) => then === child));
    for (const child of children(node)) {
      if (!mayBeEmpty(child)) continue;
      const isInner = child.kind === "call" && functionName(child) === OR_EMPTY;
      if (PASSING.has(name) && (!isInner || name === JOINED)) continue;
      if (name === OR_EMPTY || (!isInner && (isLast(child) || isBranch(child) || name === "cast"))) continue;
      this.refuse(child);
    }
  }

  refuseSorted({ body, orderBy }: Query): void {
    const keys = orderBy.map(({ expression }) => expression);
    if (body.kind === "select") this.refuseKeys(body, keys);
    else for (const key of keys) this.refuse(key);
  }

  /**
   * An empty text and NULL would be one group, and one row. Keys, and the items that repeat them, are equal expressions: if the members in
   * one of them raise, those of all do.
   */
  refuseKeys(select: Select, sorted: readonly Expression[]): void {
    const { items, distinct, groupBy, having } = select;
    const before = this.#present.size;
    for (const key of sorted) this.refuse(key);
    for (const item of items) {
      if (item.kind !== "item" || !mayBeEmpty(item.expression)) continue;
      const { expression } = item;
      const isWritten = expression.kind === "call" && functionName(expression) === OR_EMPTY;
      if (isEmpty(expression) || isWritten || (distinct !== undefined && isNullable(expression)))
        this.refuse(expression);
    }
    const keys = (groupBy ?? []).flatMap((element) =>
      element.kind === "expression" ? [element.expression] : element.kind === "keys" ? element.expressions : [],
    );
    for (const key of keys) if (isNullable(key)) this.refuse(key);
    if (this.#present.size === before) return;
    this.refuseMembersIn(select);
    for (const each of [...keys, ...sorted, ...(having ? [having] : [])]) {
      for (const member of membersIn(each)) this.#present.add(member);
    }
  }

  /** Columns of derived tables may be read in places where NULL is not the same. */
  refuseMembersIn({ items }: Select): void {
    for (const item of items) {
      if (item.kind !== "item") continue;
      for (const member of membersIn(item.expression)) this.#present.add(member);
    }
  }

  refuseItems(...sides: readonly Walked[]): void {
    for (const side of sides) {
      if (side.kind !== "select") continue;
      for (const item of side.items) if (item.kind === "item") this.refuse(item.expression);
    }
  }
}
