/** A column of a table by its name in the SQL of its source. */

/** The name of an expression that is a column of the table and nothing else. */
export function identifierIn(expression: string): string | undefined {
  const text = expression.trim();
  if (/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(text)) return text;
  const [, double, back, square] = /^(?:"((?:[^"]|"")+)"|`((?:[^`\\]|``)+)`|\[([^\]]+)\])$/.exec(text) ?? [];
  return double?.replaceAll('""', '"') ?? back?.replaceAll("``", "`") ?? square;
}
