import { unsupported } from "../../diagnostics.ts";
import {
  all,
  binary,
  call,
  columnOf,
  concatenation,
  exactName,
  integer,
  logical,
  not,
  queryOf,
  selectItem,
  selectOf,
  text,
  typed,
} from "../../syntax/build.ts";
import type {
  Binary,
  Call,
  Case,
  Collate,
  DerivedTable,
  Expression,
  InList,
  InQuery,
  Like,
  Quantified,
  Row,
} from "../../syntax/tree.ts";
import { BOOLEAN, TEXT } from "../../types.ts";
import { rejectUnknownType } from "../comparable.ts";
import { distinctnessBy } from "../distinctness.ts";
import { patternOf } from "../patterns/like-patterns.ts";
import { columnsAsKeys } from "../queries/keys.ts";
import { quantifiedWithoutArrays } from "../queries/quantified.ts";
import { caseOf, type ExactTexts, inListOf, isLiteral, isText, mayUseIndex, nullIfBy } from "./text-equality.ts";

/** Appended to a text to make its trailing blanks significant; not a blank. */
const END = ".";

const ROWS = "_r";

export function collated(operand: Expression, collation: string): Collate {
  const { span } = operand;
  return { kind: "collate", operand, collation: [exactName(collation, span)], span, type: TEXT };
}

export type PaddedTexts = ReturnType<typeof paddedTexts>;

/** How a target interprets LIKE. */
interface Patterns {
  /** Characters with a meaning in its patterns that they do not have in the standard's. */
  readonly special: string;
  /** Trailing blanks are ordinary characters, so that an index can be used for a prefix too. */
  readonly readsBlanks: boolean;
}

