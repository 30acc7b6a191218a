/**
 * Arrays for targets without arrays, where an array is a JSON document. A function or operator of an array becomes a query over its
 * elements, with PostgreSQL's NULLs. A target says how a document is made, and how its elements become rows.
 */
import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { functionName, isAggregateCall } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import {
  binary,
  call,
  cases,
  columnOf,
  comparison,
  exactName,
  inPlaceOf,
  integer,
  isNull,
  logical,
  not,
  queryOf,
  selectItem,
  selectOf,
  text,
  typed,
  values,
  when,
} from "../../syntax/build.ts";
import type {
  Binary,
  Call,
  Cast,
  DerivedTable,
  Expression,
  Identifier,
  Quantified,
  Query,
  Slice,
  SortItem,
  Span,
  TableExpression,
  TableFunction,
  Template,
} from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { BIGINT, BOOLEAN, type SqlType, TEXT, typeOrUnknown } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";
import { spelled } from "../templates/template.ts";
import { UNSUPPORTED } from "../templates/unsupported.ts";
import { columnNamesOf, elementRows } from "./set-returning.ts";

/** How a target says documents. */
export interface Documents {
  /** The document of an array that an expression makes; `undefined` for any other, and for elements that JSON has no form for. */
  readonly made: (array: Expression) => Expression | undefined;
  readonly isMade: (array: Expression) => boolean;
  /** The document, which raises if it is anything but an array of such elements. `undefined` if that can not be told. */
  readonly checked: (array: Expression, element: SqlType) => Expression | undefined;
  /** The rows of the elements, with the names of their columns. */
  readonly rows: (document: Expression, element: SqlType, columns: RowNames, at: TableFunction) => TableExpression;
  /** The number of elements of a document, NULL of NULL; without it the rows are counted. */
  readonly size?: (document: Expression, at: Expression) => Expression;
  /** The target's name of `count`. */
  readonly count: string;
  /** The document of no elements, where it is more than the text `[]`. */
  readonly none?: (at: Expression) => Expression;
  /** Two documents, neither of them NULL, one behind the other. */
  readonly both: (first: Expression, second: Expression, at: Expression) => Expression;
  /** The document of a query's rows in their order; `undefined` for elements that JSON has no form for. */
  readonly ofRows: (
    value: Expression,
    orderBy: readonly SortItem[],
    query: (aggregate: Expression) => Expression,
    at: Expression,
  ) => Expression | undefined;
  /** The texts of rows in their order, one behind the other. */
  readonly joinedRows: (
    value: Expression,
    separator: Expression,
    orderBy: readonly SortItem[],
    at: Expression,
  ) => Expression;
  /** The text, or an empty one where it is NULL. */
  readonly orEmpty: (text: Expression) => Expression;
  readonly shown: (value: Expression, at: Expression) => Expression;
  readonly equal: (node: Binary) => Expression;
  readonly distinct: (node: Binary) => Expression;
  /** ANY and ALL of a query. */
  readonly quantified: (node: Quantified) => Expression;
}

export interface RowNames {
  readonly value: string;
  /** The name of the places, which count from 1. */
  readonly place: string | undefined;
}

/** An array whose elements are looked up. */
interface Elements {
  readonly document: Expression;
  /** NULL where the array is; `undefined` if it never is. */
  readonly presence: Expression | undefined;
  readonly element: SqlType;
}

/** An array of texts is ordered by code points like the texts (`text-order.ts`). */
export const uncollated = (array: Expression): Expression => (array.kind === "collate" ? array.operand : array);

const isCalled = (array: Expression, name: string): array is Call =>
  array.kind === "call" && array.name.length === 1 && array.name[0]?.name === name;

/** `array_agg(x ORDER BY y)` over groups. */
export const isCollected = (array: Expression): array is Call =>
  isCalled(array, "array_agg") && array.over === undefined && array.withinGroup.length === 0;

/** A text of a list and what stands between its parts. */
export interface CutText {
  readonly whole: Expression;
  readonly separator: Expression & { readonly kind: "string" };
}

/** `string_to_array(s, ',')`. */
export function cutText(array: Expression): CutText | undefined {
  if (!isCalled(array, "string_to_array")) return undefined;
  const [whole, separator, ...others] = values(array);
  if (whole === undefined || separator?.kind !== "string" || separator.value === "" || others.length > 0) {
    return undefined;
  }
  return { whole, separator };
}

