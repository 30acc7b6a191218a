/** The parser's position in the tokens, the depth limits, and the errors raised at that position. */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import { describeToken, hintAt } from "./hints.ts";
import { keywordFacts } from "./keywords.ts";
import type { Parameters } from "./parameters.ts";
import type { TokenKind, Tokens } from "./tokens.ts";
import type { Call, Expression, Identifier, Query, Span, TableExpression, TypeName } from "./tree.ts";

/**
 * The parts of the grammar that need each other: expressions hold queries, queries hold expressions. Each file imports the
 * cursor only and reaches the others through it, so that no two files import each other.
 */
export interface Grammar {
  parseExpression(cursor: Cursor): Expression;
  /** An expression of operators that bind at least as tightly as `level`. */
  parseOperators(cursor: Cursor, level: number, restricted: boolean): Expression;
  /** An expression that ends before AND, IN and similar words (PostgreSQL's `b_expr`). */
  parseRestricted(cursor: Cursor): Expression;
  /** An operand with its subscripts, without the operators after it. */
  parsePrimary(cursor: Cursor): Expression;
  /** `content` is the content of parentheses that began at `start`; reads the operators after them. */
  /** Parses the call of a name that has been read, starting at "(". */
  parseCall(cursor: Cursor, start: number, name: readonly Identifier[]): Call;
  continueExpression(cursor: Cursor, start: number, content: Query | Expression[]): Expression;
  parseQuery(cursor: Cursor): Query;
  /** `left` is a query in parentheses that began at `start`; reads the set operations, ORDER BY and LIMIT after it. */
  continueQuery(cursor: Cursor, start: number, left: Query): Query;
  parseTableExpression(cursor: Cursor): TableExpression;
  parseTypeName(cursor: Cursor): TypeName;
}

export class Cursor {
  readonly tokens: Tokens;
  readonly grammar: Grammar;
  readonly parameters: Parameters | undefined;
  readonly #limits: PlannerLimits;
  /** Kind of the current token. */
  kind: TokenKind;
  #index = 0;
  #lastEnd = 0;
  #depth = 0;
  /**
   * The greatest depth of any node below the construct being read. A chain `a + b + c …` is read in a loop, but every
   * step makes the nodes read so far one level deeper; a recursive walker must handle that depth too.
   */
  #deepest = 0;

  constructor(tokens: Tokens, grammar: Grammar, limits: PlannerLimits, parameters?: Parameters) {
    this.tokens = tokens;
    this.grammar = grammar;
    this.#limits = limits;
    this.parameters = parameters;
    this.kind = tokens.kinds[0] ?? "$end";
  }

  // ---------------------------------------------------------------------------------------------- reading

