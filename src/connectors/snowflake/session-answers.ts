/**
 * Answers of the protocol of sessions, which all of Snowflake's drivers speak and no page of the manual describes: what is read of
 * them is what the maker's open drivers read (snowflake-connector-python `network.py`, `cursor.py`, `result_batch.py`;
 * snowflake-connector-nodejs `services/sf.js`, `connection/statement.js`). Held to their form before anything is read of them.
 */
import {
  type ApiError,
  array,
  count,
  type Json,
  notSnowflake,
  object,
  type RowType,
  rowTypeOf,
  textOf,
} from "./answers.ts";

/** What holds a session: the first goes with every request, the second with the one that renews both. */
export interface SessionTokens {
  readonly session: string;
  readonly master: string;
}

export interface SessionResult {
  readonly columns: readonly RowType[];
  readonly total: number;
  readonly format: "json" | "arrow";
  /** Rows that came with the answer: JSON's, or Arrow's stream in base64. */
  readonly rowset: readonly unknown[];
  readonly rowsetBase64: string;
  readonly chunks: readonly { readonly url: string; readonly rowCount: number }[];
  readonly chunkHeaders: Readonly<Record<string, string>>;
}

/** `undefined` where the answer says that something failed. */
export function dataIn(json: object): Json | undefined {
  const { success, data } = json as Json;
  return success === true ? ((data ?? {}) as Json) : undefined;
}

export function codeIn(json: object): string | undefined {
  return textOf((json as Json)["code"]);
}

export function errorInSession(json: object): ApiError {
  const { code, message, data } = json as Json;
  const { sqlState, errorCode } = (data ?? {}) as Json;
  if (typeof message !== "string" && code == null) throw notSnowflake();
  return {
    code: textOf(errorCode) ?? textOf(code),
    sqlState: textOf(sqlState),
    message: typeof message === "string" ? message : "Snowflake says nothing of what went wrong.",
  };
}

/** By which names they come differs between login and renewal. */
export function tokensIn(data: Json, names: { readonly session: string }): SessionTokens {
  const [session, master = ""] = [data[names.session], data["masterToken"]];
  if (!isToken(session) || (master !== "" && !isToken(master))) throw notSnowflake();
  return { session, master };
}

/** They become parts of headers, within quotes. */
function isToken(text: unknown): text is string {
  return typeof text === "string" && /^[\x21\x23-\x7e]{1,16384}$/.test(text);
}

/** Where a result will be asked for that is not there yet. */
export function resultPathIn(data: Json): string {
  const path = data["getResultUrl"];
  if (typeof path !== "string" || !/^\/queries\/[\w-]{1,128}\/result(?:\?[\w=&%-]{0,512})?$/.test(path))
    throw notSnowflake();
  return path;
}

export function sessionResult(data: Json): SessionResult {
  const { rowtype, total, queryResultFormat = "json", rowset, rowsetBase64, chunks, chunkHeaders, qrmk } = data;
  if (queryResultFormat !== "json" && queryResultFormat !== "arrow") throw notSnowflake();
  if (rowsetBase64 != null && typeof rowsetBase64 !== "string") throw notSnowflake();
  return {
    columns: array(rowtype).map(rowTypeOf),
    total: count(total),
    format: queryResultFormat,
    rowset: rowset == null ? [] : array(rowset),
    rowsetBase64: rowsetBase64 ?? "",
    chunks: chunks == null ? [] : array(chunks).map(chunkOf),
    chunkHeaders: chunkHeaders == null ? keyHeaders(qrmk) : headersOf(object(chunkHeaders)),
  };
}

function chunkOf(chunk: unknown): SessionResult["chunks"][number] {
  const { url, rowCount } = object(chunk);
  if (typeof url !== "string") throw notSnowflake();
  return { url, rowCount: count(rowCount) };
}

const ENCRYPTION = "x-amz-server-side-encryption-customer-";

/** What S3 decrypts an object by, which only whoever asked has. */
function keyHeaders(key: unknown): SessionResult["chunkHeaders"] {
  if (key == null) return {};
  return headersOf({ [`${ENCRYPTION}algorithm`]: "AES256", [`${ENCRYPTION}key`]: key });
}

/** Those of storages alone: an answer has nothing to say about any other header. */
function headersOf(given: Json): SessionResult["chunkHeaders"] {
  const headers = Object.entries(given).map(([name, value]): [string, string] => {
    const isOfStorage = /^x-(?:amz|goog|ms)-[a-z\d-]{1,64}$/i.test(name);
    if (!isOfStorage || typeof value !== "string" || !/^[\x20-\x7e]{0,1024}$/.test(value)) throw notSnowflake();
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(headers);
}
