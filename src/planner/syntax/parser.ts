/** Text to tree: the entry point of lexer and grammar. */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import { parseCall } from "./calls.ts";
import { Cursor, type Grammar } from "./cursor.ts";
import { nearestKeyword } from "./hints.ts";
import { lex } from "./lexer.ts";
import {
  continueExpression,
  parseExpression as parseExpressionAt,
  parseOperators,
  parseRestricted,
} from "./operators.ts";
import type { Parameters } from "./parameters.ts";
import { parsePrimary } from "./primaries.ts";
import { continueQuery, parseQuery as parseQueryAt } from "./queries.ts";
import { refuseClause, refuseStatement } from "./statements.ts";
import { parseTableExpression } from "./tables.ts";
import type { Expression, Query, TypeName } from "./tree.ts";
import { parseTypeName as parseTypeNameAt } from "./type-names.ts";

export interface ParseOptions {
  readonly limits: PlannerLimits;
  /** Accept `@name` (row rules only). */
  readonly sessionProperties?: boolean;
  /** Values for `$1` …; without them the text may not have any. */
  readonly parameters?: Parameters | undefined;
}

const GRAMMAR: Grammar = {
  parseExpression: parseExpressionAt,
  parseOperators,
  parseRestricted,
  parsePrimary,
  parseCall,
  continueExpression,
  parseQuery: parseQueryAt,
  continueQuery,
  parseTableExpression,
  parseTypeName: parseTypeNameAt,
};

/**
 * The one query that `text` holds; semicolons and comments around it are ignored.
 * @throws PlannerError SYNTAX, SEVERAL_STATEMENTS, UNSUPPORTED_STATEMENT, LIMIT_DEPTH, LIMIT_SIZE
 */
export function parseQuery(text: string, options: ParseOptions): Query {
  const cursor = open(text, options);
  while (cursor.accept(";")) {
    // Empty statements in front of the query.
  }
  refuseNonQuery(cursor);
  const query = parseQueryAt(cursor);
  if (cursor.kind === ";") {
    while (cursor.accept(";")) {
      // Empty statements behind the query.
    }
    if (!cursor.at("$end")) {
      throw new PlannerError("SEVERAL_STATEMENTS", "the text holds more than one statement", {
        span: cursor.tokenSpan(),
        hint: "Send one query at a time.",
      });
    }
  }
  if (!cursor.at("$end")) {
    refuseClause(cursor);
    cursor.expected("a clause such as WHERE, or the end of the query");
  }
  return query;
}

/**
 * A whole text as one expression: calculated columns, conditions, values of session properties.
 * @throws PlannerError SYNTAX, LIMIT_DEPTH, LIMIT_SIZE
 */
export function parseExpression(text: string, options: ParseOptions): Expression {
  const cursor = open(text, options);
  if (cursor.kind === "$end") {
    cursor.fail("the expression is empty");
  }
  const expression = parseExpressionAt(cursor);
  if (cursor.kind !== "$end") {
    cursor.expected("the end of the expression");
  }
  return expression;
}

/**
 * A whole text as one type name, as manifests and catalogues write them.
 * @throws PlannerError SYNTAX, LIMIT_DEPTH, LIMIT_SIZE
 */
export function parseTypeName(text: string, limits: PlannerLimits): TypeName {
  const cursor = open(text, { limits });
  const typeName = parseTypeNameAt(cursor);
  if (cursor.kind !== "$end") {
    cursor.expected("the end of the type name");
  }
  return typeName;
}

function open(text: string, options: ParseOptions): Cursor {
  const tokens = lex(text, { limits: options.limits, sessionProperties: options.sessionProperties ?? false });
  return new Cursor(tokens, GRAMMAR, options.limits, options.parameters);
}

const FIRST_WORDS = ["select", "with", "values"];

function refuseNonQuery(cursor: Cursor): void {
  switch (cursor.kind) {
    case "select":
    case "with":
    case "values":
    case "table":
    case "(":
      return;
    case "$end":
      cursor.fail("the text holds no query", "Write a query that begins with SELECT.");
      break;
    default: {
      refuseStatement(cursor);
      const near = cursor.kind === "$identifier" ? nearestKeyword(cursor.word.toLowerCase(), FIRST_WORDS) : undefined;
      cursor.expected("SELECT, WITH or VALUES", near === undefined ? undefined : `Did you mean ${near.toUpperCase()}?`);
    }
  }
}
