/** One table of FROM: its path, its alias, and the clauses around them. */
import { PlannerError } from "../diagnostics.ts";
import type { LexicalRules } from "../syntax/lexical-rules.ts";
import { syntaxFault } from "../syntax/syntax-fault.ts";
import type { NamePart } from "./names.ts";
import type { TokenCursor } from "./token-cursor.ts";
import { nameText, type Token } from "./tokens.ts";

export interface TableReading {
  /** Indexes of the first token and of the one behind the last; alias and hints are included. */
  readonly from: number;
  readonly to: number;
  /** Outermost part first. A part that the source lets out (`db..orders`) has an empty name. */
  readonly path: readonly NamePart[];
  readonly alias: NamePart | undefined;
  /** The path as the caller wrote it. */
  readonly written: string;
  /** DuckDB: the name is that of a file. */
  readonly file: boolean;
}

/**
 * Reads the table that begins at `from` and leaves the cursor after it; `undefined` for a function, with the cursor
 * before its arguments. @throws PlannerError SYNTAX, UNSUPPORTED_STATEMENT
 */
export function readTable(cursor: TokenCursor, from: number, rules: LexicalRules): TableReading | undefined {
  cursor.index = from;
  const token = cursor.take();
  // PostgreSQL reserves the word: the table without those that inherit from it.
  if (rules.escapeStrings && cursor.word(from) === "only") refuse(token);
  const string = token.kind === "string" && rules.tableStrings !== undefined && !token.value.includes("\\");
  if (!cursor.isName(from) && !string && token.kind !== "number") {
    throw syntaxFault(`a table cannot begin with ${token.text.slice(0, 40)}`, token.start, token.end);
  }
  const { path, written } = readPath(cursor, from, rules);
  if (cursor.sign() === "(" && !isOldHint(cursor, rules)) return undefined;
  refuseModifier(cursor, rules);
  skipHints(cursor, rules);
  const alias = readAlias(cursor, rules);
  refuseModifier(cursor, rules);
  skipHints(cursor, rules);
  // DuckDB takes a name for a file when it looks like one, whichever quotes are around it.
  const file = rules.tableStrings === "file" && path.length === 1 && (string || /[./]/.test(token.value));
  return { from, to: cursor.index, path, alias, written, file };
}

/** The cursor is after the first part. */
function readPath(cursor: TokenCursor, from: number, rules: LexicalRules): Pick<TableReading, "path" | "written"> {
  let part = joinDashes(cursor, from, rules);
  const path: NamePart[] = [];
  let written = part.written;
  const add = (next: { readonly part: NamePart }): void => {
    const { name, quoted } = next.part;
    if (!rules.quotedPaths || !quoted) path.push(next.part);
    else for (const each of name.split(".")) path.push({ name: each, quoted });
  };
  add(part);
  while (cursor.sign() === ".") {
    cursor.take();
    written += ".";
    if (cursor.sign() === ".") {
      path.push({ name: "", quoted: false });
      continue;
    }
    const index = cursor.index;
    const token = cursor.at();
    if (token === undefined || token.kind === "sign" || token.kind === "comment") {
      throw syntaxFault("a name is missing behind '.'", token?.start ?? 0, token?.end ?? 0);
    }
    cursor.take();
    part = joinDashes(cursor, index, rules);
    written += part.written;
    add(part);
  }
  return { path, written };
}

/** BigQuery: `my-project.sales.orders`, without blanks around the dash. */
function joinDashes(
  cursor: TokenCursor,
  index: number,
  rules: LexicalRules,
): { readonly part: NamePart; readonly written: string } {
  const part = cursor.part(index);
  const token = cursor.at(index);
  let name = part.name;
  if (rules.quotedPaths && token?.kind === "word") {
    while (cursor.sign() === "-" && cursor.touches(cursor.index - 1) && cursor.touches(cursor.index)) {
      name += `-${cursor.at(cursor.index + 1)?.value ?? ""}`;
      cursor.skip(2);
    }
  }
  const written = part.quoted ? nameText(name) : name;
  return { part: { ...part, name }, written };
}

function readAlias(cursor: TokenCursor, rules: LexicalRules): NamePart | undefined {
  if (cursor.word() === "as") {
    cursor.take();
    const token = cursor.at();
    if (!cursor.isName() && !(token?.kind === "string" && rules.tableStrings === "name")) {
      throw syntaxFault("a name is missing behind AS", token?.start ?? 0, token?.end ?? 0);
    }
  } else if (cursor.at()?.kind !== "name") {
    const word = cursor.word();
    if (word === "" || NO_ALIAS.has(word) || rules.clauseWords.includes(word)) return undefined;
  }
  cursor.take();
  return cursor.part(cursor.index - 1);
}

/** Words that follow a table and are no alias. */
const NO_ALIAS: ReadonlySet<string> = new Set(
  (
    "where group having order limit offset fetch window qualify for on using join inner left right full cross natural " +
    "outer union intersect except minus lateral tablesample option connect start with use force ignore pivot unpivot " +
    "match_recognize select into set apply array straight_join values from as partition"
  ).split(" "),
);

/** Which version, partition or part of a table is read: a model is read whole, so the rows would not be the same. */
function refuseModifier(cursor: TokenCursor, rules: LexicalRules): void {
  const [word, next] = [cursor.word(), cursor.word(cursor.index + 1)];
  const third = cursor.word(cursor.index + 2);
  const brackets = cursor.sign(cursor.index + 1) === "(";
  const hereOnly = rules.clauseWords.includes(word);
  const refused =
    (word === "for" && /^(system_time|system_version|timestamp|version)$/.test(next)) ||
    (/^(timestamp|version)$/.test(word) && next === "as" && third === "of") ||
    (word === "as" && next === "of" && /^(timestamp|scn|period)$/.test(third)) ||
    (word === "versions" && next === "between") ||
    (/^(partition|subpartition)$/.test(word) && brackets) ||
    (/^(at|before|changes)$/.test(word) && hereOnly && brackets) ||
    (/^(final|sample)$/.test(word) && hereOnly) ||
    word === "match_recognize" ||
    cursor.sign() === "@" ||
    cursor.sign() === "*";
  const token = cursor.at();
  if (refused && token !== undefined) refuse(token);
}

function refuse(token: Token): never {
  throw new PlannerError("UNSUPPORTED_STATEMENT", `a model cannot be read with ${token.text.toUpperCase()}`, {
    span: token,
    hint: "Remove it, or define a model over what it reads.",
  });
}

/** SQL Server's older form: `orders (NOLOCK)`. */
function isOldHint(cursor: TokenCursor, rules: LexicalRules): boolean {
  return (
    rules.hints === "with" && /^(nolock|readuncommitted|readpast|holdlock|rowlock)$/.test(cursor.word(cursor.index + 1))
  );
}

/** Hints speak of locks and indexes, never of rows, and the input language has none. */
function skipHints(cursor: TokenCursor, rules: LexicalRules): void {
  if (rules.hints === "with") {
    if (cursor.word() === "with" && cursor.sign(cursor.index + 1) === "(") cursor.take();
    else if (!isOldHint(cursor, rules)) return;
    cursor.index = cursor.behindBrackets();
  } else if (rules.hints === "index") {
    while (/^(use|force|ignore)$/.test(cursor.word()) && /^(index|key)$/.test(cursor.word(cursor.index + 1))) {
      cursor.skip(2);
      while (!cursor.atEnd() && cursor.sign() !== "(") cursor.take();
      cursor.index = cursor.behindBrackets();
    }
  }
}
