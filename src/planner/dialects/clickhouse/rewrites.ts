/** Constructs of the input language that ClickHouse lacks or interprets differently. Seen on ClickHouse 26.7. */

import { isNullable } from "../../binding/nullability.ts";
import { unsupported } from "../../diagnostics.ts";
import { rejectUnknownType } from "../../lowering/comparable.ts";
import { areReals, arrayOfReals, asReal } from "../../lowering/numbers/reals.ts";
import { replaced } from "../../lowering/queries/output-columns.ts";
import { anyEqual } from "../../lowering/queries/row-comparisons.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { isSpelled, spelled } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { plainDigits } from "../../plain-digits.ts";
import { call, cases, cast, inPlaceOf, isNull, logical, not, text, typed } from "../../syntax/build.ts";
import { digitsOf } from "../../syntax/number-parts.ts";
import type {
  ArrayLiteral,
  Between,
  Case,
  Expression,
  InList,
  Is,
  Join,
  NumberLiteral,
  Query,
  QueryBody,
  Select,
  SetOperation,
  Unary,
} from "../../syntax/tree.ts";
import { type SyntaxNode, someExpression, someNode, walk } from "../../syntax/walk.ts";
import { BOOLEAN, isDocumentArray, isMadeJson, typeOrUnknown, UNKNOWN } from "../../types.ts";
import { isCollected } from "./aggregates.ts";
import { collectedItem, refuseNullableArrays, splitItem, withDocuments } from "./answered-arrays.ts";
import { withArrayJoins } from "./array-joins.ts";
import { alternatives, asDocument, element, nullableSubject, slice } from "./arrays.ts";
import { clickHouseCasts } from "./casts.ts";
import { withCrossedJoins } from "./crossed-joins.ts";
import { comparedLength, isDifference, isInterval } from "./differences.ts";
import { canonical, isDocument, orderText } from "./document-arrays.ts";
import { clickHouseFields } from "./fields.ts";
import { clickHouseFunctions } from "./functions.ts";
import { withEquality } from "./joins.ts";
import { JSON_TEXTS, subscript } from "./json.ts";
import { JSON_ROWS } from "./json-rows.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";
import { asDouble, IN_BITS, negated, PRECISION, SIGNED_COUNT } from "./numbers.ts";
import { clickHouseOperators, equal } from "./operators.ts";
import { quantified } from "./quantified.ts";
import { withKeptConstants } from "./quirks/constant-keys.ts";
import { exists, inQuery, isOfThisRow, refuseAggregated, scalarQuery } from "./subqueries.ts";
import { arrayRows, matchedRows, seriesRows, splitRows } from "./table-functions.ts";
import { refuseCapture, TableNames } from "./table-names.ts";
import { collated, inOrder, like, sortKey } from "./texts.ts";
import { atTimeZone, literal, plainWindow } from "./times.ts";
import { CLOCK } from "./times-of-day.ts";
import { TIME_PATTERNS } from "./to-char.ts";
import { withOneZero } from "./zeros.ts";

/**
 * On ClickHouse a number with a point is a double, and so is an integer of more than 64 bits. Other numbers may be positions of
 * columns.
 */
function number(node: NumberLiteral): Expression | undefined {
  const isShort = /^\d{1,18}$/.test(node.text);
  // Among doubles a long integer would have another type.
  if (/^\d{10,}$/.test(node.text) && typeOrUnknown(node).kind === "float")
    return cast(node, "double precision", inPlaceOf(node));
  if (isShort || typeOrUnknown(node).kind !== "decimal") return undefined;
  const { whole = "", fraction = "" } = digitsOf(plainDigits(node.text) ?? "") ?? {};
  if (whole + fraction === "" || whole.length + fraction.length > PRECISION) {
    throw unsupported(
      "a number with too many digits",
      node.span,
      `Write it with at most ${PRECISION} digits, or as a double precision.`,
    );
  }
  const digits = text(`${whole || "0"}.${fraction}`.replace(/\.$/, ""), node);
  const scale = fraction.length;
  return cast(digits, "numeric", typed({ kind: "decimal", precision: PRECISION, scale }, node), [PRECISION, scale]);
}