export const refusedArray = ({ span }: { readonly span: Span }) =>
  unsupported(UNSUPPORTED.arrays.refused, span, UNSUPPORTED.arrays.hint);

/** Two documents may say the same array, and their texts are in no order of arrays. */
export function refuseComparedArrays(node: Call): void {
  const array = values(node).find((value) => typeOrUnknown(value).kind === "array");
  if (array !== undefined) throw unsupported("a comparison of arrays", array.span);
}

/** Written once more, it is as cheap and has the same value. */
function isPlain(value: Expression): boolean {
  if (value.kind === "cast") return value.operand.kind === "null";
  return /^(?:bound|string|number|boolean|null)$/.test(value.kind);
}

function isRepeatable(array: Expression): boolean {
  if (array.kind === "array") return array.elements.every(isPlain);
  if (isCalled(array, "coalesce")) return values(array).every(isRepeatable);
  return isPlain(array);
}

const isOther = ({ kind }: Expression): boolean => kind === "bound" || kind === "column";

/** Kinds of elements that are looked up. */
const ELEMENTS: ReadonlySet<SqlType["kind"]> = new Set(["text", "integer"] as const);

/** The names of rows within a query of their own. */
const OWN = "_elements";
const SOUGHT = "_sought";
const NAMES: RowNames = { value: "v", place: "n" };

const valueOf = ({ element }: Elements, at: Expression, name = OWN): Expression =>
  columnOf(name, "v", typed(element, at));
const placeOf = (at: Expression): Expression => columnOf(OWN, "n", typed(BIGINT, at));
const byPlace = (at: Expression): SortItem => ({
  expression: placeOf(at),
  direction: undefined,
  nulls: undefined,
  span: at.span,
});

const kindOf = (value: Expression): SqlType["kind"] => typeOrUnknown(value).kind;

/** The elements are of the type of a value. */
function refuseOthers({ element }: Elements, value: Expression): void {
  const kind = kindOf(value);
  if (kind !== element.kind && kind !== "null") throw refusedArray(value);
}

/** The value, or NULL where one of the arrays is. */
function ofPresent(arrays: readonly Elements[], value: Expression, at: Expression): Expression {
  return arrays.reduceRight<Expression>((then, { presence }) => {
    if (presence === undefined) return then;
    return when(isNull(presence, true), then, undefined, { span: at.span, type: typeOrUnknown(then) });
  }, value);
}

const selected = (
  item: Expression,
  from: readonly TableExpression[],
  where: Expression | undefined,
  at: Expression,
): Query => queryOf(selectOf({ items: [selectItem(item, exactName("x", at.span), at)], from, where }, at));

const scalar = (query: Query, at: Expression, type: SqlType): Expression => ({
  kind: "scalar-query",
  query,
  span: at.span,
  type,
});

const isHeld = (query: Query, at: Expression): Expression => ({ kind: "exists", query, span: at.span, type: BOOLEAN });

/** Aggregates and windows, which are those of the query around and belong into no query of elements. */
const isOverRows = (node: Expression): boolean =>
  node.kind === "call" && (node.over !== undefined || isAggregateCall(node, findFunction(functionName(node))));

/**
 * The use of an array that is looked up: as a table beside others, or an operand, it is said once; so it is as the rows of a query of their own,
 * which stand in another query; and a value is asked whether it is NULL besides.
 */
type Use = "once" | "rows" | "value";

