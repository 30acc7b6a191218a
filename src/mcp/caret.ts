/** Shows a position of a statement by the line and a caret below it. */

export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset?: number;
  readonly length?: number;
}

/** Longest part of a line that is shown. */
const WIDTH = 120;

export function caretLine(sql: string, { line, column, length = 1 }: Position): string {
  const text = (sql.split(/\r\n|\r|\n/)[line - 1] ?? "").replaceAll("\t", " ");
  const at = Math.max(column - 1, 0);
  const start = at < WIDTH / 2 ? 0 : at - WIDTH / 2;
  const shown = text.slice(start, start + WIDTH);
  const width = Math.max(1, Math.min(length, shown.length - (at - start)));
  return `line ${line}, column ${column}:\n${shown}\n${" ".repeat(at - start)}${"^".repeat(width)}`;
}
