/**
 * Finds the tables that a query reads from its keywords and brackets alone. The text is in a dialect without a parser,
 * and everything other than tables is copied unchanged.
 *
 * A table follows FROM, JOIN, APPLY or a comma of FROM. FROM is a clause only if its level of brackets has a SELECT,
 * which excludes `extract(year FROM day)`.
 */
import { PlannerError } from "../diagnostics.ts";
import type { PlannerLimits } from "../limits.ts";
import type { LexicalRules } from "../syntax/lexical-rules.ts";
import { syntaxFault } from "../syntax/syntax-fault.ts";
import { matchBrackets } from "./brackets.ts";
import { readCommonTables } from "./common-tables.ts";
import { CommonTables, foldName, type NamePart, SelectBlock } from "./names.ts";
import { readTable, type TableReading } from "./table-reading.ts";
import { TokenCursor } from "./token-cursor.ts";
import type { Token } from "./tokens.ts";

/** A table, from its first to behind its last token, alias included. */
export interface FoundTable extends TableReading {
  /** `TABLE orders`: the keyword is part of what was read. */
  readonly statement: boolean;
}

/** A column's qualifier that repeats a table's path, to be replaced by the table's last name. */
export interface FoundQualifier {
  readonly from: number;
  readonly to: number;
  readonly table: string;
}

export interface FoundReferences {
  readonly tables: readonly FoundTable[];
  readonly qualifiers: readonly FoundQualifier[];
}

/**
 * `tokens` without comments. Indexes in the result are of these tokens.
 * @throws PlannerError SYNTAX, SEVERAL_STATEMENTS, UNSUPPORTED_STATEMENT, LIMIT_DEPTH
 */
export function findTables(tokens: readonly Token[], rules: LexicalRules, limits: PlannerLimits): FoundReferences {
  const cursor = new TokenCursor(tokens, matchBrackets(tokens, limits.depth));
  refuseNonQuery(cursor, rules);
  const finder = new TableFinder(cursor, rules);
  finder.level("query", new CommonTables(undefined), undefined);
  return finder.references();
}

function refuseNonQuery(cursor: TokenCursor, rules: LexicalRules): void {
  let at = 0;
  while (cursor.sign(at) === "(") at++;
  const first = cursor.word(at);
  if (rules.queryWords.includes(first)) return;
  const token = cursor.at(at);
  if (token === undefined) throw syntaxFault("the text holds no query", 0, 0, "write SELECT …");
  if (WRITING.has(first)) throw notAQuery(token);
  throw syntaxFault(`a query does not begin with ${token.text.slice(0, 40)}`, token.start, token.end, "write SELECT …");
}

function notAQuery(token: Token): PlannerError {
  return new PlannerError("UNSUPPORTED_STATEMENT", `${token.text.toUpperCase()} is not a query`, {
    span: token,
    hint: "Only queries can be turned into SQL over models.",
  });
}

const WRITING: ReadonlySet<string> = new Set(
  (
    "insert update delete merge replace truncate create alter drop grant revoke call exec execute explain describe show " +
    "set use begin commit rollback copy load unload vacuum analyze refresh declare do lock optimize rename table"
  ).split(" "),
);

/**
 * Words that may follow UNION, INTERSECT, EXCEPT and MINUS; before anything else these are names or parts of `* EXCEPT
 * (…)`.
 */
const AFTER_SET_OPERATOR: ReadonlySet<string> = new Set([
  "select",
  "with",
  "values",
  "table",
  "from",
  "all",
  "distinct",
]);

/** Clauses after FROM in which no table occurs outside brackets. */
const BEHIND_FROM: ReadonlySet<string> = new Set(
  "where group having order limit offset fetch window qualify for option connect start".split(" "),
);

/** More clauses after FROM, for sources where the words are not plain names. */
const BEHIND_FROM_HERE: ReadonlySet<string> = new Set(
  "prewhere settings format cluster distribute sort match_condition".split(" "),
);

class TableFinder {
  readonly #cursor: TokenCursor;
  readonly #rules: LexicalRules;
  readonly #tables: FoundTable[] = [];
  readonly #paths: { readonly from: number; readonly parts: readonly NamePart[]; readonly block: SelectBlock }[] = [];

  constructor(cursor: TokenCursor, rules: LexicalRules) {
    this.#cursor = cursor;
    this.#rules = rules;
  }

  /** The references found; qualifiers are judged last, because SELECT precedes its FROM. */
  references(): FoundReferences {
    const qualifiers = this.#paths.flatMap(({ from, parts, block }) => {
      const table = block.tableOf(parts);
      return table === undefined ? [] : [{ from, to: from + 2 * parts.length - 1, table }];
    });
    return { tables: this.#tables, qualifiers };
  }

  /** One level of brackets, or the whole text. `query`: it may be one; `tables`: it is in table position. */
  level(kind: "query" | "tables", outerTables: CommonTables, outerBlock: SelectBlock | undefined): void {
    new Level(this, this.#cursor, this.#rules, { kind, outerTables, outerBlock }).read();
  }

  addTable(table: FoundTable): void {
    this.#tables.push(table);
  }

  addPath(from: number, parts: readonly NamePart[], block: SelectBlock): void {
    this.#paths.push({ from, parts, block });
  }
}

