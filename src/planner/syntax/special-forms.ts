/**
 * Functions with a grammar of their own: CAST, EXTRACT, SUBSTRING, POSITION, OVERLAY, TRIM. Each parser starts at the
 * name.
 */
import type { Cursor } from "./cursor.ts";
import type { Argument, Call, Expression, Identifier, Span } from "./tree.ts";

/** `CAST(x AS t)`; `safe` for TRY_CAST and SAFE_CAST. */
export function parseCast(cursor: Cursor, start: number, safe: boolean): Expression {
  const word = cursor.word.toUpperCase();
  cursor.advance();
  cursor.expect("(", `'(' after ${word}`);
  const operand = cursor.grammar.parseExpression(cursor);
  cursor.expect("as", `AS and a type in ${word}`, `Write ${word}(x AS type).`);
  const typeName = cursor.grammar.parseTypeName(cursor);
  cursor.expect(")", "')' after the type");
  return { kind: "cast", span: cursor.spanFrom(start), operand, typeName, safe };
}

/**
 * `EXTRACT(field FROM x)`; the field is a word or a string. `EXTRACT('year', x)` means the same
 * (docs/decisions/0039-names-of-other-engines.md).
 */
export function parseExtract(cursor: Cursor, start: number): Expression {
  cursor.advance();
  cursor.advance();
  const isText = cursor.kind === "$string";
  const field = isText || cursor.kind === "$quoted" ? cursor.value : cursor.word;
  if (!isText && !cursor.isLabel()) {
    cursor.expected("a field such as YEAR in EXTRACT", "Write extract(year FROM x).");
  }
  cursor.advance();
  if (!isText || !cursor.accept(",")) {
    cursor.expect("from", "FROM after the field of EXTRACT", "Write extract(year FROM x).");
  }
  const operand = cursor.grammar.parseExpression(cursor);
  cursor.expect(")", "')' after EXTRACT");
  return { kind: "extract", span: cursor.spanFrom(start), field: field.toLowerCase(), operand };
}

/** `SUBSTRING(x FROM a FOR b)`, in either order and with either part missing, and `SUBSTRING(x, a, b)`. */
export function parseSubstring(cursor: Cursor, start: number): Expression {
  const name = beginSpecial(cursor);
  const text = cursor.grammar.parseExpression(cursor);
  if (cursor.kind !== "from" && cursor.kind !== "for") {
    return finishPlain(cursor, start, name, text);
  }
  let from: Expression | undefined;
  let length: Expression | undefined;
  for (;;) {
    if (from === undefined && cursor.accept("from")) {
      from = cursor.grammar.parseExpression(cursor);
    } else if (length === undefined && cursor.accept("for")) {
      length = cursor.grammar.parseExpression(cursor);
    } else {
      break;
    }
  }
  cursor.expect(")", "FROM, FOR or ')' in SUBSTRING");
  const span = cursor.spanFrom(start);
  const first = from ?? { kind: "number", span: pointAt(span.end), text: "1" };
  return plainCall(name, length === undefined ? [text, first] : [text, first, length], span);
}

/** `POSITION(a IN b)`. The comma form is rejected: other dialects order its operands differently. */
export function parsePosition(cursor: Cursor, start: number): Expression {
  const name = beginSpecial(cursor);
  const needle = cursor.grammar.parseRestricted(cursor);
  cursor.expect(
    "in",
    "IN after the first operand of POSITION",
    "Write position(needle IN text) or strpos(text, needle).",
  );
  const text = cursor.grammar.parseRestricted(cursor);
  cursor.expect(")", "')' after POSITION");
  return plainCall(name, [needle, text], cursor.spanFrom(start));
}

/** `OVERLAY(x PLACING y FROM a [FOR b])` and `OVERLAY(x, y, a, b)`. */
export function parseOverlay(cursor: Cursor, start: number): Expression {
  const name = beginSpecial(cursor);
  const text = cursor.grammar.parseExpression(cursor);
  if (!cursor.accept("placing")) {
    return finishPlain(cursor, start, name, text);
  }
  const operands = [text, cursor.grammar.parseExpression(cursor)];
  cursor.expect("from", "FROM in OVERLAY");
  operands.push(cursor.grammar.parseExpression(cursor));
  if (cursor.accept("for")) {
    operands.push(cursor.grammar.parseExpression(cursor));
  }
  cursor.expect(")", "')' after OVERLAY");
  return plainCall(name, operands, cursor.spanFrom(start));
}

/** `TRIM([BOTH | LEADING | TRAILING] [characters] FROM x)` and `TRIM(x [, characters])`. */
export function parseTrim(cursor: Cursor, start: number): Expression {
  const written = beginSpecial(cursor);
  const side = cursor.kind === "leading" ? "ltrim" : cursor.kind === "trailing" ? "rtrim" : "btrim";
  if (cursor.kind === "leading" || cursor.kind === "trailing" || cursor.kind === "both") {
    cursor.advance();
  }
  const name: Identifier = { ...written, name: side };
  if (cursor.accept("from")) {
    return finishPlain(cursor, start, name, cursor.grammar.parseExpression(cursor));
  }
  const first = cursor.grammar.parseExpression(cursor);
  if (!cursor.accept("from")) {
    return finishPlain(cursor, start, name, first);
  }
  const text = cursor.grammar.parseExpression(cursor);
  cursor.expect(")", "')' after TRIM");
  return plainCall(name, [text, first], cursor.spanFrom(start));
}

/** Reads the name and "(". */
function beginSpecial(cursor: Cursor): Identifier {
  const name = cursor.readIdentifier();
  cursor.advance();
  return { ...name, name: name.name.toLowerCase() };
}

/** The rest of an ordinary argument list. */
function finishPlain(cursor: Cursor, start: number, name: Identifier, first: Expression): Call {
  const operands = [first];
  while (cursor.accept(",")) {
    operands.push(cursor.grammar.parseExpression(cursor));
  }
  cursor.expect(")", `',' or ')' after the argument of ${name.name}`);
  return plainCall(name, operands, cursor.spanFrom(start));
}

function plainCall(name: Identifier, operands: readonly Expression[], span: Span): Call {
  return {
    kind: "call",
    span,
    name: [name],
    arguments: operands.map((value): Argument => ({ name: undefined, value })),
    star: false,
    distinct: false,
    orderBy: [],
    withinGroup: [],
    filter: undefined,
    nulls: undefined,
    over: undefined,
  };
}

function pointAt(offset: number): Span {
  return { start: offset, end: offset };
}
