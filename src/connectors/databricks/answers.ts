/**
 * Responses of the Statement Execution API, validated before use (https://docs.databricks.com/api/workspace/statementexecution).
 */

import { ConnectorFailure } from "../failure.ts";
import { jsonAnswer } from "../http/json-answer.ts";

/** Limit for texts that appear in answers and logs; a server may send any amount. */
export const MAX_TEXT = 4096;

export interface StatementAnswer {
  readonly id: string;
  readonly state: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELED" | "CLOSED";
  readonly error: StatementError;
  /** Present for a statement that has succeeded. */
  readonly manifest: Manifest | undefined;
  readonly links: readonly ExternalLink[];
}

export interface StatementError {
  readonly message: string | undefined;
  /** `BAD_REQUEST`, `INTERNAL_ERROR` …: codes of the service, not of the engine. */
  readonly code: string | undefined;
  readonly sqlState: string | undefined;
}

export interface Manifest {
  readonly columns: readonly { readonly name: string; readonly typeText: string }[];
  readonly chunks: number;
  readonly rows: number;
  /** Rows are missing. */
  readonly isTruncated: boolean;
}

/** The address of a chunk of rows, valid for a quarter of an hour. Anyone with the address may read it. */
export interface ExternalLink {
  readonly chunk: number;
  /** Number of rows in the chunks before. */
  readonly rowOffset: number;
  readonly rowCount: number;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly expires: number | undefined;
  /** Headers that the storage requires. */
  readonly headers: Readonly<Record<string, string>>;
  readonly nextChunk: number | undefined;
}

const STATES: ReadonlySet<unknown> = new Set(["PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELED", "CLOSED"]);

/** Hosts of Databricks, whose texts may be passed on: any other host may be an unrelated service. */
export function isDatabricks(host: string): boolean {
  return /\.(?:databricks\.com|azuredatabricks\.net|databricks\.azure\.(?:us|cn)|databricks\.us|databricks\.mil)$/.test(
    host,
  );
}

/** A JSON object. Rejects with `UPSTREAM_PROTOCOL` for anything else, and with the errors of reading the body. */
export const jsonOf = (response: Response): Promise<object> =>
  jsonAnswer(response, (cause) => notDatabricks("", cause));

export function statementAnswer(json: object): StatementAnswer {
  const { statement_id: id, status, manifest, result } = json as Json;
  const { state, error, sql_state: sqlState } = object(status);
  // The id becomes part of addresses.
  if (typeof id !== "string" || !/^[\w-]{1,128}$/.test(id) || !STATES.has(state)) throw notDatabricks();
  const { message, error_code: code } = object(error);
  return {
    id,
    state: state as StatementAnswer["state"],
    error: { message: textOf(message), code: textOf(code), sqlState: textOf(sqlState) },
    manifest: manifest == null ? undefined : manifestOf(manifest),
    links: linksIn(object(result)),
  };
}

function manifestOf(manifest: unknown): Manifest {
  const { format, schema, total_chunk_count, total_row_count, truncated, result_compression } = object(manifest);
  const { columns = [] } = object(schema);
  const isRead =
    format === "ARROW_STREAM" &&
    Array.isArray(columns) &&
    (result_compression === undefined || result_compression === "NONE");
  if (!isRead) throw notDatabricks();
  return {
    columns: columns.map((column) => {
      const { name, type_text: typeText } = object(column);
      if (typeof name !== "string" || typeof typeText !== "string") throw notDatabricks();
      return { name, typeText };
    }),
    chunks: count(total_chunk_count),
    rows: count(total_row_count),
    isTruncated: truncated === true,
  };
}

/** The links in a `result`, or in the response about one chunk. */
export function linksIn(json: object): readonly ExternalLink[] {
  const { external_links: links = [] } = json as Json;
  if (!Array.isArray(links)) throw notDatabricks();
  return links.map((link) => {
    const { chunk_index, row_offset, row_count, external_link: url, expiration, next_chunk_index } = object(link);
    if (typeof url !== "string") throw notDatabricks();
    const expires = Date.parse(textOf(expiration) ?? "");
    return {
      chunk: count(chunk_index),
      rowOffset: count(row_offset),
      rowCount: count(row_count),
      url,
      expires: Number.isNaN(expires) ? undefined : expires,
      headers: headersOf(object(link)["http_headers"]),
      nextChunk: next_chunk_index == null ? undefined : count(next_chunk_index),
    };
  });
}

/** Mostly keys of encrypted storage. Headers for authentication or the host are not allowed. */
function headersOf(given: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(object(given));
  if (!entries.every(([name, value]) => /^x-[a-z\d-]+$/i.test(name) && /^[\x20-\x7e]*$/.test(String(value)))) {
    throw notDatabricks("A part of the rows is to be asked for with headers that are not a storage's.");
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

type Json = Readonly<Record<string, unknown>>;

/** An absent object has no members. */
function object(json: unknown): Json {
  if (json == null) return {};
  if (typeof json !== "object") throw notDatabricks();
  return json as Json;
}

function textOf(json: unknown): string | undefined {
  return typeof json === "string" && json !== "" ? json : undefined;
}

/** Messages omit a count of 0. */
function count(json: unknown): number {
  const value = json == null ? 0 : json;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw notDatabricks();
  return value;
}

export function notDatabricks(what = "", cause?: unknown): ConnectorFailure {
  const message = what === "" ? "The answer is not that of Databricks' Statement Execution API." : what;
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message, {
    hint: "Check that serverHostname is the host of a Databricks workspace.",
    cause,
  });
}
