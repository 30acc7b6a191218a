/** Reads `application/x-ndjson`: a line of columns, an array per row, and a line that says that the answer is whole. */
import { failureIn, parsed, SiskinError } from "./failure.ts";
import type { Column, Row, Value } from "./types.ts";

export interface Head {
  readonly columns: readonly Column[];
}

type Convert = (value: unknown) => Value;
type Numbers = "text" | "bigint" | undefined;

/** Yields the head first, then rows. Throws BROKEN_OFF for an answer that ends early, and the service's error for one that failed. */
export async function* rowsIn(
  chunks: AsyncIterable<Uint8Array>,
  numbers: Numbers,
  requestId: string | undefined,
): AsyncGenerator<Head | Row, void, undefined> {
  let names: readonly string[] | undefined;
  let converts: readonly Convert[] = [];
  let isLong = false;
  let isWhole = false;
  for await (const line of linesOf(chunks)) {
    if (names === undefined) {
      const columns = columnsOf(line);
      if (columns === undefined) throw failureIn(line, 200, requestId) ?? unexpected(requestId);
      names = columns.map(({ name }) => name);
      const twice = names.find((name, index) => names?.indexOf(name) !== index);
      if (twice !== undefined) {
        const hint = "Give each column a name of its own with AS.";
        throw new SiskinError("DUPLICATE_COLUMN", `The answer has two columns ${twice}.`, { requestId, hint });
      }
      converts = columns.map(({ type }) => converter(type, numbers));
      isLong = columns.some(({ type }) => type.includes("int64"));
      yield { columns };
      continue;
    }
    if (isWhole) throw unexpected(requestId);
    const value = parsed(isLong ? quoted(line) : line);
    if (Array.isArray(value) && value.length === names.length) {
      yield Object.fromEntries(names.map((name, index) => [name, converts[index]?.(value[index])])) as Row;
      continue;
    }
    const last = value as { readonly end?: unknown; readonly error?: unknown } | undefined;
    isWhole = last?.end !== undefined;
    if (isWhole) continue;
    if (last?.error !== undefined) throw failureIn(JSON.stringify(last.error), 200, requestId) ?? brokenOff(requestId);
    throw unexpected(requestId);
  }
  if (!isWhole) throw brokenOff(requestId);
}

/** The pieces of a line are joined once, so that a row of many megabytes costs no more than its length. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      pieces.push(line);
      yield pieces.join("");
      pieces = [];
    }
    pieces.push(rest);
  }
}

function columnsOf(line: string): readonly Column[] | undefined {
  const head = parsed(line) as
    | {
        readonly columns?: readonly string[];
        readonly dtypes?: Readonly<Record<string, string>>;
        readonly types?: readonly string[];
      }
    | undefined;
  const { columns, dtypes, types } = head ?? {};
  if (!Array.isArray(columns) || typeof dtypes !== "object") return undefined;
  return columns.map((name: string, index) => ({ name, type: types?.[index] ?? dtypes[name] ?? "string" }));
}

/** Integers of 16 and more digits, outside of texts: `JSON.parse` would round them. */
const LONG = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const quoted = (line: string): string => line.replace(LONG, (text) => (text.startsWith('"') ? text : `"${text}"`));

function converter(type: string, numbers: Numbers): Convert {
  const element = /^list<item: (.*)>$/.exec(type)?.[1];
  if (element !== undefined) {
    const convert = converter(element, numbers);
    return (value) => (Array.isArray(value) ? value.map(convert) : (value as Value));
  }
  if (/^u?int64$/.test(type)) {
    return (value) => (value === null ? null : numbers === "bigint" ? BigInt(value as string) : String(value));
  }
  if (type === "double" || type === "float")
    return (value) => (typeof value === "string" ? Number(value) : (value as Value));
  return (value) => value as Value;
}

export function brokenOff(requestId: string | undefined): SiskinError {
  return new SiskinError("BROKEN_OFF", "The answer broke off before its end.", {
    status: 200,
    requestId,
    hint: "Rows are missing. Run the statement again.",
  });
}

export function unexpected(requestId: string | undefined, status = 200, kind = "text that is no answer"): SiskinError {
  return new SiskinError("UNEXPECTED_ANSWER", `The server answered ${status} with ${kind}.`, {
    status,
    requestId,
    hint: "Check that the URL is that of a Siskin service, and not of a proxy in front of it.",
  });
}

/** Whether bytes end as Arrow's stream format does. */
export function isWholeArrow(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && bytes.subarray(-8).every((byte, index) => byte === (index < 4 ? 255 : 0));
}
