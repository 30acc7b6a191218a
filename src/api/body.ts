/** Reads request bodies with limits on bytes, time and depth. Bodies may be compressed, and text must be UTF-8. */

import type { Arrival } from "../guard/arrivals.ts";
import { concatenated } from "../result/bytes.ts";
import { ServiceError } from "../service/failure.ts";
import { type JsonFault, parseJson } from "./json-text.ts";
import { MISSING, type Problem, RequestProblems } from "./problems.ts";

export interface BodyLimits {
  /** Maximum bytes, both of the body as sent and of the decompressed body. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Nesting of arrays and objects. */
  readonly maxDepth: number;
}

const JSON_FAULTS: Readonly<Record<JsonFault, string>> = {
  syntax: "The text is not JSON",
  "too deep": "Arrays and objects are nested too deeply",
  "too many values": "The text holds too many values",
};

/**
 * The JSON value of a body, whatever its `Content-Type` is (docs/spec/contract.md#parameters-and-headers).
 *
 * Throws `ServiceError` (`BODY_TOO_LARGE`, `BODY_TIMEOUT`, `OVERLOADED`, `UNSUPPORTED_ENCODING`, `CANCELLED`) or
 * `RequestProblems` (`missing`, `json_invalid`, and strings that are not valid Unicode).
 */
export async function readJsonBody(
  request: Request,
  limits: BodyLimits,
  arrival: Arrival,
  signal: AbortSignal,
): Promise<unknown> {
  const bytes = await readBytes(request, limits, arrival, signal);
  if (bytes.length === 0) throw new RequestProblems([{ ...MISSING, loc: ["body"] }]);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw invalidJson(0, "The body is not UTF-8 text");
  const outcome = parseJson(text, limits.maxDepth);
  if (!outcome.ok) {
    throw invalidJson(outcome.at, JSON_FAULTS[outcome.fault]);
  }
  if (outcome.value === null) throw new RequestProblems([{ ...MISSING, loc: ["body"] }]);
  const problems = brokenStrings(outcome.value);
  if (problems.length > 0) throw new RequestProblems(problems);
  return outcome.value;
}

/** The bytes of a body, decompressed. Throws `ServiceError`. */
export async function readBytes(
  request: Request,
  limits: BodyLimits,
  arrival: Arrival,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoding = contentEncoding(request.headers.get("content-encoding"));
  const announced = Number(request.headers.get("content-length") ?? Number.NaN);
  // The body is left unread: see `collect`.
  if (announced > limits.maxBytes) throw tooLarge(limits);
  const sent =
    announced <= ONE_PIECE_BYTES
      ? await inOnePiece(request, announced, limits, arrival, signal)
      : await collect(request.body, limits, arrival, signal);
  if (encoding === "identity" || sent.length === 0) return sent;
  // Decompressed from memory and not on arrival: a failure is then a gzip error and never a connection error.
  const unpacked = new Blob([sent]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return await collect(unpacked, limits, arrival, signal);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new RequestProblems([{ type: "gzip_invalid", loc: ["body"], msg: "The body is not valid gzip data" }]);
  }
}

/** Larger bodies are read as a stream. */
const ONE_PIECE_BYTES = 64 * 1024;

/** Without a stream, which costs workerd a third of a trivial request. */
async function inOnePiece(
  request: Request,
  announced: number,
  limits: BodyLimits,
  arrival: Arrival,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!arrival.expects(announced)) throw noRoom();
  const guard = stopping(limits.timeoutMs, arrival, signal);
  try {
    const bytes = new Uint8Array(await Promise.race([request.arrayBuffer(), guard.stopped]));
    if (bytes.length > limits.maxBytes) throw tooLarge(limits);
    return bytes;
  } finally {
    guard.clear();
  }
}

