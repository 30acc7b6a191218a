/**
 * Tree to text: one line, single blanks, parentheses derived from the tree.
 *
 * One function per kind of node prints it. The functions are in a dialect's table: the input language has all of them,
 * another dialect lists only the ones that differ (`dialects/input.ts`).
 */
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS, type PlannerLimits } from "../limits.ts";
import { countNode, countStep, workingAt } from "../plan-budget.ts";
import type { LexicalRules } from "./lexical-rules.ts";
import { LEVEL, type OperatorLevels, operatorLevels } from "./precedence.ts";
import { type Quoted, quotedName, quotedString } from "./quoting.ts";
import type {
  BinaryOperator,
  Expression,
  GroupingElement,
  Identifier,
  Query,
  QueryBody,
  SelectItem,
  SortItem,
  Span,
  Spelled,
  TableAlias,
  TableExpression,
  TypeName,
  Window,
  With,
} from "./tree.ts";

type KindOf<Node extends { readonly kind: string }> = { readonly [N in Node as N["kind"]]: N };

/** Every part that a dialect can print in its own way, by kind; parts without a kind get a name in this type. */
export interface Printable
  extends KindOf<Expression>,
    KindOf<QueryBody>,
    KindOf<TableExpression>,
    KindOf<SelectItem>,
    KindOf<Query> {
  readonly with: With;
  readonly sort: SortItem;
  readonly window: Window;
  readonly grouping: GroupingElement;
  /** LIMIT and OFFSET of a query, with a blank before each. */
  readonly limit: Query;
  readonly type: TypeName;
  /** The alias of a table, with the text before it. */
  readonly alias: TableAlias;
}

export type NodePrinter<K extends keyof Printable> = (printer: Printer, node: Printable[K]) => void;

export type NodePrinters = { readonly [K in keyof Printable]: NodePrinter<K> };

/** Another name of a function, or a printer of the whole call. */
export type FunctionSpelling = string | NodePrinter<"call">;

/** The printing rules of a SQL dialect. Make one with `defineDialect`. */
export interface PrintDialect {
  readonly name: string;
  /** Rules for names and strings. */
  readonly lexical: LexicalRules;
  /** Whether a name must be quoted to keep its meaning. */
  readonly needsQuotes: (name: string, wasQuoted: boolean) => boolean;
  readonly booleans: readonly [whenFalse: string, whenTrue: string];
  /** IGNORE NULLS is printed after the parentheses of the call, or inside them. */
  readonly nullTreatment: "behind" | "inside";
  /** Calls by lower-case name without schema. */
  readonly functions: ReadonlyMap<string, FunctionSpelling>;
  /** Operators with another spelling, or printed in another form. */
  readonly operators: { readonly [operator in BinaryOperator]?: string | NodePrinter<"binary"> };
  /** Types by the lower-case name of the tree: another name, or a printer of the whole type. */
  readonly types: { readonly [name: string]: string | NodePrinter<"type"> };
  /** Operators with another precedence than in PostgreSQL, and EXISTS. */
  readonly levels: { readonly [operator in BinaryOperator | "exists"]?: OperatorLevels };
  /** The printer of each kind of node. */
  readonly printers: NodePrinters;
}

export interface PrintOptions {
  /** The printer allows a multiple of this depth: expansion wraps the caller's nested query in tables and rules. */
  readonly limits?: PlannerLimits;
  /**
   * Filled with ascending triples (offset in the printed text, start, end). The text from the offset to the next triple
   * comes from that span of the caller's SQL. An empty span (start = end) marks text that the caller did not write.
   */
  readonly origins?: number[];
  /** Filled with the positions of native SQL texts, in their order. */
  readonly sourceTexts?: SourceText[];
}

/** Native SQL from `start` to `end` of the printed text. */
export interface SourceText extends Span {
  /** Origin of the text: `column "x" of model "m"`, `refSql of model "m"`. */
  readonly owner: string;
}

const DEPTH_FACTOR = 2;

/** A generous multiple of the caller's SQL and the manifest's additions. */
const MAX_OUTPUT_LENGTH = 16 * 1024 * 1024;

/**
 * The text of a query in a dialect.
 * @throws PlannerError LIMIT_DEPTH, and UNSUPPORTED_ON_SOURCE for names and strings that no SQL text can hold
 */
export function print(query: Query, dialect: PrintDialect, options: PrintOptions = {}): string {
  const printer = new Printer(dialect, options, countNode);
  printer.query(query);
  return printer.finish();
}

