/**
 * Responses of BigQuery's REST API, validated before use (https://cloud.google.com/bigquery/docs/reference/rest/v2/jobs/query,
 * …/jobs/getQueryResults).
 */

import { ConnectorFailure } from "../failure.ts";
import { jsonAnswer } from "../http/json-answer.ts";

/** Limit for texts that appear in answers and logs; a server may send any amount. */
export const MAX_TEXT = 4096;

export interface QueryAnswer {
  /** Undefined if no job was created. */
  readonly job: Job | undefined;
  readonly isComplete: boolean;
  /** Empty if there is no result: every query has columns. */
  readonly fields: readonly Field[];
  /** Each row contains the values of its columns. */
  readonly rows: readonly (readonly unknown[])[];
  readonly totalRows: number | undefined;
  readonly pageToken: string | undefined;
  /** In a dry run: the bytes that the statement would read. */
  readonly bytesProcessed: bigint | undefined;
  /** Errors, which do not always end the job. */
  readonly errors: readonly ApiError[];
}

/** Identifies a job in requests; the location is part of its identity. */
export interface Job {
  readonly project: string;
  readonly id: string;
  readonly location: string | undefined;
}

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#TableFieldSchema */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRepeated: boolean;
  readonly fields: readonly Field[];
  readonly precision: number | undefined;
  readonly scale: number | undefined;
  /** Fraction digits of a TIMESTAMP, if not six. */
  readonly timestampPrecision: string | undefined;
  readonly rangeElement: string | undefined;
}

/** https://cloud.google.com/bigquery/docs/error-messages */
export interface ApiError {
  readonly reason: string | undefined;
  readonly message: string;
}

/** Google's responses are JSON for every status; a proxy's page is not. */
export function isJson(_status: number, headers: Headers): boolean {
  return /^application\/json\b/i.test(headers.get("content-type") ?? "");
}

/** A JSON object. Rejects with `UPSTREAM_PROTOCOL` for anything else, and with the errors of reading the body. */
export const jsonOf = (response: Response): Promise<object> =>
  jsonAnswer(response, (cause) => notBigQuery(undefined, cause));

export function queryAnswer(json: object): QueryAnswer {
  const { jobReference, jobComplete, schema, rows, totalRows, pageToken, totalBytesProcessed, errors } = json as Json;
  return {
    job: jobReference == null ? undefined : jobOf(jobReference),
    isComplete: jobComplete === true,
    fields: fieldsOf(object(schema)["fields"], 0),
    rows: array(rows).map(rowOf),
    totalRows: totalRows == null ? undefined : Number(digits(totalRows)),
    pageToken: textOf(pageToken),
    bytesProcessed: totalBytesProcessed == null ? undefined : BigInt(digits(totalBytesProcessed)),
    errors: array(errors).map(errorOf),
  };
}

/** The error in a response with an error status; undefined if it contains none. */
export function errorIn(json: object): ApiError | undefined {
  const { error } = json as Json;
  if (typeof error !== "object" || error === null) return undefined;
  const { message, errors, status } = error as Json;
  const [first] = array(errors).map(errorOf);
  const text = textOf(message) ?? first?.message;
  return text === undefined ? undefined : { reason: first?.reason ?? textOf(status), message: text };
}

/** Job names become parts of addresses. A dry run has a reference without a name. */
function jobOf(reference: unknown): Job | undefined {
  const { projectId: project, jobId: id, location } = object(reference);
  if (id == null || id === "") return undefined;
  if (typeof project !== "string" || typeof id !== "string" || !/^[\w-]{1,1024}$/.test(id)) throw notBigQuery();
  return { project, id, location: textOf(location) };
}

const MAX_DEPTH = 100;

/** Columns, or the fields of a struct. */
export function fieldsOf(fields: unknown, depth: number): readonly Field[] {
  if (depth > MAX_DEPTH) throw notBigQuery("A column is nested too deeply.");
  return array(fields).map((field) => {
    const { name, type, mode, precision, scale, timestampPrecision, rangeElementType } = object(field);
    if (typeof type !== "string") throw notBigQuery();
    return {
      name: typeof name === "string" ? name : "",
      type: type.toUpperCase(),
      isRepeated: mode === "REPEATED",
      fields: fieldsOf(object(field)["fields"], depth + 1),
      precision: precision == null ? undefined : Number(digits(precision)),
      scale: scale == null ? undefined : Number(digits(scale)),
      timestampPrecision: timestampPrecision == null ? undefined : String(timestampPrecision),
      rangeElement: textOf(object(rangeElementType)["type"])?.toUpperCase(),
    };
  });
}

/** `{"f": [{"v": …}, …]}` */
export function rowOf(row: unknown): readonly unknown[] {
  const { f: cells } = object(row);
  if (!Array.isArray(cells)) throw notBigQuery("The answer has a row without values.");
  return cells.map(valueOf);
}

/** `{"v": …}`; without it the value is NULL. */
export function valueOf(cell: unknown): unknown {
  return object(cell)["v"] ?? null;
}

function errorOf(error: unknown): ApiError {
  const { reason, message } = object(error);
  return { reason: textOf(reason), message: textOf(message) ?? "The statement failed." };
}

type Json = Readonly<Record<string, unknown>>;

/** An absent object has no members. */
export function object(json: unknown): Json {
  if (json == null) return {};
  if (typeof json !== "object") throw notBigQuery();
  return json as Json;
}

export function array(json: unknown): readonly unknown[] {
  if (json == null) return [];
  if (!Array.isArray(json)) throw notBigQuery();
  return json;
}

export function textOf(json: unknown): string | undefined {
  return typeof json === "string" && json !== "" ? json : undefined;
}

/** 64-bit integers are strings in Google's JSON. */
function digits(json: unknown): string {
  const text = String(json);
  if (!/^\d{1,18}$/.test(text)) throw notBigQuery();
  return text;
}

export function notBigQuery(what = "The answer is not that of BigQuery's API.", cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", what, {
    hint: "Check proxies and firewalls between the service and Google's hosts.",
    cause,
  });
}