function contentEncoding(header: string | null): "identity" | "gzip" {
  const encoding = header?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return "identity";
  if (encoding === "gzip" || encoding === "x-gzip") return "gzip";
  const hint = "Send the body as it is, or compressed with gzip.";
  throw new ServiceError("UNSUPPORTED_ENCODING", "The content encoding of the body is not supported.", {
    metadata: { hint },
  });
}

/**
 * Discards the rest of a body over the limit: a connection whose body was read in part cannot be used again, and the local proxy
 * of `wrangler dev` answers the next request on it with 500 (measured; an unread body does no harm). A body that is much longer
 * is cut off.
 */
async function collect(
  stream: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
  arrival: Arrival,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const guard = stopping(limits.timeoutMs, arrival, signal);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), guard.stopped]);
      if (done) break;
      length += value.length;
      if (length > limits.maxBytes * DISCARDED_FACTOR) throw tooLarge(limits);
      const isKept = length <= limits.maxBytes;
      if (!arrival.received(value.length, isKept)) {
        throw noRoom();
      }
      if (isKept) chunks.push(value);
    }
  } catch (error) {
    // Otherwise the rest of a rejected body would keep arriving. The error is ignored, because no code reads the rest.
    reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    guard.clear();
  }
  if (length > limits.maxBytes) throw tooLarge(limits);
  return concatenated(chunks);
}

/** A rejected body is read to its end when it is at most this many times the limit. */
const DISCARDED_FACTOR = 2;

/** A promise that only rejects: a client that sends slowly must not hold resources without a limit. */
function stopping(
  milliseconds: number,
  arrival: Arrival,
  signal: AbortSignal,
): { readonly stopped: Promise<never>; clear(): void } {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  stopped.catch(() => undefined);
  const onAbort = (): void => reject(new ServiceError("CANCELLED", "The client closed the request."));
  void arrival.stopped.then((because) => {
    const late = `The body did not arrive within ${milliseconds / 1000} seconds.`;
    const slow = "The body arrived too slowly, or others needed its room.";
    reject(new ServiceError("BODY_TIMEOUT", because === "late" ? late : slow));
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  return {
    stopped,
    clear() {
      signal.removeEventListener("abort", onAbort);
    },
  };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

function noRoom(): ServiceError {
  return new ServiceError("OVERLOADED", "Too much arrives at once; try again shortly.");
}

function tooLarge(limits: BodyLimits): ServiceError {
  return new ServiceError("BODY_TOO_LARGE", `The body is larger than ${limits.maxBytes} bytes.`);
}

function invalidJson(at: number, error: string): RequestProblems {
  return new RequestProblems([{ type: "json_invalid", loc: ["body", at], msg: "JSON decode error", ctx: { error } }]);
}

/**
 * Strings, member names included, that UTF-8 cannot encode or that contain NUL. A lone surrogate would reach the source as
 * another character. Protocols of sources end a text at NUL, so the rest of the text would be read as another field.
 */
function brokenStrings(root: unknown): Problem[] {
  const problems: Problem[] = [];
  const path: (string | number)[] = ["body"];
  const check = (text: string): boolean => {
    const problem = brokenString(text);
    if (problem !== undefined) problems.push({ ...problem, loc: [...path] });
    return problem === undefined;
  };
  const visit = (value: unknown, step?: string | number): void => {
    if (problems.length >= MOST_PROBLEMS) return;
    if (step !== undefined) path.push(step);
    if (typeof value === "string") check(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) {
      for (const [name, item] of Object.entries(value)) if (check(name)) visit(item, name);
    }
    if (step !== undefined) path.pop();
  };
  visit(root);
  return problems;
}

/** Maximum number of reported problems. */
const MOST_PROBLEMS = 20;

function brokenString(text: string): Pick<Problem, "type" | "msg"> | undefined {
  if (!text.isWellFormed()) {
    return {
      type: "string_unicode",
      msg: "Input should be a valid string, unable to parse raw data as a unicode string",
    };
  }
  if (text.includes("\0")) return { type: "string_null", msg: "Input should not contain the NUL character" };
  return undefined;
}
