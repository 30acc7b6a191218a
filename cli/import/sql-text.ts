/** SQL of other tools: parsed by the parser of the input language before it enters a model. */
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { parseExpression } from "../../src/planner/syntax/parser.ts";
import type { Expression } from "../../src/planner/syntax/tree.ts";
import { walk } from "../../src/planner/syntax/walk.ts";
import { typeOfName } from "../../src/planner/types.ts";

/** A text that cannot be mapped, with the reason as a sentence. */
export class Unmapped extends Error {
  override readonly name = "Unmapped";
}

const TEMPLATE = /\{\{|\{%|\$\{|\{#/;
const COMMENT = /^(?:[^'"]|'(?:[^']|'')*'|"(?:[^"]|"")*")*?(?:--|\/\*)/;
/** Longer texts are no expressions that a person wrote. */
const LONGEST = 20_000;

export interface ColumnMention {
  readonly parts: readonly string[];
  readonly start: number;
  readonly end: number;
}

/**
 * The tree of an expression. Throws `Unmapped` for templates, comments, subqueries, window functions, whose value depends on the rows
 * that a question filters, and what the parser does not read.
 */
export function expressionIn(text: string): Expression {
  if (TEMPLATE.test(text)) throw new Unmapped("A template is not evaluated.");
  if (text.length > LONGEST) throw new Unmapped(`The expression is longer than ${LONGEST} characters.`);
  if (COMMENT.test(text)) throw new Unmapped("The expression holds a comment.");
  let tree: Expression;
  try {
    tree = parseExpression(text, { limits: DEFAULT_LIMITS });
  } catch (error) {
    throw new Unmapped(`The expression cannot be parsed: ${error instanceof Error ? error.message : error}`);
  }
  let hasQuery = false;
  let hasWindow = false;
  walk(tree, (node) => {
    if (node.kind === "query") hasQuery = true;
    if (node.kind === "call" && node.over !== undefined) hasWindow = true;
    return true;
  });
  if (hasWindow) throw new Unmapped("The expression holds a window function.");
  if (hasQuery) throw new Unmapped("The expression holds a subquery.");
  return tree;
}

/** Columns that an expression names, in the order of the text. */
export function columnsIn(tree: Expression): readonly ColumnMention[] {
  const found: ColumnMention[] = [];
  walk(tree, (node) => {
    if (node.kind === "column") {
      const { start, end } = node.span;
      found.push({ parts: node.parts.map(({ name }) => name), start, end });
    }
    return true;
  });
  return found.toSorted((a, b) => a.start - b.start);
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with replaced parts, which do not overlap; insertions at one place keep their order. */
export function edited(text: string, edits: readonly Edit[]): string {
  const sorted = edits.map((edit, at) => ({ ...edit, at })).toSorted((a, b) => b.start - a.start || b.at - a.at);
  let result = text;
  for (const { start, end, text: replacement } of sorted) {
    result = result.slice(0, start) + replacement + result.slice(end);
  }
  return result;
}

/** Sources on which the quotient of two integers is an integer, as in the input language. */
const INTEGER_QUOTIENT: ReadonlySet<DataSource> = new Set([
  "postgres",
  "redshift",
  "trino",
  "athena",
  "mssql",
  "canner",
] as const);
/** Sources on which it is a double. */
const DOUBLE_QUOTIENT: ReadonlySet<DataSource> = new Set([
  "duckdb",
  "local_file",
  "s3_file",
  "minio_file",
  "gcs_file",
  "bigquery",
  "clickhouse",
  "databricks",
  "spark",
] as const);

/** Edits that give quotients of the input language the value that the source gives them. Throws `Unmapped`. */
export function quotientEdits(tree: Expression, source: DataSource): readonly Edit[] {
  if (INTEGER_QUOTIENT.has(source)) return [];
  const edits: Edit[] = [];
  walk(tree, (node) => {
    if (node.kind !== "binary" || node.operator !== "/" || isDouble(node.left) || isDouble(node.right)) return true;
    if (!DOUBLE_QUOTIENT.has(source)) {
      throw new Unmapped(
        `A quotient of ${source} has other digits than one of the input language: cast an operand to DOUBLE.`,
      );
    }
    const { start, end } = node.left.span;
    edits.push({ start, end: start, text: "CAST(" }, { start: end, end, text: " AS DOUBLE PRECISION)" });
    return true;
  });
  return edits;
}

/** A quotient with a double is a double on every source. */
const isDouble = (node: Expression): boolean => node.kind === "cast" && typeOfName(node.typeName).kind === "float";