/** ClickHouse has no operator of inverted bits. */
function unary(node: Unary): Expression | undefined {
  const { operator, operand } = node;
  if (operator === "-") return negated(operand, node);
  if (operator !== "~") return undefined;
  const type = typeOrUnknown(operand);
  if (type.kind !== "integer") throw unsupported("operator ~ over this", node.span);
  return call("bitNot", [spelled(IN_BITS[type.bits], [operand], operand)], inPlaceOf(node));
}

function is(node: Is): Expression | undefined {
  const { operand, test, span } = node;
  if (operand.kind === "row") {
    const parts = operand.elements.map((each) => isNull(each, node.negated));
    return logical("and", parts, node);
  }
  if (typeOrUnknown(operand).kind === "array" && !isDocument(operand))
    throw unsupported("whether an array is NULL", span);
  if (test === "null") return undefined;
  if (test === "unknown") return isNull(operand, node.negated);
  const no: Expression = { kind: "boolean", value: false, span, type: BOOLEAN };
  const found = call("ifnull", [test === "true" ? operand : not(operand), no], { span, type: BOOLEAN });
  return node.negated ? not(found) : found;
}

function between(node: Between): Expression {
  const sides = [node.operand, node.low, node.high] as const;
  for (const each of sides) rejectUnknownType(each);
  const [operand, low, high] = sides.some(isInterval)
    ? sides.map(comparedLength)
    : MIXED_NUMBERS.together(sides).map(inOrder);
  if (operand === undefined || low === undefined || high === undefined) return node;
  const plain = { ...node, operand, low, high };
  return symmetricAsRanges(plain) ?? plain;
}

/** ClickHouse ignores NULLs in a list. */
function inList(node: InList): Expression | undefined {
  const { operand, list } = node;
  if (operand.kind !== "row") for (const each of [operand, ...list]) rejectUnknownType(each);
  // A list of decimals does not support integers.
  const isOfDecimals = typeOrUnknown(operand).kind === "integer" && list.some(({ type }) => type?.kind === "decimal");
  if (
    operand.kind !== "row" &&
    !isOfDecimals &&
    list.every(
      (each) => (each.kind === "number" || each.kind === "string" || each.kind === "typed") && !isNullable(each),
    )
  ) {
    const [value = operand, ...values] = MIXED_NUMBERS.together([operand, ...list]);
    return { ...node, operand: withOneZero(value), list: values };
  }
  return anyEqual(node, equal);
}

/** ClickHouse's simple CASE treats NULL as equal to NULL; and all results must have one type. */
function searched(node: Case): Expression | undefined {
  const { operand, branches, otherwise } = node;
  if (operand !== undefined) rejectUnknownType(operand);
  const results = alternatives(
    [...branches.map(({ then }) => then), ...(otherwise === undefined ? [] : [otherwise])],
    node,
  );
  return cases(
    branches.map((each, index) => ({
      when: operand === undefined ? each.when : equal(operand, each.when, each.when),
      then: results[index] ?? each.then,
    })),
    otherwise && results.at(-1),
    { span: node.span, type: typeOrUnknown(node) },
  );
}

/** In result columns counts stay unsigned, as ClickHouse returns them; elsewhere they are combined with signed numbers. */
function unsignedCounts(statement: Query): Query {
  const { body } = statement;
  if (body.kind !== "select") return statement;
  const items = body.items.map((each) => {
    const { expression } = each.kind === "item" ? each : { expression: undefined };
    if (each.kind !== "item" || expression === undefined || !isSpelled(expression, SIGNED_COUNT)) return each;
    const [count] = expression.parts;
    return count?.kind === "call" && count.name[0]?.name === "count" ? { ...each, expression: count } : each;
  });
  return { ...statement, body: { ...body, items } };
}

/** Parts of a statement that the last steps are about. */
interface Survey {
  readonly joins: readonly Join[];
  readonly selects: readonly Select[];
  readonly recursive: readonly Query[];
  readonly names: TableNames;
  readonly hasTableFunctions: boolean;
  /** Some value is computed from the columns of its row by a template. */
  readonly isPerRow: boolean;
}