/** The rules of a target for arrays. Those for values take nodes whose children are lowered. */
export function arraysAsDocuments(documents: Documents) {
  function elementsOf(given: Expression, use: Use): Elements | undefined {
    const array = uncollated(given);
    const type = typeOrUnknown(given);
    if (type.kind !== "array" || (use !== "once" && someExpression(array, isOverRows))) return undefined;
    const element = type.element.kind === "null" ? TEXT : type.element;
    const made = documents.isMade(array) ? array : documents.made(array);
    if (made === undefined && !isRepeatable(array)) return undefined;
    const document = made ?? documents.checked(array, element);
    if (document === undefined || !ELEMENTS.has(element.kind)) return undefined;
    if (!isNullable(array)) return { document, presence: undefined, element };
    const presence = cutText(array)?.whole ?? array;
    return use === "value" && !isRepeatable(presence) ? undefined : { document, presence, element };
  }

  function found(array: Expression | undefined, at: Expression, use: Use = "value"): Elements {
    const elements = array && elementsOf(array, use);
    if (elements === undefined) throw refusedArray(at);
    return elements;
  }

  /** The rows as the only table of a query, or beside others of it. */
  function rowsOf({ document, element }: Elements, at: Expression, name = OWN): TableExpression {
    const alias: Identifier = exactName(name, at.span);
    const table: TableFunction = {
      kind: "function",
      call: call("unnest", [document], typed(element, at)),
      lateral: false,
      ordinality: true,
      alias: { name: alias, columns: [] },
      span: at.span,
    };
    return documents.rows(document, element, NAMES, table);
  }

  function holds(elements: Elements, value: Expression, at: Expression): Expression {
    refuseOthers(elements, value);
    const where = documents.equal(comparison(valueOf(elements, at), "=", value, at));
    return isHeld(selected(integer(1, at), [rowsOf(elements, at)], where, at), at);
  }

  function changed(
    array: Expression,
    change: (value: Expression) => Expression,
    where: Expression | undefined,
    at: Expression,
  ): Expression {
    const elements = found(array, at);
    const inQuery = (aggregate: Expression): Expression =>
      scalar(selected(aggregate, [rowsOf(elements, at)], where, at), at, TEXT);
    const document = documents.ofRows(change(valueOf(elements, at)), [byPlace(at)], inQuery, at);
    if (document === undefined) throw refusedArray(at);
    return ofPresent([elements], document, at);
  }

  function sizeOf(array: Expression, at: Expression): Expression {
    if (documents.size !== undefined) return documents.size(found(array, at, "rows").document, at);
    const elements = found(array, at);
    const count: Expression = { ...call(documents.count, [], typed(BIGINT, at)), star: true };
    return ofPresent([elements], scalar(selected(count, [rowsOf(elements, at)], undefined, at), at, BIGINT), at);
  }

  function joined(left: Expression, right: Expression, at: Expression): Expression {
    const listed = (side: Expression): Expression =>
      kindOf(side) === "array"
        ? side
        : { kind: "array", elements: [side], span: side.span, type: { kind: "array", element: typeOrUnknown(side) } };
    const sides = [left, right].map((side) =>
      found(listed(side), at, isNullable(side) && kindOf(side) === "array" ? "value" : "once"),
    );
    const none = documents.none?.(at) ?? text("[]", at);
    const [first, second] = sides.map(({ document, presence }) =>
      presence === undefined ? document : call("coalesce", [document, none], typed(TEXT, at)),
    );
    if (first === undefined || second === undefined) throw refusedArray(at);
    const both = documents.both(first, second, at);
    const presences = sides.flatMap(({ presence }) => (presence === undefined ? [] : [isNull(presence, true)]));
    return presences.length < sides.length ? both : when(logical("or", presences, at), both, undefined, inPlaceOf(at));
  }

  return {
    /** `unnest(a)` in FROM, with or without ordinality. */
    unnest(table: TableFunction): TableExpression {
      const [array, ...others] = values(table.call);
      const isConstant = array?.kind === "array" && !someExpression(array, isOther);
      if (array === undefined || others.length > 0 || isConstant) return elementRows(table);
      const { document, element } = found(array, table.call, "once");
      const [value = "unnest", place = "ordinality"] = columnNamesOf(table);
      return documents.rows(document, element, { value, place: table.ordinality ? place : undefined }, table);
    },

    /** `x = ANY (a)` and its like. */
    quantified(node: Quantified): Expression {
      const { operand, array } = node;
      const elements = array === undefined || array.kind === "array" ? undefined : elementsOf(array, "value");
      if (array === undefined || elements === undefined) return documents.quantified(node);
      refuseOthers(elements, operand);
      const query = selected(valueOf(elements, array), [rowsOf(elements, array)], undefined, array);
      return ofPresent([elements], documents.quantified({ ...node, array: undefined, query }), node);
    },

    /** `a @> b`: every element of `b` is one of `a`. A NULL is equal to none. */
    holdsAll(node: Binary, container: Expression, contained: Expression): Expression {
      const all = found(container, node);
      if (contained.kind === "array") {
        const held = contained.elements.map((each) => holds(all, each, node));
        const always: Expression = { kind: "boolean", value: true, span: node.span, type: BOOLEAN };
        return ofPresent([all], held.length === 0 ? always : logical("and", held, node), node);
      }
      const sought = found(contained, node);
      if (all.element.kind !== sought.element.kind) throw refusedArray(node);
      const same = documents.equal(comparison(valueOf(all, node), "=", valueOf(sought, node, SOUGHT), node));
      const missing = not(isHeld(selected(integer(1, node), [rowsOf(all, node)], same, node), node));
      const query = selected(integer(1, node), [rowsOf(sought, node, SOUGHT)], missing, node);
      return ofPresent([all, sought], not(isHeld(query, node)), node);
    },

    /** `a && b`: an element of one is one of the other. */
    shares(node: Binary): Expression {
      const { left, right } = node;
      const [array, other] = left.kind === "array" ? [right, left] : [left, right];
      const all = found(array, node);
      if (other.kind === "array" && other.elements.length > 0) {
        const held = other.elements.map((each) => holds(all, each, node));
        return ofPresent([all], logical("or", held, node), node);
      }
      const some = found(other, node);
      if (all.element.kind !== some.element.kind) throw refusedArray(node);
      const same = documents.equal(comparison(valueOf(all, node), "=", valueOf(some, node, SOUGHT), node));
      const inner = isHeld(selected(integer(1, node), [rowsOf(some, node, SOUGHT)], same, node), node);
      const query = selected(integer(1, node), [rowsOf(all, node)], inner, node);
      return ofPresent([all, some], isHeld(query, node), node);
    },

    /** `array_position(a, x)`: the first place of a value. NULL is found among NULLs. */
    positionOf(array: Expression, sought: Expression, at: Expression): Expression {
      const elements = found(array, at, "rows");
      refuseOthers(elements, sought);
      const same = binary(valueOf(elements, at), "is not distinct from", sought, typed(BOOLEAN, at));
      const first = call("min", [placeOf(at)], typed(BIGINT, at));
      const query = selected(first, [rowsOf(elements, at)], documents.distinct(same), at);
      return scalar(query, at, typeOrUnknown(at));
    },

    /** `a[2]`: NULL where there are fewer. */
    elementAt(array: Expression, place: number, at: Expression): Expression {
      const elements = found(array, at, "rows");
      const where = comparison(placeOf(at), "=", integer(place, at), at);
      return scalar(selected(valueOf(elements, at), [rowsOf(elements, at)], where, at), at, typeOrUnknown(at));
    },

    sizeOf,

    /** `array_to_string(a, ', ')`, with a word for NULLs or without them. The text of no elements is empty. */
    joinedElements(
      array: Expression,
      separator: Expression,
      forNull: Expression | undefined,
      at: Expression,
    ): Expression {
      const elements = found(array, at);
      const shown = documents.shown(valueOf(elements, at), at);
      const part = forNull === undefined ? shown : call("coalesce", [shown, forNull], typed(TEXT, at));
      const all = documents.joinedRows(part, separator, [byPlace(at)], at);
      const query = scalar(selected(all, [rowsOf(elements, at)], undefined, at), at, TEXT);
      return ofPresent([elements], documents.orEmpty(query), at);
    },

    /** `a = '{}'` and `a <> '{}'`; `undefined` for other comparisons. */
    comparedWithNone(node: Binary): Expression | undefined {
      const { left, right, operator } = node;
      if (operator !== "=" && operator !== "<>") return undefined;
      const [array, none] = left.kind === "array" ? [right, left] : [left, right];
      if (none.kind !== "array" || none.elements.length > 0 || kindOf(array) !== "array") return undefined;
      return comparison(sizeOf(array, node), operator, integer(0, node), node);
    },

    /** `a || b`, and `a || x`. A NULL array is joined as an empty one; two of them are NULL. */
    joined,

    /** `array_append(a, x)`, `array_prepend(x, a)` and `array_cat(a, b)`. */
    joinedCall(node: Call): Expression {
      const [a, b] = values(node);
      if (a === undefined || b === undefined) throw refusedArray(node);
      return joined(a, b, node);
    },

    /** `a[2:3]` with bounds that are written out. */
    slice(node: Slice): Expression {
      const { operand, from, to } = node;
      const [first, last] = [from === undefined ? 1 : countOf(from), to === undefined ? undefined : countOf(to)];
      if (first === undefined || (to !== undefined && last === undefined)) {
        throw unsupported("a slice with computed bounds", node.span, "Write the bounds as literals.");
      }
      const within = (operator: ">=" | "<=", bound: number): Expression =>
        comparison(placeOf(node), operator, integer(bound, node), node);
      const bounds = [within(">=", first), ...(last === undefined ? [] : [within("<=", last)])];
      return changed(operand, (value) => value, logical("and", bounds, node), node);
    },

    /** `array_remove(a, x)`: NULL is equal to NULL. */
    withoutElement(node: Call): Expression {
      const [array, sought] = values(node);
      if (array === undefined || sought === undefined) throw refusedArray(node);
      const elements = found(array, node);
      refuseOthers(elements, sought);
      const other = binary(valueOf(elements, node), "is distinct from", sought, typed(BOOLEAN, node));
      return changed(array, (value) => value, documents.distinct(other), node);
    },

    /** `array_replace(a, x, y)` */
    replacedElement(node: Call): Expression {
      const [array, sought, other] = values(node);
      if (array === undefined || sought === undefined || other === undefined) throw refusedArray(node);
      const elements = found(array, node);
      for (const value of [sought, other]) refuseOthers(elements, value);
      const put = (value: Expression): Expression => {
        const same = binary(value, "is not distinct from", sought, typed(BOOLEAN, node));
        return cases([{ when: documents.distinct(same), then: other }], value, typed(elements.element, node));
      };
      return changed(array, put, undefined, node);
    },

    /** The document of an array that is left over: a column of the answer, of a derived table or of VALUES. */
    written(node: Expression): Expression {
      const document = documents.made(node);
      if (document === undefined) throw refusedArray(node);
      return document;
    },
  };
}