  advance(): void {
    this.#lastEnd = this.end;
    this.#index++;
    this.kind = this.tokens.kinds[this.#index] ?? "$end";
  }

  /** The kind of a later (or earlier) token. */
  peek(distance: number): TokenKind {
    return this.tokens.kinds[this.#index + distance] ?? "$end";
  }

  /** `kind === …` where TypeScript has narrowed `kind` already: it does not see that `advance` changes it. */
  at(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  accept(kind: TokenKind): boolean {
    if (this.kind !== kind) {
      return false;
    }
    this.advance();
    return true;
  }

  /** Reads `kind`, or fails with "expected `what`". */
  expect(kind: TokenKind, what: string, hint?: string): void {
    if (this.kind !== kind) {
      this.expected(what, hint);
    }
    this.advance();
  }

  /** Reads the first half of `>>`, which the lexer takes for one operator in `array<array<int>>`. */
  splitAngle(): void {
    this.kind = ">";
    this.#lastEnd = this.start + 1;
  }

  /** Offset of the current token. */
  get start(): number {
    return this.tokens.starts[this.#index] ?? this.tokens.text.length;
  }

  /** End offset of the current token. */
  get end(): number {
    return this.tokens.ends[this.#index] ?? this.tokens.text.length;
  }

  /** Whether a blank or a comment follows the current token. */
  get isApart(): boolean {
    return this.end < (this.tokens.starts[this.#index + 1] ?? this.end);
  }

  /** The span from `start` to the end of the last token that was read. */
  spanFrom(start: number): Span {
    return { start, end: this.#lastEnd };
  }

  /** The span of a token: of the current one, or of one `distance` away. */
  tokenSpan(distance = 0): Span {
    const index = Math.max(0, this.#index + distance);
    return { start: this.tokens.starts[index] ?? 0, end: this.tokens.ends[index] ?? 0 };
  }

  /** Decoded value of the current string, number or quoted name. */
  get value(): string {
    return this.tokens.values[this.#index] ?? "";
  }

  /** The current token as written. */
  get word(): string {
    return this.tokens.text.slice(this.start, this.end);
  }

  /** A later token as written. */
  wordAt(distance: number): string {
    const index = this.#index + distance;
    return this.tokens.text.slice(this.tokens.starts[index], this.tokens.ends[index]);
  }

  /** True when the token at `distance` may name a column or a table. */
  isName(distance = 0): boolean {
    const kind = distance === 0 ? this.kind : this.peek(distance);
    if (kind === "$identifier" || kind === "$quoted") {
      return true;
    }
    const found = keywordFacts(kind)?.keywordClass;
    return found === "unreserved" || found === "column";
  }

  /** True when the token at `distance` may name a function or its parameter. */
  isFunctionName(distance = 0): boolean {
    return this.isName(distance) || keywordFacts(this.peek(distance))?.keywordClass === "type";
  }

  /** True when the token at `distance` may be a label, where any word is a name: after AS and after a dot. */
  isLabel(distance = 0): boolean {
    const kind = this.peek(distance);
    return kind === "$identifier" || kind === "$quoted" || keywordFacts(kind) !== undefined;
  }

  /** Reads the name of a column or a table; `what` describes the name in the error. */
  name(what: string): Identifier {
    if (!this.isName()) {
      this.#expectedName(what);
    }
    return this.readIdentifier();
  }

  /** Reads a name where any word is allowed (after AS and after a dot). */
  label(what: string): Identifier {
    if (!this.isLabel()) {
      this.#expectedName(what);
    }
    return this.readIdentifier();
  }

  /** The current token as a name; the caller has looked at its kind. */
  readIdentifier(): Identifier {
    const quoted = this.kind === "$quoted";
    const name = quoted ? this.value : this.word;
    const span = this.tokenSpan();
    if (name.length > this.#limits.identifierLength) {
      throw new PlannerError("LIMIT_SIZE", `a name of more than ${this.#limits.identifierLength} characters`, { span });
    }
    this.advance();
    return { span, name, quoted };
  }

  /** `"(" name {"," name} ")"`. */
  nameList(what: string): Identifier[] {
    this.expect("(", "'('");
    const names = [this.name(what)];
    while (this.accept(",")) {
      names.push(this.name(what));
    }
    this.expect(")", `',' or ')' after ${what}`);
    return names;
  }

  // ---------------------------------------------------------------------------------------------- depth

  /** Begins a nested construct; the result goes to `leave`. */
  enter(): number {
    const outer = this.#deepest;
    this.#deepest = ++this.#depth;
    if (this.#depth > this.#limits.depth) {
      this.#tooDeep();
    }
    return outer;
  }

  leave(outer: number): void {
    this.#depth--;
    if (outer > this.#deepest) {
      this.#deepest = outer;
    }
  }

  /** Makes the nodes read so far the child of a new node, one level deeper. */
  wrap(): void {
    if (++this.#deepest > this.#limits.depth) {
      this.#tooDeep();
    }
  }

  /** Rejects lists that add no depth to the tree but are longer than any sensible text (`a.b.c.d…`). */
  refuseLongerThanDepth(length: number): void {
    if (length > this.#limits.depth) {
      this.#tooDeep();
    }
  }

  #tooDeep(): never {
    throw new PlannerError("LIMIT_DEPTH", `the SQL is nested deeper than ${this.#limits.depth} levels`, {
      span: this.tokenSpan(),
      hint: "Long chains of operators count as nesting; IN (…), VALUES and chains of AND or OR do not.",
    });
  }

  // ---------------------------------------------------------------------------------------------- errors

  /** Fails: `what` was expected at the current token. */
  expected(what: string, hint?: string): never {
    const { kinds, fault } = this.tokens;
    if (fault !== undefined && kinds[this.#index] === "$fault") {
      throw fault;
    }
    this.fail(
      `expected ${what}, found ${describeToken(this.tokens, this.#index)}`,
      hint ?? hintAt(this.tokens, this.#index, what),
    );
  }

  /** Fails with the given message, at the current token or at `span`. */
  fail(message: string, hint?: string, span: Span = this.tokenSpan()): never {
    throw new PlannerError("SYNTAX", message, hint === undefined ? { span } : { span, hint });
  }

  #expectedName(what: string): never {
    const surplusComma = this.peek(-1) === ",";
    const reserved = !surplusComma && keywordFacts(this.kind) !== undefined;
    this.expected(
      what,
      reserved ? `${this.word} is a reserved word; as a name it needs quotes: "${this.word}".` : undefined,
    );
  }
}
