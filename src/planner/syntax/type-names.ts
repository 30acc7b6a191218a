/** Type names: `int`, `decimal(10,2)`, `timestamp(3) with time zone`, `int[]`, `array<struct<a int>>`, `row(a int)` … */
import type { Cursor } from "./cursor.ts";
import type { TokenKind } from "./tokens.ts";
import type { Identifier, TypeMember, TypeName } from "./tree.ts";

/** Words that may follow a first word as part of the same type name. */
const COMPOUND_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    double: ["precision"],
    character: ["varying"],
    char: ["varying"],
    nchar: ["varying"],
    bit: ["varying"],
    binary: ["varying"],
    national: ["character varying", "char varying", "character", "char"],
    signed: ["integer", "int"],
    unsigned: ["integer", "int"],
    long: ["varchar"],
  }),
);

const ZONES = ["with time zone", "without time zone", "with local time zone"];

const INTERVAL_FIELDS = [
  "year to month",
  "day to hour",
  "day to minute",
  "day to second",
  "hour to minute",
  "hour to second",
  "minute to second",
  "year",
  "month",
  "day",
  "hour",
  "minute",
  "second",
];

/** Types whose parentheses or angle brackets hold types. */
const NESTED = new Set(["array", "list", "map", "struct", "row", "tuple"]);

export function parseTypeName(cursor: Cursor): TypeName {
  const start = cursor.start;
  const outer = cursor.enter();
  const nameable = cursor.isFunctionName() || cursor.kind === "array" || cursor.kind === "null";
  if (cursor.kind === "$quoted" || !nameable) {
    cursor.expected("a type name");
  }
  const first = cursor.readIdentifier().name.toLowerCase();
  const simple = NESTED.has(first) ? parseNested(cursor, first) : parseSimple(cursor, first);
  const dimensions = parseDimensions(cursor);
  if (cursor.kind === "." && first !== "row") {
    cursor.fail("a type name with a schema is not part of the language", "Write the type's own name.");
  }
  cursor.leave(outer);
  return { span: cursor.spanFrom(start), ...simple, dimensions };
}

type Undimensioned = Pick<TypeName, "name" | "parameters" | "members">;

function parseSimple(cursor: Cursor, first: string): Undimensioned {
  let name = first;
  for (const rest of COMPOUND_NAMES.get(first) ?? []) {
    if (acceptWords(cursor, rest)) {
      name = `${first} ${rest}`;
      break;
    }
  }
  if (first === "interval") {
    for (const fields of INTERVAL_FIELDS) {
      if (acceptWords(cursor, fields)) {
        name = `${first} ${fields}`;
        break;
      }
    }
  }
  const parameters = cursor.kind === "(" ? parseParameters(cursor) : [];
  if (first === "timestamp" || first === "time") {
    for (const zone of ZONES) {
      if (acceptWords(cursor, zone)) {
        name = `${first} ${zone}`;
        break;
      }
    }
  }
  return { name, parameters, members: [] };
}

/** Reads the words one after another, or none of them. */
function acceptWords(cursor: Cursor, words: string): boolean {
  const kinds = words.split(" ");
  for (let i = 0; i < kinds.length; i++) {
    if (cursor.peek(i) !== kinds[i]) {
      return false;
    }
  }
  for (let i = 0; i < kinds.length; i++) {
    cursor.advance();
  }
  return true;
}

function parseParameters(cursor: Cursor): number[] {
  cursor.advance();
  const parameters = [parseParameter(cursor)];
  while (cursor.accept(",")) {
    parameters.push(parseParameter(cursor));
  }
  cursor.expect(")", "',' or ')' after the type's parameter");
  return parameters;
}

function parseParameter(cursor: Cursor): number {
  const negative = cursor.accept("-");
  const value = cursor.kind === "$number" && /^\d{1,9}$/.test(cursor.value) ? Number(cursor.value) : undefined;
  if (value === undefined) {
    cursor.expected("a whole number as the type's parameter");
  }
  cursor.advance();
  return negative ? -value : value;
}

/** `int[]`, `int[3]` (the number means nothing, as in PostgreSQL), `int array`, `int array[3]`. */
function parseDimensions(cursor: Cursor): number {
  if (cursor.accept("array")) {
    if (cursor.kind === "[") {
      parseBound(cursor);
    }
    return 1;
  }
  let dimensions = 0;
  while (cursor.kind === "[") {
    parseBound(cursor);
    cursor.refuseLongerThanDepth(++dimensions);
  }
  return dimensions;
}

function parseBound(cursor: Cursor): void {
  cursor.advance();
  if (cursor.kind === "$number") {
    cursor.advance();
  }
  cursor.expect("]", "']' after the array bound", "To subscript the result of a cast, put the cast in parentheses.");
}

function parseNested(cursor: Cursor, name: string): Undimensioned {
  const open = cursor.kind;
  if (open !== "<" && open !== "(") {
    return { name, parameters: [], members: [] };
  }
  cursor.advance();
  const named = name === "struct" || name === "row" || name === "tuple";
  const members: TypeMember[] = [];
  do {
    const memberName = named ? parseMemberName(cursor) : undefined;
    members.push({ name: memberName, type: parseTypeName(cursor) });
  } while (cursor.accept(","));
  if (open === "(") {
    cursor.expect(")", "',' or ')' after the member type");
  } else {
    closeAngle(cursor);
  }
  return { name, parameters: [], members };
}

/** `a int` and `a: int`; a lone type has no name. */
function parseMemberName(cursor: Cursor): Identifier | undefined {
  if (cursor.peek(1) === ":") {
    const name = cursor.label("a member name");
    cursor.advance();
    return name;
  }
  return cursor.isLabel() && beginsType(cursor.kind, cursor.peek(1)) ? cursor.label("a member name") : undefined;
}

/** Whether a word followed by `next` is a member's name: `next` begins a type and does not continue one. */
function beginsType(word: TokenKind, next: TokenKind): boolean {
  switch (next) {
    case "<":
    case "(":
    case "[":
    case ",":
    case ")":
    case ">":
    case ">>":
    case "with":
    case "without":
    case "$end":
      return false;
    case "precision":
      return word !== "double";
    case "varying":
      return word !== "character" && word !== "char" && word !== "nchar" && word !== "bit" && word !== "binary";
    default:
      return !(next.startsWith("$") && next !== "$identifier");
  }
}

/** `>` at the end of a nested type; in `array<array<int>>` the lexer reads two of them as one `>>`. */
function closeAngle(cursor: Cursor): void {
  if (cursor.kind === ">>") {
    cursor.splitAngle();
    return;
  }
  cursor.expect(">", "',' or '>' after the member type");
}