/** @param codePoints The collation that folds nothing except trailing blanks. */
export function paddedTexts(codePoints: string, { special, readsBlanks }: Patterns) {
  function exact(operand: Expression): Expression {
    return isText(operand) && operand.kind !== "collate" ? collated(operand, codePoints) : operand;
  }

  /** The key by which rows are distinguished, apart from trailing blanks (`padded-keys.ts`). */
  function textKey(expression: Expression): Expression {
    // The position of a constant (`binding/select.ts`).
    if (expression.kind === "number") return expression;
    rejectUnknownType(expression);
    return isLiteral(expression) ? expression : exact(expression);
  }

  /** A value whose `=` distinguishes all texts. */
  function sealed(expression: Expression): Expression {
    if (expression.kind === "string") return text(expression.value + END, expression);
    const operand = expression.kind === "collate" ? expression.operand : expression;
    if (!isText(operand)) return expression;
    return collated(concatenation(operand, text(END, operand), operand), codePoints);
  }

  /** Whether the key ignores trailing blanks. */
  function isUnsealed(key: Expression): boolean {
    if (key.kind !== "collate" || key.collation[0]?.name !== codePoints) return false;
    const { operand } = key;
    const last = operand.kind === "binary" && operand.operator === "||" ? operand.right : undefined;
    return !(last?.kind === "string" && last.value === END);
  }

  /** A value of a query that others are compared with. */
  function sealedKey(expression: Expression): Expression {
    rejectUnknownType(expression);
    return sealed(expression);
  }

  function equal(left: Expression, right: Expression, at: Expression): Expression {
    if (left.kind === "row" && right.kind === "row") {
      const pairs = left.elements.map((each, index) => equal(each, right.elements[index] ?? each, at));
      return logical("and", pairs, at);
    }
    rejectUnknownType(left);
    rejectUnknownType(right);
    const plain = binary(left, "=", right, typed(BOOLEAN, at));
    if (!isText(left) && !isText(right)) return plain;
    const same = binary(sealed(left), "=", sealed(right), typed(BOOLEAN, at));
    return mayUseIndex(left, right) ? logical("and", [plain, same], at) : same;
  }

  function equality({ operator, left, right, span, type }: Binary): Expression {
    const at = { kind: "null", span, ...(type && { type }) } as const;
    if (operator === "=") return equal(left, right, at);
    if (left.kind === "row" || right.kind === "row") return not(equal(left, right, at));
    rejectUnknownType(left);
    rejectUnknownType(right);
    return binary(sealed(left), "<>", sealed(right), typed(BOOLEAN, at));
  }

  /** `a < b` uses the order of the source's collation (docs/spec/language.md); operands that cannot be compared are refused. */
  function inequality(node: Binary): Expression | undefined {
    const { left, right } = node;
    if (left.kind === "row" && right.kind === "row") return rowInequality(node, left.elements, right.elements);
    for (const side of [left, right]) {
      if (side.kind === "row") throw unsupported(`${node.operator} of rows`, node.span, "Compare their members.");
      rejectUnknownType(side);
    }
    return undefined;
  }

  /** The first differing members decide. */
  function rowInequality(
    node: Binary,
    [left, ...lefts]: readonly Expression[],
    [right, ...rights]: readonly Expression[],
  ): Expression {
    if (left === undefined || right === undefined) return node;
    rejectUnknownType(left);
    rejectUnknownType(right);
    const isLast = lefts.length === 0;
    // Different texts may be equal in the collation's order.
    if (!isLast && isText(left)) throw unsupported(`${node.operator} of rows with a text before others`, node.span);
    const strict = node.operator === "<" || node.operator === "<=" ? "<" : ">";
    const first = binary(left, isLast ? node.operator : strict, right, typed(BOOLEAN, node));
    if (isLast) return first;
    return logical(
      "or",
      [first, logical("and", [equal(left, right, node), rowInequality(node, lefts, rights)], node)],
      node,
    );
  }

  const distinctness = (node: Binary): Expression =>
    distinctnessBy((left, right) => binary(sealedKey(left), "=", sealedKey(right), typed(BOOLEAN, node)))(node);

  function inList(node: InList): Expression | undefined {
    const { operand, list } = node;
    if (operand.kind === "row") {
      const any = logical(
        "or",
        list.map((each) => equal(operand, each, node)),
        node,
      );
      return node.negated ? not(any) : any;
    }
    return inListOf(node, SEALED);
  }

  function inQuery(node: InQuery): Expression {
    const { operand, query } = node;
    if (operand.kind === "row") return inRows(node, operand);
    return { ...node, operand: sealedKey(operand), query: { ...query, body: columnsAsKeys(query.body, sealedKey) } };
  }

  /** If unknown counts as false, only the existence of a row matters. */
  function inRows(node: InQuery, { elements }: Row): Expression {
    if (node.negated || node.onlyTruth !== true) {
      throw unsupported("IN over rows", node.span, "Write EXISTS with a condition for each member.");
    }
    const columns = elements.map((_, index) => exactName(`c${index + 1}`, node.span));
    const alias = { name: exactName(ROWS, node.span), columns };
    const table: DerivedTable = { kind: "derived", query: node.query, lateral: false, alias, span: node.span };
    const conditions = elements.map((each, index) =>
      equal(each, columnOf(ROWS, columns[index]?.name ?? "", { span: each.span, type: each.type }), node),
    );
    const one = selectItem(integer(1, node), undefined, node);
    const query = queryOf(selectOf({ items: [one], from: [table], where: all(conditions, node) }, node));
    return { kind: "exists", query, span: node.span, type: BOOLEAN };
  }

  /** `= ANY (query)`, and lists written as arrays. */
  function quantified(node: Quantified): Expression {
    if (node.operand.kind === "row") throw unsupported("ANY or ALL of rows", node.span, "Write EXISTS.");
    return quantifiedWithoutArrays(node, {
      keyOf: sealedKey,
      compare: (each) => (each.operator === "=" || each.operator === "<>" ? equality(each) : undefined),
    });
  }

  const SEALED: ExactTexts = { exact: sealed, keyOf: sealedKey };

  const exactCase = (node: Case): Expression | undefined => caseOf(node, SEALED);

  const nullIf = (node: Call): Expression | undefined => nullIfBy(node, (left, right) => equal(left, right, node));

  /** LIKE and ILIKE, in which trailing blanks are significant. */
  function like(node: Like): Expression {
    if (node.operator === "similar") throw unsupported("SIMILAR TO", node.span, "Use LIKE.");
    if (node.pattern.kind !== "string")
      throw unsupported("LIKE with a computed pattern", node.pattern.span, "Write the pattern as a literal.");
    const { pattern, escape } = patternOf(node, special);
    if (pattern.kind !== "string") throw new TypeError("a literal pattern stays one");
    const isFolded = node.operator === "ilike";
    const lower = (value: Expression): Expression => call("lower", [value], typed(TEXT, value));
    const operand = isFolded
      ? collated(lower(concatenation(node.operand, text(END, node), node)), codePoints)
      : sealed(node.operand);
    const ended = text(pattern.value + END, pattern);
    const same: Like = { ...node, operator: "like", operand, pattern: isFolded ? lower(ended) : ended, escape };
    const isPrefix = /^[^%_|]/.test(pattern.value);
    if (!readsBlanks || isFolded || node.negated || node.operand.kind !== "bound" || !isPrefix) return same;
    return logical("and", [{ ...node, operator: "like", pattern, escape }, same], node);
  }

  return {
    codePoints,
    exact,
    textKey,
    sealed,
    isUnsealed,
    equality,
    inequality,
    distinctness,
    inList,
    inQuery,
    quantified,
    exactCase,
    nullIf,
    like,
  };
}