/** The text of one expression in a dialect; errors as `print`. */
export function printExpression(expression: Expression, dialect: PrintDialect, options: PrintOptions = {}): string {
  const printer = new Printer(dialect, options);
  printer.expression(expression);
  return printer.finish();
}

/** The entry of a dialect's table for a caller's word; never a property that objects inherit. */
export function entryOf<T>(table: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

const NOWHERE: Span = { start: 0, end: 0 };

export class Printer {
  readonly dialect: PrintDialect;
  #output = "";
  #depth = 0;
  readonly #maxDepth: number;
  readonly #origins: number[] | undefined;
  readonly #sourceTexts: SourceText[] | undefined;
  #origin: Span = NOWHERE;
  readonly #count: () => void;

  /** `count` is called for each node. */
  constructor(dialect: PrintDialect, options: PrintOptions, count = countStep) {
    this.#count = count;
    this.dialect = dialect;
    this.#maxDepth = DEPTH_FACTOR * (options.limits ?? DEFAULT_LIMITS).depth;
    this.#origins = options.origins;
    this.#sourceTexts = options.sourceTexts;
  }

  /** Returns the whole text. Drops origins noted for text that never followed. */
  finish(): string {
    const origins = this.#origins;
    const output = this.#output;
    if (origins !== undefined && origins[origins.length - 3] === output.length) {
      // A shorter `length` would copy the array.
      for (let i = 0; i < 3; i++) origins.pop();
    }
    return output;
  }

  // ------------------------------------------------------------------------------------------------ text

  /**
   * Appends text unchanged: keywords, signs and blanks. Names, strings and all text of a caller have methods of their
   * own.
   */
  write(text: string): void {
    this.#output += text;
    if (this.#output.length > MAX_OUTPUT_LENGTH) {
      throw new PlannerError("LIMIT_SIZE", `the planned SQL is longer than ${MAX_OUTPUT_LENGTH} characters`);
    }
  }

  /** Native SQL, in parentheses. */
  sourceText({ text, owner }: { readonly text: string; readonly owner: string | undefined }): void {
    const start = this.#output.length;
    this.write(`(${text})`);
    if (owner !== undefined) this.#sourceTexts?.push({ start, end: this.#output.length, owner });
  }

  name({ name, quoted, span }: Identifier): void {
    this.write(this.dialect.needsQuotes(name, quoted) ? this.quoted(name, span) : name);
  }

  /** A name chosen by the planner, with its case. */
  exactName(name: string, span: Span): void {
    this.write(this.dialect.needsQuotes(name, true) ? this.quoted(name, span) : name);
  }

  /** `a.b.c`. */
  path(names: readonly Identifier[]): void {
    names.forEach((name, index) => {
      if (index > 0) {
        this.write(".");
      }
      this.name(name);
    });
  }

  /** `(a, b)`. */
  nameList(names: readonly Identifier[]): void {
    this.write("(");
    this.each(names, (name) => this.name(name));
    this.write(")");
  }

  /** The name between the dialect's quotes. */
  quoted(name: string, span: Span): string {
    return this.#said(quotedName(name, this.dialect.lexical), "a name", span);
  }

  string(value: string, span: Span = this.#origin): void {
    this.write(this.#said(quotedString(value, this.dialect.lexical), "a string", span));
  }

  #said(quoted: Quoted, subject: string, span: Span): string {
    if ("text" in quoted) return quoted.text;
    const details = span.end > span.start ? { span } : {};
    throw new PlannerError("UNSUPPORTED_ON_SOURCE", `${subject} with ${quoted.unsayable}`, details);
  }

  // ----------------------------------------------------------------------------------------------- nodes

  /** An expression; in parentheses when it binds looser than `level`. */
  expression(node: Expression, level: number = LEVEL.or): void {
    const outer = this.#enter(node.span);
    if (level > LEVEL.or && this.levelOf(node) < level) {
      this.write("(");
      this.dispatch(node.kind, node);
      this.write(")");
    } else {
      this.dispatch(node.kind, node);
    }
    this.#leave(outer);
  }

  expressions(nodes: readonly Expression[]): void {
    this.each(nodes, (node) => this.expression(node));
  }

  query(node: Query): void {
    const outer = this.#enter(node.span);
    this.dispatch("query", node);
    this.#leave(outer);
  }

  /** A query in parentheses. */
  subquery(node: Query): void {
    this.write("(");
    this.query(node);
    this.write(")");
  }

  body(node: QueryBody): void {
    const outer = this.#enter(node.span);
    this.dispatch(node.kind, node);
    this.#leave(outer);
  }

  table(node: TableExpression): void {
    const outer = this.#enter(node.span);
    this.dispatch(node.kind, node);
    this.#leave(outer);
  }

  item(node: SelectItem): void {
    const outer = this.#enter(node.span);
    this.dispatch(node.kind, node);
    this.#leave(outer);
  }

  type(node: TypeName): void {
    this.dispatch("type", node);
  }

  window(node: Window): void {
    const outer = this.#enter(node.span);
    this.dispatch("window", node);
    this.#leave(outer);
  }

  sortItem(node: SortItem): void {
    const outer = this.#enter(node.span);
    this.dispatch("sort", node);
    this.#leave(outer);
  }

  /** ` ORDER BY …` with a blank in front, or nothing. */
  orderBy(items: readonly SortItem[], before = " "): void {
    if (items.length > 0) {
      this.write(`${before}ORDER BY `);
      this.each(items, (item) => this.sortItem(item));
    }
  }

  /** Elements separated by commas. */
  each<T>(list: readonly T[], printElement: (element: T) => void): void {
    let first = true;
    for (const element of list) {
      if (first) {
        first = false;
      } else {
        this.write(", ");
      }
      printElement(element);
    }
  }

  /** Calls the dialect's printer for the node's kind. */
  dispatch<K extends keyof Printable>(kind: K, node: Printable[K]): void {
    this.dialect.printers[kind](this, node);
  }

  // ---------------------------------------------------------------------------------------------- levels

  /** How tightly the text of an expression binds in this dialect. */
  levelOf(node: Expression): number {
    switch (node.kind) {
      case "logical":
        return node.operator === "or" ? LEVEL.or : LEVEL.and;
      case "binary":
        return this.operatorLevels(node.operator).self;
      case "unary":
        return node.operator === "not" ? LEVEL.not : node.operator === "~" ? LEVEL.operator : LEVEL.sign;
      case "is":
        return LEVEL.is;
      case "quantified":
        return LEVEL.comparison;
      case "exists":
        return this.dialect.levels.exists?.self ?? LEVEL.primary;
      case "like":
      case "between":
      case "in-list":
      case "in-query":
        return LEVEL.range;
      case "at-time-zone":
        return LEVEL.atTimeZone;
      case "collate":
        return LEVEL.collate;
      case "spelled":
        return this.#levelOfSpelled(node);
      case "number":
        return node.text.startsWith("-") ? LEVEL.sign : LEVEL.primary;
      default:
        return LEVEL.primary;
    }
  }

  /** A template that is nothing but a part binds as the part does. */
  #levelOfSpelled({ template, parts }: Spelled): number {
    if (template.tree !== undefined) return this.levelOf(template.tree);
    const [piece, ...others] = template.pieces;
    const part =
      typeof piece === "object" && piece.part !== "all" && others.length === 0 ? parts[piece.part] : undefined;
    return part === undefined ? LEVEL.primary : this.levelOf(part);
  }

  operatorLevels(operator: BinaryOperator): OperatorLevels {
    return this.dialect.levels[operator] ?? operatorLevels(operator);
  }

  // -------------------------------------------------------------------------------------- depth and origins

  #enter(span: Span): Span {
    if (span.end > span.start) workingAt(span);
    this.#count();
    if (++this.#depth > this.#maxDepth) {
      const place = span.end > span.start ? span : this.#origin;
      throw new PlannerError("LIMIT_DEPTH", `the planned SQL is nested deeper than ${this.#maxDepth} levels`, {
        ...(place.end > place.start ? { span: place } : {}),
      });
    }
    const outer = this.#origin;
    if (this.#origins !== undefined && span.end > span.start) {
      this.#markOrigin(span);
    }
    return outer;
  }

  #leave(outer: Span): void {
    this.#depth--;
    if (this.#origins !== undefined && this.#origin !== outer) {
      this.#markOrigin(outer);
    }
  }

  #markOrigin(span: Span): void {
    this.#origin = span;
    const origins = this.#origins ?? [];
    const offset = this.#output.length;
    const last = origins.length - 3;
    if (last >= 0 && origins[last] === offset) {
      origins[last + 1] = span.start;
      origins[last + 2] = span.end;
    } else if (last < 0 || origins[last + 1] !== span.start || origins[last + 2] !== span.end) {
      origins.push(offset, span.start, span.end);
    }
  }
}
