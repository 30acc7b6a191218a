/** `POST …/{data_source}/query`: rows in the format the caller accepts, or a dry run. */
import type { output, ZodMiniType } from "zod/mini";
import { type ColumnDtypes, parseColumnDtypes } from "../../result/conversion/column-dtypes.ts";
import { convertColumns } from "../../result/conversion/convert.ts";
import type { Encoder } from "../../result/encode/encoder.ts";
import { FORMATS } from "../../result/encode/encoders.ts";
import type { ProfileName } from "../../result/encode/profiles.ts";
import { Batches } from "../../result/stream/batches.ts";
import { prefetch } from "../../result/stream/prefetch.ts";
import type { ResultStream } from "../../result/types.ts";
import { ServiceError } from "../../service/failure.ts";
import type { Question } from "../../service/planning.ts";
import { dryRun, type QueryAnswer, type QueryRequest, query } from "../../service/query.ts";
import type { CallContext, Services } from "../../service/services.ts";
import { toServiceError } from "../../service/translate.ts";
import { negotiate } from "../accept.ts";
import { answerBody } from "../answer-body.ts";
import { cacheHeaders, cacheOutcome, cacheRequestOf } from "../cache-headers.ts";
import { type ConnectionFields, connectionInfoOf } from "../connection-fields.ts";
import type { Exchange } from "../exchange.ts";
import { lateFailureOf, withLateFailures } from "../late-failure.ts";
import { alternatives, RequestProblems } from "../problems.ts";
import { readRequest } from "../request.ts";
import { errorBody, noteFailure } from "../responses.ts";
import type { Handler, RouteMatch } from "../route.ts";
import { cubeBody, queryBody, type Schema } from "../schemas.ts";
import { dataSourceOf, known, warningHeaders, withPlace } from "./handler.ts";

/** Members of the bodies of all operations that answer with rows. */
interface RowsBody extends ConnectionFields {
  readonly manifestStr: string;
  readonly columnDtypes?: Readonly<Record<string, string>> | null | undefined;
}

export const handleQuery = rowsHandler("query", queryBody, ({ sql, parameters }) => ({
  sql,
  parameters: parameters ?? undefined,
}));

/** `POST …/{data_source}/cube`: like a query, with a structured query instead of SQL (docs/decisions/0006-own-routes.md). */
export const handleCube = rowsHandler("cube", cubeBody, ({ cube, parameters }) => ({
  cube,
  parameters: parameters ?? undefined,
}));

function rowsHandler<Body extends ZodMiniType<RowsBody>>(
  rows: "query" | "cube",
  schema: Schema<Body>,
  questionIn: (body: output<Body>) => Question,
): Handler {
  return (match) =>
    withPlace(match.exchange, async (release) => {
      const { exchange } = match;
      const { parameters, body, context } = await readRequest(match, schema, (reader) => ({
        source: dataSourceOf(match, reader),
        dryRun: reader.flag("dryRun"),
        limit: reader.limit(),
        endLine: reader.headerFlag("endLine"),
        columnTypes: reader.headerFlag("columnTypes"),
        cache: { enable: reader.flag("cacheEnable"), override: reader.flag("overrideCache") },
      }));
      const { services } = exchange.options;
      const columnDtypes = columnDtypesOf(body.columnDtypes ?? {});
      const request: QueryRequest = {
        ...questionIn(body),
        source: known(parameters.source),
        manifestStr: body.manifestStr,
        connectionInfo: connectionInfoOf(body, parameters.dryRun ? "dryRun" : rows, services),
        limit: parameters.limit,
        shownColumns: [...columnDtypes.keys()],
        cache: cacheRequestOf(parameters.cache, exchange.request.headers.get("cache-control")),
      };
      return answerRows(match, { services, context, request, columnDtypes, ...parameters, release });
    });
}

/** A query with rows as its answer, or with none if it is only checked. */
export interface RowsAnswer {
  readonly services: Services;
  readonly context: CallContext;
  readonly request: QueryRequest;
  readonly columnDtypes: ColumnDtypes;
  readonly dryRun: boolean;
  readonly endLine: boolean;
  readonly columnTypes: boolean;
  readonly release: () => void;
  /** A content type, where the request does not decide by Accept. */
  readonly accept?: string;
}

export async function answerRows(match: RouteMatch, asked: RowsAnswer): Promise<Response> {
  const { exchange } = match;
  const { services, context, request, columnDtypes, endLine, columnTypes, release } = asked;
  if (asked.dryRun) {
    const { bytes, warnings } = await dryRun(services, context, request);
    const headers = {
      ...(bytes !== undefined && { "X-Bytes-Processed": String(bytes) }),
      ...warningHeaders(exchange, warnings, request.sql),
    };
    return new Response(null, { status: 204, headers });
  }
  const encoder = await acceptedEncoder(asked.accept ?? exchange.request.headers.get("accept"));
  const answer = await query(services, context, request);
  const begun = await firstRows(answer, encoder, columnDtypes, context.timeZone);
  exchange.phases.end("firstRow");
  exchange.phases.begin("lastRow");
  return answered(match, encoder, answer, {
    rows: moving(begun, () => exchange.place?.moved()),
    columnDtypes,
    zone: context.timeZone,
    endLine,
    columnTypes,
    sql: request.sql,
    release,
  });
}

