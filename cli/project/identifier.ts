/** Names of columns, in the SQL of a source and in the input language. */
import { isReservedAsName } from "../../src/planner/syntax/keywords.ts";
import { inQuotes } from "../../src/planner/syntax/quoting.ts";

/** A name in SQL of the input language. */
export function written(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !isReservedAsName(name) ? name : inQuotes(name);
}

/** The name of an expression that is a column of the table and nothing else. */
export function identifierIn(expression: string): string | undefined {
  const text = expression.trim();
  if (/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(text)) return text;
  const [, double, back, square] = /^(?:"((?:[^"]|"")+)"|`((?:[^`\\]|``)+)`|\[([^\]]+)\])$/.exec(text) ?? [];
  return double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? square;
}