interface LevelOptions {
  readonly kind: "query" | "tables";
  readonly outerTables: CommonTables;
  readonly outerBlock: SelectBlock | undefined;
}

class Level {
  readonly #finder: TableFinder;
  readonly #cursor: TokenCursor;
  readonly #rules: LexicalRules;
  readonly #outerBlock: SelectBlock | undefined;
  readonly #commonTables: CommonTables;
  #block: SelectBlock;
  /** `start`: no SELECT yet; `behind`: past FROM. */
  #clause: "start" | "select" | "from" | "behind";
  #expectsTable: boolean;
  /** The token that a query of this level begins with, if there is one. */
  #start: number;
  /** Commas at this position of FROM separate tables. */
  #listsTables = true;

  constructor(finder: TableFinder, cursor: TokenCursor, rules: LexicalRules, options: LevelOptions) {
    this.#finder = finder;
    this.#cursor = cursor;
    this.#rules = rules;
    this.#outerBlock = options.outerBlock;
    this.#commonTables = new CommonTables(options.outerTables);
    // Tables between brackets of their own belong to the FROM around them.
    this.#block =
      options.kind === "tables" && options.outerBlock !== undefined
        ? options.outerBlock
        : new SelectBlock(options.outerBlock, rules.folding);
    this.#clause = options.kind === "tables" ? "from" : "start";
    this.#expectsTable = options.kind === "tables";
    this.#start = cursor.index;
  }

  read(): void {
    const cursor = this.#cursor;
    if (this.#expectsTable && QUERY_STARTS.has(cursor.word())) this.#begin();
    while (!cursor.atEnd()) {
      const token = cursor.take();
      if (token.kind === "sign") {
        if (this.#sign(token)) return;
      } else if (this.#expectsTable) {
        this.#table(token);
      } else if (token.kind === "word" || token.kind === "name") {
        if (!this.#path() && token.kind === "word") this.#word(token);
      }
    }
    this.#refuseMissingTable(cursor.at(cursor.index - 1));
  }

  /** `last` is the token in the position of the missing table. */
  #refuseMissingTable(last: Token | undefined): void {
    if (this.#expectsTable) throw syntaxFault("a table is missing", last?.start ?? 0, last?.end ?? 0);
  }

  /** A new SELECT of this level. */
  #begin(): void {
    this.#clause = "start";
    this.#expectsTable = false;
    this.#listsTables = true;
    this.#start = this.#cursor.index;
    this.#block = new SelectBlock(this.#outerBlock, this.#rules.folding);
  }

  /** True when the level ends. */
  #sign(token: Token): boolean {
    const cursor = this.#cursor;
    switch (token.value) {
      case "(":
      case "[":
      case "{":
        this.#brackets(token.value);
        return false;
      case ")":
      case "]":
      case "}":
        this.#refuseMissingTable(token);
        return true;
      case ",":
        this.#refuseMissingTable(token);
        this.#expectsTable = this.#clause === "from" && this.#listsTables;
        return false;
      case ";":
        while (cursor.sign() === ";") cursor.take();
        if (!cursor.atEnd()) {
          throw new PlannerError("SEVERAL_STATEMENTS", "the text holds more than one statement", {
            span: cursor.at() ?? token,
            hint: "Send one query at a time.",
          });
        }
        return false;
      default:
        if (this.#expectsTable) {
          throw syntaxFault(`a table cannot begin with ${token.text}`, token.start, token.end);
        }
        return false;
    }
  }

  #brackets(open: string): void {
    const tables = this.#expectsTable && open === "(";
    this.#expectsTable = false;
    this.#finder.level(tables ? "tables" : "query", this.#commonTables, this.#block);
  }

  /** `token`, which has been read, begins the item in table position. */
  #table(token: Token): void {
    const cursor = this.#cursor;
    if (token.kind === "word" && token.value.toLowerCase() === "lateral" && cursor.sign() !== ".") return;
    this.#expectsTable = false;
    const reading = readTable(cursor, cursor.index - 1, this.#rules);
    if (reading === undefined) return;
    const [first] = reading.path;
    if (first === undefined || this.#isOwn(reading.path, first)) return;
    this.#block.addTable(reading.path, reading.alias);
    this.#finder.addTable({ ...reading, statement: false });
  }

  /** A common table, or an array of a table that FROM has named before. */
  #isOwn(path: readonly NamePart[], first: NamePart): boolean {
    if (path.length === 1) return this.#commonTables.has(foldName(first, this.#rules.folding));
    return this.#rules.correlatedPaths && this.#block.hasName(first);
  }

