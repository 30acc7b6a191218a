/** Converts an HTTP request to the arguments of a use case. Caller, parameters, body and session are checked in this order. */
import type * as z from "zod/mini";
import type { Arrival } from "../guard/arrivals.ts";
import { type Redactor, redactorFor, redactorOfBoth, redactorOfOperator } from "../guard/redactor.ts";
import { requestTexts } from "../guard/request-texts.ts";
import { resolveSession } from "../guard/session.ts";
import { traceHeaders } from "../guard/trace-context.ts";
import { connectionName } from "../service/connections.ts";
import { ServiceError } from "../service/failure.ts";
import type { CallContext } from "../service/services.ts";
import { readJsonBody } from "./body.ts";
import { callerOf } from "./callers.ts";
import type { Exchange } from "./exchange.ts";
import { ParameterReader } from "./parameters.ts";
import { type Problem, problemsOf, RequestProblems } from "./problems.ts";
import { remarkOnBody } from "./remarks.ts";
import type { RouteMatch } from "./route.ts";
import type { Schema } from "./schemas.ts";

export interface ReadRequest<Parameters, Body> {
  readonly parameters: Parameters;
  readonly body: Body;
  readonly context: CallContext;
}

/**
 * Reads everything and reports all problems at once. Throws `RequestProblems`, or `ServiceError` where reading cannot continue.
 * Afterwards the exchange has the secrets of the request.
 */
export async function readRequest<Parameters, Body extends z.ZodMiniType>(
  { exchange, version, route }: Pick<RouteMatch, "exchange" | "version" | "route">,
  schema: Schema<Body>,
  readParameters: (reader: ParameterReader) => Parameters,
): Promise<ReadRequest<Parameters, z.output<Body>>> {
  const { request, options } = exchange;
  const caller = callerOf(exchange);
  const reader = new ParameterReader(exchange.url.searchParams, request.headers);
  const parameters = readParameters(reader);
  const settings: Pick<CallContext, "statementTimeoutMs" | "timeZone" | "strict" | "stars"> = {
    statementTimeoutMs: reader.statementTimeout(),
    timeZone: reader.timeZone(),
    strict: reader.strict(),
    // Existing clients of /v2 select calculated columns by name (decisions K2).
    stars: version === "v2" ? "plain columns" : "every column",
  };
  const { body, place } = await arriving(exchange, async (arrival) => {
    const body = await exchange.phases.during("body", () =>
      readBody({ exchange, route }, schema, reader.problems, arrival),
    );
    arrival.complete();
    // Waiting bodies still count as arriving, which bounds their memory.
    const enter = () => options.gate.enter(caller.id, request.signal, caller.limits.concurrent);
    return { body, place: await exchange.phases.during("queue", enter) };
  });
  exchange.place = place;
  const given = sessionOf(body);
  const session = resolveSession({
    claims: caller.claims,
    bound: caller.bound,
    operator: options.sessionProperties,
    body: given,
    header: reader.sessionProperties(options.headersAre),
  });
  if (!session.ok) {
    const names = session.bound.join(", ");
    throw new ServiceError("SESSION_PROPERTY_BOUND", `Your credentials fix the session property ${names}.`);
  }
  const context: CallContext = {
    ...settings,
    signal: request.signal,
    makeWay: () => place.makeWay(),
    defer: exchange.defer,
    correlationId: exchange.correlationId,
    traceHeaders: traceHeaders(exchange.trace),
    phases: exchange.phases,
    audit: exchange.audit,
    planned: ({ rowRules }) => {
      exchange.rowRules = rowRules;
    },
    most: caller.limits,
    caller: caller.id,
    session: session.session,
    ...(given.size > 0 && { givenProperties: [...given.keys()] }),
    connections: caller.connections,
    ownConnections: caller.ownConnections,
  };
  return { parameters, body, context };
}

async function arriving<T>({ options }: Exchange, work: (arrival: Arrival) => Promise<T>): Promise<T> {
  const arrival = options.arrivals.begin(options.bodyLimits.timeoutMs);
  if (arrival === undefined)
    throw new ServiceError("OVERLOADED", "Too many requests arrive at once; try again shortly.");
  try {
    return await work(arrival);
  } finally {
    arrival.end();
  }
}

async function readBody<Body extends z.ZodMiniType>(
  { exchange, route }: Pick<RouteMatch, "exchange" | "route">,
  schema: Schema<Body>,
  problems: readonly Problem[],
  arrival: Arrival,
): Promise<z.output<Body>> {
  let raw: unknown;
  try {
    raw = await readJsonBody(exchange.request, exchange.options.bodyLimits, arrival, exchange.request.signal);
  } catch (error) {
    if (error instanceof RequestProblems) throw new RequestProblems([...problems, ...error.problems]);
    throw error;
  }
  const body = withAliases(raw);
  if (isRecord(body)) exchange.redactor = redactorOf(body, exchange);
  const parsed = schema().safeParse(body);
  if (!parsed.success) throw new RequestProblems([...problems, ...problemsOf(parsed.error.issues, body)]);
  if (problems.length > 0) throw new RequestProblems(problems);
  if (isRecord(body)) remarkOnBody(exchange, route, body, membersOf(schema()), SPELLED);
  return parsed.data;
}

function membersOf(schema: z.ZodMiniType): readonly string[] {
  const { shape = {} } = schema as { readonly shape?: Readonly<Record<string, unknown>> };
  return Object.keys(shape);
}

/** Hides the connection that the body brings, and the operator's that it names. */
function redactorOf(body: Record<string, unknown>, { options, request, url }: Exchange): Redactor {
  const { connectionInfo, connectionFilePath } = body;
  const own = redactorFor(connectionInfo);
  const { connections } = options.services;
  const named = [connectionName(connectionInfo), connectionFilePath].flatMap((name) =>
    typeof name === "string" ? (connections.get(name)?.hidden ?? []) : [],
  );
  if (named.length === 0) return own;
  // Header values and addresses are decoded as a caller would write a guess in them.
  const texts = () => requestTexts([body, [...request.headers], [...url.searchParams]]);
  return redactorOfBoth(own, redactorOfOperator(named, texts));
}

/** Members may also be written in snake case (contract §1.4); the documented name wins if both are sent. */
function withAliases(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const renamed = { ...body };
  for (const [name, alias] of ALIASES) {
    if (!Object.hasOwn(body, name) && Object.hasOwn(body, alias)) renamed[name] = body[alias];
  }
  return renamed;
}

const ALIASES = [
  ["manifestStr", "manifest_str"],
  ["connectionInfo", "connection_info"],
  ["connectionFilePath", "connection_file_path"],
  ["columnDtypes", "column_dtypes"],
  ["sessionProperties", "session_properties"],
  ["filterInfo", "filter_info"],
] as const;

const SPELLED = ALIASES.map(([, alias]) => alias);

/** `sessionProperties` of a body, with lower-case names. */
function sessionOf(body: unknown): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  const given = isRecord(body) ? body.sessionProperties : undefined;
  if (!isRecord(given)) return properties;
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    if (properties.has(key)) {
      throw new ServiceError("SESSION_PROPERTY_INVALID", `The session property ${key} is given twice.`);
    }
    if (typeof value === "string") properties.set(key, value);
  }
  return properties;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
