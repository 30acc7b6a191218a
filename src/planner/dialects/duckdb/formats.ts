/** `to_char`, `to_date` and `to_timestamp` with a literal format, as strftime and strptime. */
import { type FormatToken, readFormat } from "../../lowering/formats.ts";
import { unsupported } from "../../lowering/target.ts";
import { binary, call, cast, integer, text, values } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { TEXT, TIMESTAMP } from "../../types.ts";

/** With leading zeros, and without after FM. */
const NUMBERS: ReadonlyMap<string, readonly [filled: string, bare: string]> = new Map([
  ["YYYY", ["%Y", "%Y"]],
  ["IYYY", ["%G", "%G"]],
  ["YY", ["%y", "%-y"]],
  ["MM", ["%m", "%-m"]],
  ["DD", ["%d", "%-d"]],
  ["DDD", ["%j", "%-j"]],
  ["HH24", ["%H", "%-H"]],
  ["HH12", ["%I", "%-I"]],
  ["HH", ["%I", "%-I"]],
  ["MI", ["%M", "%-M"]],
  ["SS", ["%S", "%-S"]],
  ["MS", ["%g", "%g"]],
  ["US", ["%f", "%f"]],
  ["IW", ["%V", "%V"]],
  ["ID", ["%u", "%u"]],
]);

/** Specifier and the width PostgreSQL fills names up to. */
const NAMES: ReadonlyMap<string, readonly [specifier: string, width: number]> = new Map([
  ["MONTH", ["%B", 9]],
  ["DAY", ["%A", 9]],
  ["MON", ["%b", 0]],
  ["DY", ["%a", 0]],
  ["AM", ["%p", 0]],
  ["PM", ["%p", 0]],
]);

/** `to_char(x, format)` over dates and timestamps. */
export function dateText(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") {
    throw unsupported("to_char with a computed format", node.span, "Write the format as a literal.");
  }
  const kind = value.type?.kind;
  if (kind !== "date" && kind !== "timestamp") {
    throw unsupported("to_char of anything but dates and timestamps", node.span, "Use CAST(… AS text) or round().");
  }
  const pieces = new Pieces(value, node);
  for (const token of readFormat(format.value)) pieces.add(token);
  return pieces.joined();
}

/** Joins runs that one strftime can say, and the pieces that need an expression of their own. */
class Pieces {
  readonly #value: Expression;
  readonly #node: Call;
  readonly #pieces: Expression[] = [];
  #run = "";

  constructor(value: Expression, node: Call) {
    this.#value = value;
    this.#node = node;
  }

  add(token: FormatToken): void {
    if (token.kind === "text") {
      this.#run += token.text.replaceAll("%", "%%");
      return;
    }
    const number = NUMBERS.get(token.pattern);
    if (number !== undefined) {
      this.#run += token.fill ? number[0] : number[1];
      return;
    }
    if (token.pattern === "Q") {
      this.#flush();
      this.#pieces.push(cast(call("quarter", [this.#value], this.#node), "text", this.#text()));
      return;
    }
    const name = NAMES.get(token.pattern);
    if (name === undefined) throw unsupported(`the format pattern ${token.spelling}`, this.#node.span);
    const [specifier, width] = name;
    this.#named(specifier, token.fill ? width : 0, token.spelling);
  }

  /** Names follow the case the pattern is written in. */
  #named(specifier: string, width: number, spelling: string): void {
    const lower = spelling === spelling.toLowerCase();
    const upper = specifier !== "%p" && spelling === spelling.toUpperCase();
    if (!lower && !upper && width === 0) {
      this.#run += specifier;
      return;
    }
    this.#flush();
    let piece: Expression = call("strftime", [this.#value, text(specifier, this.#node)], this.#text());
    if (upper) piece = call("upper", [piece], this.#text());
    if (lower) piece = call("lower", [piece], this.#text());
    if (width > 0) piece = call("rpad", [piece, integer(width, this.#node), text(" ", this.#node)], this.#text());
    this.#pieces.push(piece);
  }

  #flush(): void {
    if (this.#run === "") return;
    this.#pieces.push(call("strftime", [this.#value, text(this.#run, this.#node)], this.#text()));
    this.#run = "";
  }

  #text(): { readonly span: Call["span"]; readonly type: typeof TEXT } {
    return { span: this.#node.span, type: TEXT };
  }

  joined(): Expression {
    this.#flush();
    const [first, ...others] = this.#pieces;
    if (first === undefined) return call("strftime", [this.#value, text("", this.#node)], this.#text());
    return others.reduce((left, right) => binary(left, "||", right, this.#text()), first);
  }
}

/** `strptime(x, format)`: a timestamp without zone. */
export function parsedDate(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string") {
    throw unsupported("a computed date format", node.span, "Write the format as a literal.");
  }
  let pattern = "";
  for (const token of readFormat(format.value)) {
    if (token.kind === "text") pattern += token.text.replaceAll("%", "%%");
    else {
      const specifier = NUMBERS.get(token.pattern)?.[0] ?? NAMES.get(token.pattern)?.[0];
      if (specifier === undefined) throw unsupported(`the format pattern ${token.spelling}`, node.span);
      pattern += specifier;
    }
  }
  return call("strptime", [value, text(pattern, node)], { span: node.span, type: TIMESTAMP });
}