  /** `schema.table.column`, `schema.table.*`: noted, for its first parts may repeat a table's path. */
  #path(): boolean {
    const cursor = this.#cursor;
    if (cursor.sign() !== ".") return false;
    const from = cursor.index - 1;
    const parts: NamePart[] = [cursor.part(from)];
    while (cursor.sign() === ".") {
      const next = cursor.at(cursor.index + 1);
      if (next === undefined || (next.kind === "sign" && next.value !== "*")) break;
      cursor.skip(2);
      parts.push({ name: next.value, quoted: next.kind === "name" });
    }
    if (parts.length > 2 && cursor.sign() !== "(") this.#finder.addPath(from, parts.slice(0, -1), this.#block);
    return true;
  }

  #word(token: Token): void {
    const cursor = this.#cursor;
    const word = token.value.toLowerCase();
    const starts = cursor.index - 1 === this.#start;
    if (starts) this.#refuseWriting(token);
    switch (word) {
      case "with":
        if (starts) this.#common();
        return;
      case "select":
        if (this.#clause !== "start") this.#begin();
        this.#clause = "select";
        return;
      case "values":
        if (starts) this.#clause = "behind";
        return;
      case "table":
        if (starts && this.#rules.queryWords.includes("table")) this.#tableStatement();
        return;
      case "into":
        if (this.#clause !== "select" && this.#clause !== "from") return;
        throw new PlannerError("UNSUPPORTED_STATEMENT", "SELECT INTO writes", { span: token, hint: "Remove INTO." });
      case "from":
        this.#from(starts);
        return;
      case "union":
      case "intersect":
      case "except":
      case "minus":
        if (this.#isSetOperator()) this.#setOperator();
        return;
      case "join":
      case "straight_join":
      case "apply":
        this.#join(word, cursor.word(cursor.index - 2));
        return;
      case "lateral":
        // LATERAL VIEW explode(…) t AS a, b: what follows are names of columns.
        if (cursor.word() === "view") this.#listsTables = false;
        return;
      default:
        if (this.#clause !== "from" || cursor.word(cursor.index - 2) === "with") return;
        if (BEHIND_FROM.has(word) || (BEHIND_FROM_HERE.has(word) && this.#rules.clauseWords.includes(word))) {
          this.#clause = "behind";
        }
    }
  }

  /** PostgreSQL lets a common table write. */
  #refuseWriting(token: Token): void {
    const [word, next] = [token.value.toLowerCase(), this.#cursor.word()];
    const into = (word === "insert" || word === "merge") && next === "into";
    if (!into && !(word === "delete" && next === "from") && !(word === "update" && next !== "")) return;
    throw notAQuery(token);
  }

  #from(starts: boolean): void {
    const cursor = this.#cursor;
    const here = cursor.index - 1;
    // `trim(FROM x)` is the only call that begins like such a query.
    const first = starts && this.#rules.queryWords.includes("from") && cursor.word(here - 2) !== "trim";
    const test = cursor.word(here - 2);
    const compares = cursor.word(here - 1) === "distinct" && (test === "is" || test === "not");
    if (!first && (this.#clause !== "select" || compares)) return;
    this.#clause = "from";
    this.#expectsTable = true;
  }

  /** Behind FROM too: a word that ended it may have been the name of a column in ON. */
  #join(word: string, before: string): void {
    const joins = this.#clause === "from" || this.#clause === "behind";
    if (!joins || (word === "apply" && before !== "cross" && before !== "outer")) return;
    this.#clause = "from";
    // ARRAY JOIN a, b: arrays of the table before it.
    this.#listsTables = before !== "array";
    this.#expectsTable = this.#listsTables;
  }

  #setOperator(): void {
    const cursor = this.#cursor;
    while (cursor.word() === "all" || cursor.word() === "distinct") cursor.take();
    this.#begin();
  }

  #isSetOperator(): boolean {
    const cursor = this.#cursor;
    if (cursor.sign(cursor.index - 2) === "*") return false;
    return cursor.sign() === "(" || AFTER_SET_OPERATOR.has(cursor.word());
  }

  #common(): void {
    readCommonTables(this.#cursor, this.#rules, this.#commonTables, () =>
      this.#finder.level("query", this.#commonTables, this.#outerBlock),
    );
    this.#start = this.#cursor.index;
  }

  #tableStatement(): void {
    const cursor = this.#cursor;
    const from = cursor.index - 1;
    const reading = cursor.sign() === "(" || cursor.atEnd() ? undefined : readTable(cursor, cursor.index, this.#rules);
    this.#clause = "behind";
    const [first] = reading?.path ?? [];
    if (reading === undefined || first === undefined || this.#isOwn(reading.path, first)) return;
    this.#finder.addTable({ ...reading, from, statement: true });
  }
}

const QUERY_STARTS: ReadonlySet<string> = new Set(["select", "with", "values", "table", "from"]);