async function acceptedEncoder(accept: string | null): Promise<Encoder> {
  const types = FORMATS.map((format) => format.contentType);
  const type = negotiate(accept, types);
  const format = FORMATS.find(({ contentType }) => contentType === type);
  if (format !== undefined) return format.load();
  const metadata = { hint: `Available: ${types.join(", ")}.` };
  throw new ServiceError("NOT_ACCEPTABLE", "None of the formats in Accept is available.", {
    operation: "query",
    metadata,
  });
}

export function columnDtypesOf(requested: Readonly<Record<string, string>>): ColumnDtypes {
  const parsed = parseColumnDtypes(requested);
  if (parsed.ok) return parsed.dtypes;
  const msg = `Input should be ${alternatives(parsed.allowed)}`;
  throw new RequestProblems(
    parsed.columns.map((column) => ({ type: "enum", loc: ["body", "columnDtypes", column], msg })),
  );
}

/** A failure before or in the first rows still gets an error status (docs/decisions/0008-failure-behind-the-first-byte.md). */
async function firstRows(
  answer: QueryAnswer,
  encoder: Encoder,
  columnDtypes: ColumnDtypes,
  zone: string | undefined,
): Promise<ResultStream> {
  try {
    const rows = convertColumns(answer.rows, columnDtypes, zone);
    return withLateFailures(await prefetch(encoder.checked?.(rows) ?? rows));
  } catch (error) {
    await answer.rows.close();
    throw toServiceError(error, { operation: "query" });
  }
}

/** A source that sends and a reader that reads keep their request slot, however long the answer takes. */
function moving(stream: ResultStream, moved: () => void): ResultStream {
  moved();
  const next: typeof stream.batches.next = () => {
    moved();
    return stream.batches.next();
  };
  const batches = new Batches(next, () => stream.batches.return?.());
  return { columns: stream.columns, batches, close: () => stream.close() };
}

interface StreamedAnswer {
  readonly rows: ResultStream;
  readonly columnDtypes: ColumnDtypes;
  readonly zone: string | undefined;
  readonly endLine: boolean;
  readonly columnTypes: boolean;
  /** The SQL of the caller, if the request contains any. */
  readonly sql: string | undefined;
  readonly release: () => void;
}

async function answered(
  match: RouteMatch,
  encoder: Encoder,
  answer: QueryAnswer,
  parts: StreamedAnswer,
): Promise<Response> {
  const { exchange } = match;
  exchange.streaming = true;
  if (answer.cache !== undefined) exchange.outcome = { ...exchange.outcome, cache: cacheOutcome(answer.cache) };
  exchange.defer(answer.ended.then((cause) => settle(exchange, cause, parts.release)));
  const encoded = encoder.begin(parts.rows, {
    profile: profileOf(match),
    zone: parts.zone,
    columnDtypes: parts.columnDtypes,
    endLine: parts.endLine,
    columnTypes: parts.columnTypes,
    describeFailure: (error) => errorBody(lateFailureOf(error), exchange),
    onEnd(end) {
      exchange.outcome = {
        ...exchange.outcome,
        rows: end.rows,
        bytes: end.bytes,
        ...(end.outcome !== "complete" && { ended: end.outcome }),
      };
      if (end.outcome === "failed") noteFailure(lateFailureOf(end.error), exchange);
      exchange.finish();
    },
  });
  const body = await answerBody(encoded, exchange.options.answerHolds, () => exchange.place?.moved()).catch((error) => {
    // Nothing was sent: the log line is that of a failed request.
    const { rows: _rows, bytes: _bytes, ended: _ended, ...outcome } = exchange.outcome;
    exchange.outcome = outcome;
    throw lateFailureOf(error);
  });
  return new Response(body, {
    headers: {
      "Content-Type": [encoder.contentType, ...(encoder.parameters ?? [])].join("; "),
      ...cacheHeaders(answer.cache),
      Vary: "Accept",
      ...warningHeaders(exchange, answer.warnings, parts.sql),
    },
  });
}

/**
 * Also called when the client disconnects or the time limit passes while nobody reads. The encoder is not notified then, but the
 * request slot must not stay taken while a client stalls, and the request still gets its log line.
 */
function settle(exchange: Exchange, cause: ServiceError | undefined, release: () => void): void {
  release();
  if (cause === undefined) return;
  noteFailure(cause, exchange);
  exchange.outcome = { ...exchange.outcome, ended: cause.reason === "CANCELLED" ? "cancelled" : "failed" };
  exchange.finish();
}

/** The profile of the API version (docs/decisions/0001-two-profiles.md). */
export function profileOf(match: Pick<RouteMatch, "version"> & { readonly exchange: Exchange }): ProfileName {
  return match.version === "v2" ? match.exchange.options.v2Profile : "modern";
}
