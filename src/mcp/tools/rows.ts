/** Rows of an answer, read until the answer has as many characters as a host shows. */
import { failureIn, failureOf, remarkLines, rowRulesOf, ToolFailure, type Warning, warningsOf } from "../answers.ts";
import { LineReader } from "../line-reader.ts";
import type { ToolAnswer } from "./tool.ts";

/** Characters of a result, text and structure together. Hosts cut longer ones, and a cut answer reads as a complete one. */
const MOST_CHARACTERS = 60_000;
/** Room for members of the result besides rows. */
const FRAME = 1500;
const MOST_WARNINGS = 20;

export interface RowsAsked {
  /** Rows that the caller wants; one more was asked for. */
  readonly limit: number;
  readonly sql: string | undefined;
}

interface Head {
  readonly columns: readonly string[];
  readonly dtypes: Readonly<Record<string, string>>;
}

export async function rowsOf(response: Response, { limit, sql }: RowsAsked, signal: AbortSignal): Promise<ToolAnswer> {
  if (!response.ok || response.body === null) throw await failureOf(response, sql);
  const lines = new LineReader(response.body, MOST_CHARACTERS, signal);
  try {
    const head = await lines.next();
    if (typeof head !== "string") throw tooWide();
    const { columns, dtypes } = JSON.parse(head) as Head;
    const { warnings, cap } = withoutProbe(warningsOf(response), limit);
    const rowRules = rowRulesOf(response);
    const remarks = remarkLines(warnings, rowRules);
    const types = columns.map((name) => ({ name, type: dtypes[name] ?? "unknown" }));
    const frame = sizeOf(types) + 2 * sizeOf(columns) + 2 * sizeOf(warnings) + 2 * sizeOf(remarks) + FRAME;
    if (frame > MOST_CHARACTERS / 2) throw tooWide();
    const read = await rowsIn(lines, { limit: Math.min(limit, cap), room: MOST_CHARACTERS - frame, sql });
    const truncated = read.truncated || read.rows.length >= cap;
    const text = [
      ...notes(read.rows.length, truncated, read.isCut),
      ...remarks,
      `Columns: ${JSON.stringify(columns)}`,
      ...read.rows,
    ].join("\n");
    return {
      text,
      structured: {
        columns: types,
        rows: read.rows.map((row): unknown => JSON.parse(row)),
        rowCount: read.rows.length,
        truncated,
        warnings,
        ...(rowRules !== undefined && { rowRules }),
        queryId: response.headers.get("x-correlation-id") ?? "",
      },
    };
  } finally {
    // Ends the statement at the source, if rows are left.
    await lines.close();
  }
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

function tooWide(): ToolFailure {
  const message = `The columns alone have more than ${MOST_CHARACTERS} characters. Select fewer columns.`;
  return new ToolFailure(message, { errorCode: "REQUEST_SHAPE", reason: "TOO_WIDE" });
}

interface Read {
  /** JSON texts of arrays. */
  readonly rows: readonly string[];
  readonly truncated: boolean;
  /** Characters, and not the limit, ended it. */
  readonly isCut: boolean;
}

async function rowsIn(
  lines: LineReader,
  { limit, room, sql }: { readonly limit: number; readonly room: number; readonly sql: string | undefined },
): Promise<Read> {
  const rows: string[] = [];
  let left = room;
  for (;;) {
    const line = await lines.next();
    if (line === "too long") return { rows, truncated: true, isCut: true };
    if (line === undefined) throw new Error("The rows ended without their last line.");
    if (line.startsWith("{")) {
      const last = JSON.parse(line) as { readonly error?: Parameters<typeof failureIn>[0] };
      if (last.error !== undefined) throw failureIn(last.error, sql);
      return { rows, truncated: false, isCut: false };
    }
    if (rows.length === limit) return { rows, truncated: true, isCut: false };
    // Once as data, and once as a part of a JSON text.
    left -= line.length + JSON.stringify(line).length + 2;
    if (left < 0) return { rows, truncated: true, isCut: true };
    rows.push(line);
  }
}

function notes(count: number, truncated: boolean, isCut: boolean): readonly string[] {
  if (!truncated) return [`${count} ${count === 1 ? "row" : "rows"}, complete.`];
  const reason = isCut ? "the answer would be too long" : "there are more";
  return [
    `TRUNCATED: the first ${count} rows only, because ${reason}. Never sum, count or average these rows: aggregate in SQL, or select fewer columns.`,
  ];
}

/** The probe asks for one row more than the caller, so a cap may lower it although the caller asked for no more. */
function withoutProbe(
  given: readonly Warning[],
  limit: number,
): { readonly warnings: readonly Warning[]; readonly cap: number } {
  const lowered = given.find(({ code }) => code === "LIMIT_APPLIED");
  const [, asked, cap] = /limit (\d+) was lowered to (\d+)/.exec(lowered?.message ?? "") ?? [];
  const isProbe = Number(asked) === limit + 1;
  const warnings = given.filter((warning) => warning !== lowered || !isProbe || Number(cap) < limit);
  return {
    warnings: warnings.slice(0, MOST_WARNINGS),
    cap: cap === undefined ? Number.POSITIVE_INFINITY : Number(cap),
  };
}