/** A function in FROM whose rows are the elements of a document. */
export interface ElementRows {
  readonly name: string;
  /** The element, and its place, which counts from 1, of the function's columns. */
  readonly value: Template;
  readonly place: Template;
}

/** `(SELECT … FROM rows(document)) AS t`, which is applied to the rows before it where it asks for a column of these. */
export function derivedRows(
  document: Expression,
  element: SqlType,
  { name, value, place }: ElementRows,
  columns: RowNames,
  table: TableFunction,
): DerivedTable {
  const { span } = table;
  const items = [
    selectItem(spelled(value, [], typed(element, table)), exactName(columns.value, span), table),
    ...(columns.place === undefined
      ? []
      : [selectItem(spelled(place, [], table), exactName(columns.place, span), table)]),
  ];
  const parsed: TableFunction = {
    ...table,
    call: call(name, [document], inPlaceOf(table.call)),
    lateral: false,
    ordinality: false,
    alias: { name: exactName("_json", span), columns: [] },
  };
  return {
    kind: "derived",
    query: queryOf(selectOf({ items, from: [parsed] }, table)),
    lateral: someExpression(document, isOther),
    alias: { name: table.alias?.name ?? exactName(columnNamesOf(table)[0] ?? columns.value, span), columns: [] },
    span,
  };
}

/** An array as one of another type whose elements stay what they are; a document has no narrower type. */
export function sameArray(node: Cast): Expression {
  const { operand, typeName } = node;
  const [from, to] = [typeOrUnknown(operand), typeOrUnknown(node)];
  if (from.kind === "array" && to.kind === "array" && !node.safe) {
    const isNone = operand.kind === "array" && operand.elements.length === 0;
    if (isNone || (typeName.parameters.length === 0 && isKept(to.element, from.element)))
      return { ...operand, type: to };
  }
  throw unsupported("a cast from array to array", node.span);
}

function isKept(wanted: SqlType, own: SqlType): boolean {
  if (wanted.kind === "integer" && own.kind === "integer") return wanted.bits >= own.bits;
  return own.kind === "null" || (wanted.kind === own.kind && (wanted.kind === "text" || wanted.kind === "boolean"));
}
