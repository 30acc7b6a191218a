/**
 * Whether a text is a query of T-SQL, as an ANTLR grammar that shares nothing with the planner says (npm `antlr4ts-sql`, which `npm
 * run engines` installs), and by some rules that SQL Server has and the grammar has not. Of 43 valid probes it refuses 2, of 66
 * invalid ones it accepts 4; ShardingSphere's grammar (5.5.2) 11 and 23, sqlc's `teesql` (1.1) 4 and 22.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Grammar } from "../unexecuted/grammar.ts";

const DIRECTORY = fileURLToPath(new URL("../../../.siskin/tsql/", import.meta.url));

interface Position {
  readonly startIndex: number;
}

/** A rule of the grammar with what it is made of, or a word. */
interface TreeNode {
  readonly children?: readonly TreeNode[];
  readonly start?: Position;
  /** For a single word. */
  readonly symbol?: Position;
}

interface Listener {
  readonly syntaxError: (recognizer: unknown, symbol: unknown, line: number, column: number, message: string) => void;
}

interface Recognizer {
  removeErrorListeners(): void;
  addErrorListener(listener: Listener): void;
}

interface TSqlParser extends Recognizer {
  errorHandler: object;
  tsql_file(): TreeNode;
}

interface Antlr4tsSql {
  readonly CharStreams: { fromString(text: string): object };
  readonly CommonTokenStream: new (lexer: Recognizer) => object;
  /** Stops at the first mistake: to look for what else could have stood there takes seconds. */
  readonly BailErrorStrategy: new () => object;
  readonly TSqlLexer: new (characters: object) => Recognizer;
  readonly TSQLGrammar: { readonly TSqlParser: new (tokens: object) => TSqlParser };
}

export const T_SQL: Grammar = {
  isThere: () => existsSync(`${DIRECTORY}node_modules/antlr4ts-sql`),
  open: () => {
    const antlr = createRequire(DIRECTORY)("antlr4ts-sql") as Antlr4tsSql;
    return (statements) =>
      statements.map((sql) => {
        const text = withoutQuotes(sql);
        const operator = /::|\|\|/.exec(text);
        if (operator !== null) return `the operator ${operator[0]}`;
        return faultOf(withPlainGroups(text).toUpperCase(), antlr);
      });
  },
};

function faultOf(text: string, antlr: Antlr4tsSql): string | undefined {
  let fault: string | undefined;
  const listener: Listener = {
    syntaxError: (_recognizer, _symbol, _line, column, message) => {
      fault ??= `${message} at: ${text.slice(column, column + 80)}`;
    },
  };
  const listened = <R extends Recognizer>(recognizer: R): R => {
    recognizer.removeErrorListeners();
    recognizer.addErrorListener(listener);
    return recognizer;
  };
  const lexer = listened(new antlr.TSqlLexer(antlr.CharStreams.fromString(text)));
  const parser = listened(new antlr.TSQLGrammar.TSqlParser(new antlr.CommonTokenStream(lexer)));
  parser.errorHandler = new antlr.BailErrorStrategy();
  try {
    return fault ?? ruleBroken(parser.tsql_file(), text);
  } catch (error) {
    return fault ?? `no query: ${error instanceof Error ? error.message : error}`;
  }
}

/** Replaces quoted text with other quoted text of the same length: its content is ignored. */
function withoutQuotes(sql: string): string {
  return sql.replace(
    /(N?')(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]/g,
    (quoted: string, open = "[") => open + "x".repeat(quoted.length - open.length - 1) + quoted.slice(-1),
  );
}

/**
 * The grammar knows no key of several columns and no empty key: in their place it gets one that it knows.
 * https://learn.microsoft.com/en-us/sql/t-sql/queries/select-group-by-transact-sql
 */
function withPlainGroups(text: string): string {
  let plain = text.replace(/GROUP BY \(\)/g, "GROUP BY a");
  for (;;) {
    const found = /\b(?:GROUPING SETS|ROLLUP|CUBE) \((?!a\))/.exec(plain);
    if (found === null) return plain;
    const open = found.index + found[0].length - 1;
    plain = `${plain.slice(0, found.index)}ROLLUP (a)${plain.slice(closeOf(plain, open) + 1)}`;
  }
}

function closeOf(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === "(") depth++;
    else if (text[index] === ")" && --depth === 0) return index;
  }
  return text.length;
}

// --------------------------------------------------------------------------------- what the grammar does not ask for

const nameOf = (node: TreeNode): string => node.constructor.name.replace(/Context$/, "");

const part = (node: TreeNode, name: string): TreeNode | undefined =>
  node.children?.find((child) => nameOf(child) === name);

function wordAt(node: TreeNode | undefined, text: string): string {
  const start = (node?.symbol ?? node?.start)?.startIndex ?? text.length;
  return /^\w*/.exec(text.slice(start))?.[0] ?? "";
}

function ruleBroken(root: TreeNode, text: string): string | undefined {
  const statement = part(
    part(part(part(root, "Batch") ?? root, "Sql_clauses") ?? root, "Dml_clause") ?? root,
    "Select_statement_standalone",
  );
  if (statement === undefined) return "no SELECT";
  return brokenIn(statement, text, true);
}

function brokenIn(node: TreeNode, text: string, isOutermost: boolean): string | undefined {
  const broken = brokenAt(node, text, isOutermost);
  if (broken !== undefined) return broken;
  const stillOutermost = nameOf(node) === "Select_statement_standalone";
  for (const child of node.children ?? []) {
    const below = brokenIn(child, text, stillOutermost);
    if (below !== undefined) return below;
  }
  return undefined;
}

function brokenAt(node: TreeNode, text: string, isOutermost: boolean): string | undefined {
  switch (nameOf(node)) {
    // `INTERVAL '1 day'`, `DATE '2024-01-31'` and `ARRAY[1]` are columns with another name there.
    case "As_column_alias":
    case "As_table_alias":
      return wordAt(node, text) === "AS" ? undefined : `a name without AS: ${wordAt(node, text)}`;
    case "Table_source_item":
      return part(node, "Derived_table") === undefined || part(node, "As_table_alias") !== undefined
        ? undefined
        : "a table of a query without a name";
    // Error 1033.
    case "Select_statement":
      return !isOutermost && part(node, "Order_by_clause") !== undefined && !isLimited(node, text)
        ? "ORDER BY in a table of a query"
        : undefined;
    default:
      return undefined;
  }
}

function isLimited(statement: TreeNode, text: string): boolean {
  const order = part(statement, "Order_by_clause");
  const hasOffset = order?.children?.some((child) => wordAt(child, text) === "OFFSET") ?? false;
  const select = part(part(statement, "Query_expression") ?? statement, "Query_specification");
  return hasOffset || (select !== undefined && part(select, "Top_clause") !== undefined);
}