/** Finds in one walk what the last steps of a statement are about. */
function surveyOf(statement: Query): Survey {
  const joins: Join[] = [];
  const selects: Select[] = [];
  const recursive: Query[] = [];
  const names = new TableNames();
  let isPerRow = false;
  let hasTableFunctions = false;
  walk(statement, (node) => {
    switch (node.kind) {
      case "spelled":
        isPerRow ||= isOfThisRow(node);
        break;
      case "select":
        selects.push(node);
        break;
      case "query":
        if (node.with?.recursive === true) recursive.push(node);
        break;
      case "join":
        joins.push(node);
        break;
      case "physical-table":
      case "bound-common":
      case "derived":
      case "opaque-table":
      case "aliased-join":
        names.add(node);
        break;
      case "function":
        hasTableFunctions = true;
        names.add(node);
        break;
      default:
    }
    return true;
  });
  return { joins, selects, recursive, names, hasTableFunctions, isPerRow };
}

/** Throws for constructs that ClickHouse lacks, or interprets differently. */
function refuseUnknown(statement: Query, { selects, recursive, names, isPerRow }: Survey): void {
  selects.forEach(refuseNullableArrays);
  recursive.forEach(refuseDistinctRecursion);
  if (isPerRow) refuseAggregated(statement);
  if (names.meet()) refuseCapture(statement);
}

/** ClickHouse would continue the recursion with rows that it has found before. */
function refuseDistinctRecursion(node: Query): void {
  for (const { name, query } of node.with?.tables ?? []) {
    if (query.body.kind !== "set" || query.body.all) continue;
    const isItself = (inner: SyntaxNode): boolean =>
      inner.kind === "bound-common" && inner.table.printedName === name.name;
    if (someNode(query, isItself))
      throw unsupported("a recursive table of distinct rows", name.span, "Write UNION ALL.");
  }
}

/** In a column that mixes doubles or reals with other numbers, values would have different types. */
function setOperation(node: SetOperation): SetOperation {
  const rows = rowsOf(node);
  const width = rows[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) =>
    rows.flatMap((row) => (row[at] === undefined ? [] : [typeOrUnknown(row[at])])),
  );
  const areDoubles = columns.map((types) => types.some(({ kind }) => kind === "float"));
  const ofReals = columns.map(areReals);
  const ofDocuments = columns.map((types) => types.some(isDocumentArray));
  for (let at = 0; at < width; at++) {
    const kinds = new Set(
      rows.flatMap((row) => row.slice(at, at + 1).map((value) => value && typeOrUnknown(value).kind)),
    );
    if (kinds.has("array") && kinds.has("null") && !ofDocuments[at])
      throw unsupported("an array that is NULL", node.span);
  }
  if (!ofReals.some(Boolean) && !areDoubles.some(Boolean) && !ofDocuments.some(Boolean)) return node;
  const meeting = (value: Expression, at: number): Expression => {
    if (ofDocuments[at]) return asDocument(value, { ...value, type: columns[at]?.find(isDocumentArray) ?? UNKNOWN });
    if (ofReals[at]) return asReal(value);
    return areDoubles[at] ? asDouble(value) : value;
  };
  return mapRows(node, meeting) as SetOperation;
}

type WrittenRow = readonly (Expression | undefined)[];

/** Collected into one list, because chains of set operations are long. */
function rowsOf(body: QueryBody, found: WrittenRow[] = []): readonly WrittenRow[] {
  switch (body.kind) {
    case "select":
      found.push(body.items.map((each) => (each.kind === "item" ? each.expression : undefined)));
      return found;
    case "values":
      for (const row of body.rows) found.push(row);
      return found;
    case "set":
      rowsOf(body.left, found);
      return rowsOf(body.right, found);
    default:
      return rowsOf(body.query.body, found);
  }
}

function mapRows(body: QueryBody, map: (value: Expression, at: number) => Expression): QueryBody {
  switch (body.kind) {
    case "select": {
      const items = body.items.map((each, at) =>
        each.kind === "item" ? replaced(each, map(each.expression, at)) : each,
      );
      return { ...body, items };
    }
    case "values":
      return { ...body, rows: body.rows.map((row) => row.map(map)) };
    case "set":
      return { ...body, left: mapRows(body.left, map), right: mapRows(body.right, map) };
    default:
      return { ...body, query: { ...body.query, body: mapRows(body.query.body, map) } };
  }
}

