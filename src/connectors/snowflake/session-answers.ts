/**
 * Responses of the session protocol, which all Snowflake drivers use and no manual describes. The members that are read are those
 * that Snowflake's open-source drivers read (snowflake-connector-python `network.py`, `cursor.py`, `result_batch.py`;
 * snowflake-connector-nodejs `services/sf.js`, `connection/statement.js`). Responses are validated before use.
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

/** The tokens of a session: the first is sent with every request, the second renews both. */
export interface SessionTokens {
  readonly session: string;
  readonly master: string;
}

export interface SessionResult {
  readonly columns: readonly RowType[];
  readonly total: number;
  readonly format: "json" | "arrow";
  /** Rows in the response: as JSON, or as an Arrow stream in base64. */
  readonly rowset: readonly unknown[];
  readonly rowsetBase64: string;
  readonly chunks: readonly { readonly url: string; readonly rowCount: number }[];
  readonly chunkHeaders: Readonly<Record<string, string>>;
}

/** `undefined` if the response reports a failure. */
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

/** The names of the tokens differ between login and renewal. */
export function tokensIn(data: Json, names: { readonly session: string }): SessionTokens {
  const [session, master = ""] = [data[names.session], data["masterToken"]];
  if (!isToken(session) || (master !== "" && !isToken(master))) throw notSnowflake();
  return { session, master };
}

/** The tokens become parts of headers, within quotes. */
function isToken(text: unknown): text is string {
  return typeof text === "string" && /^[\x21\x23-\x7e]{1,16384}$/.test(text);
}

/** The address for a result that is not ready yet. */
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

/** The key with which S3 decrypts an object; only the requester has it. */
function keyHeaders(key: unknown): SessionResult["chunkHeaders"] {
  if (key == null) return {};
  return headersOf({ [`${ENCRYPTION}algorithm`]: "AES256", [`${ENCRYPTION}key`]: key });
}

/** Allows only headers of storages: a response must not set any other header. */
function headersOf(given: Json): SessionResult["chunkHeaders"] {
  const headers = Object.entries(given).map(([name, value]): [string, string] => {
    const isOfStorage = /^x-(?:amz|goog|ms)-[a-z\d-]{1,64}$/i.test(name);
    if (!isOfStorage || typeof value !== "string" || !/^[\x20-\x7e]{0,1024}$/.test(value)) throw notSnowflake();
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(headers);
}
