/** Reads the rows of an answer as they arrive: `application/x-ndjson` of docs/reference/formats.md. */
import type { Failure } from "./answers.ts";
import { failureIn } from "./api.ts";

export interface Column {
  readonly name: string;
  /** The API names it `int64`, `decimal128(15, 2)`, `date32[day]`. */
  readonly type: string;
}

export interface RowProgress {
  readonly columns: readonly Column[];
  /** The first rows, at most `keep`. The list grows in place. */
  readonly rows: readonly (readonly unknown[])[];
  /** Number of rows that arrived. */
  readonly count: number;
}

export type RowEnd =
  | { readonly kind: "whole" }
  /** The source failed while it sent rows, or the body ended without its last line. */
  | { readonly kind: "broken"; readonly failure: Failure };

/** Resolves when the body ends. Rejects with the reason of an aborted request. */
export async function readRows(
  body: ReadableStream<Uint8Array>,
  keep: number,
  progress: (progress: RowProgress) => void,
): Promise<RowEnd> {
  const rows: unknown[][] = [];
  let columns: readonly Column[] = [];
  let count = 0;
  let hasHead = false;
  let end: RowEnd | undefined;
  const take = (line: string): void => {
    if (line === "" || end !== undefined) return;
    if (!hasHead) {
      columns = columnsOf(line);
      hasHead = true;
    } else if (line.startsWith("[")) {
      count++;
      // Rows beyond the first are counted and not kept: a browser has no room for a million.
      if (rows.length < keep) rows.push(JSON.parse(line) as unknown[]);
    } else {
      end = endOf(line);
    }
  };
  const lines = new LineReader(take);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      lines.add(decoder.decode(value, { stream: true }));
      progress({ columns, rows, count });
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    return { kind: "broken", failure: brokenOff() };
  }
  // A line without its end is one that broke off.
  progress({ columns, rows, count });
  return end ?? { kind: "broken", failure: brokenOff() };
}

function brokenOff(): Failure {
  return {
    status: 200,
    code: "BROKEN_OFF",
    message: "The answer broke off before its end.",
    hint: "Rows are missing. Run the question again.",
    suggestions: [],
  };
}

function columnsOf(line: string): readonly Column[] {
  const { columns, dtypes } = JSON.parse(line) as {
    readonly columns: readonly string[];
    readonly dtypes: Readonly<Record<string, string>>;
  };
  return columns.map((name) => ({ name, type: dtypes[name] ?? "" }));
}

function endOf(line: string): RowEnd {
  const { error } = JSON.parse(line) as { readonly error?: unknown };
  return error === undefined ? { kind: "whole" } : { kind: "broken", failure: failureIn(JSON.stringify(error), 200) };
}

/** Splits text that arrives in pieces into lines. */
class LineReader {
  readonly #take: (line: string) => void;
  #rest = "";

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  add(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }
}