const keyOf = (expression: Expression): Expression =>
  isDocument(expression) ? canonical(expression) : withOneZero(comparable(expression));

const sortOf = (expression: Expression): Expression =>
  isDocument(expression) ? orderText(expression) : sortKey(comparable(expression));

/** JSON is compared and sorted as its stored text, and so is an interval from a table; an array that is made of NULL has no elements. */
function comparable(expression: Expression): Expression {
  const isSplit = expression.kind === "call" && /^(?:string_to_array|regexp_)/.test(expression.name[0]?.name ?? "");
  if (isSplit && typeOrUnknown(expression).kind === "array" && isNullable(expression)) {
    throw unsupported("a comparison of arrays", expression.span);
  }
  if (isInterval(expression) && !isDifference(expression)) comparedLength(expression);
  if (typeOrUnknown(expression).kind !== "json") return expression;
  throw unsupported("a comparison of json", expression.span, "Compare texts: j ->> 'key'.");
}

/** Conditions are numbers on ClickHouse. */
function item(expression: Expression): Expression {
  const { kind } = typeOrUnknown(expression);
  if (kind === "interval" && !isDifference(expression))
    throw unsupported("an interval as a value", expression.span, "Use date_diff('day', a, b).");
  if (kind === "row") throw unsupported("a row as a value", expression.span, "Select its members.");
  if (isCollected(expression)) return collectedItem(expression);
  if (
    kind === "array" &&
    !isDocument(expression) &&
    someExpression(expression, (each) => nullableSubject(each) !== undefined)
  ) {
    return splitItem(expression);
  }
  const isColumn = expression.kind === "bound" || expression.kind === "column";
  if (kind === "json" && !isColumn && !isMadeJson(typeOrUnknown(expression))) {
    throw unsupported("json as a value", expression.span, "Ask for its text: j ->> 'key'.");
  }
  if (kind !== "boolean" || isColumn || expression.kind === "boolean") return expression;
  return cast(expression, "boolean", typed(BOOLEAN, expression));
}

function writtenArray(node: ArrayLiteral): ArrayLiteral | undefined {
  if (node.elements.some(isDocument)) throw unsupported("an array of arrays", node.span);
  return arrayOfReals(node);
}

export const clickHouseRewrites = (): Rewrites => ({
  clock: CLOCK,
  timePatterns: TIME_PATTERNS,
  jsonTexts: JSON_TEXTS,
  numbersFilled: "by lpad",
  expressions: expressionRules(["string boolean null column session logical bound opaque interval row"], {
    array: writtenArray,
    number,
    unary,
    between,
    quantified,
    like,
    "in-list": inList,
    exists,
    "in-query": inQuery,
    "scalar-query": scalarQuery,
    case: searched,
    typed: literal,
    is,
    collate: collated,
    "at-time-zone": atTimeZone,
    bits: UNSUPPORTED.bitLiterals,
    subscript: (node) => (typeOrUnknown(node.operand).kind === "json" ? subscript(node) : element(node)),
    slice,
    "array-query": UNSUPPORTED.arrayQuery,
    field: UNSUPPORTED.rowMembers,
  }),
  operators: clickHouseOperators(),
  finiteDates: { first: 1900, last: 2299 },
  bindsOperands: "by a lambda",
  printsTemplatesBound: true,
  casts: clickHouseCasts(),
  fields: clickHouseFields(),
  functions: clickHouseFunctions(),
  tableFunctions: new Map([
    ["unnest", arrayRows],
    ["generate_series", seriesRows],
    ["string_to_table", splitRows],
    ["regexp_split_to_table", matchedRows],
    ...JSON_ROWS,
  ]),
  window: plainWindow,
  aliasesCapture: true,
  keys: { keyOf, sortOf },
  item,
  join: withEquality,
  setOperation,
  rowsOfValues: setOperation,
  statement: (statement) => {
    const survey = surveyOf(statement);
    const { joins, hasTableFunctions } = survey;
    const answered = withDocuments(withCrossedJoins(withKeptConstants(statement, joins), joins));
    refuseUnknown(answered, answered === statement ? survey : surveyOf(answered));
    return unsignedCounts(hasTableFunctions ? withArrayJoins(answered) : answered);
  },
});
