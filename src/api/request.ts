/** Converts an HTTP request to the arguments of a use case. Caller, parameters, body and session are checked in this order. */
import type * as z from "zod/mini";
import type { Arrival } from "../guard/arrivals.ts";
import type { Caller } from "../guard/caller.ts";
import { type Redactor, redactorFor, redactorOfBoth, redactorOfOperator } from "../guard/redactor.ts";
import { requestTexts } from "../guard/request-texts.ts";
import { resolveSession } from "../guard/session.ts";
import { traceHeaders } from "../guard/trace-context.ts";
import { connectionName } from "../service/connections.ts";
import { ServiceError } from "../service/failure.ts";
import type { Place } from "../service/in-flight.ts";
import type { UsedProject } from "../service/projects/open.ts";
import type { CallContext } from "../service/services.ts";
import { readJsonBody } from "./body.ts";
import { callerOf } from "./callers.ts";
import type { Exchange } from "./exchange.ts";
import { ParameterReader } from "./parameters.ts";
import { type Problem, problemsOf, RequestProblems } from "./problems.ts";
import { contextIn, refuseFixed, refuseFixedMembers, viewedSession } from "./project-request.ts";
import { remarkOnBody, remarkOnParameters } from "./remarks.ts";
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
  project?: UsedProject,
): Promise<ReadRequest<Parameters, z.output<Body>>> {
  const { request, options } = exchange;
  const caller = callerOf(exchange);
  const reader = new ParameterReader(exchange.url.searchParams, request.headers);
  const parameters = readParameters(reader);
  const settings = settingsIn(reader, version);
  const { body, place } = await arriving(exchange, async (arrival) => {
    const body = await exchange.phases.during("body", () =>
      readBody({ exchange, route }, schema, reader.problems, arrival, project),
    );
    arrival.complete();
    // Waiting bodies still count as arriving, which bounds their memory.
    return { body, place: await entered(exchange, caller) };
  });
  const given = sessionOf(body);
  const header = reader.sessionProperties(options.headersAre);
  const viewAs = isRecord(body) ? body.viewAs : undefined;
  const session = sessionFor(exchange, caller, { body: given, header }, { project, viewAs });
  const context: CallContext = {
    ...contextOf(exchange, caller, { settings, place, session, project }),
    ...(given.size > 0 && { givenProperties: [...given.keys()] }),
  };
  return { parameters, body, context };
}

type Settings = Pick<CallContext, "statementTimeoutMs" | "timeZone" | "strict" | "stars">;

function settingsIn(reader: ParameterReader, version: RouteMatch["version"]): Settings {
  return {
    statementTimeoutMs: reader.statementTimeout(),
    timeZone: reader.timeZone(),
    strict: reader.strict(),
    // Existing clients of /v2 select calculated columns by name (docs/decisions/0041-stars-of-v2.md).
    stars: version === "v2" ? "plain columns" : "every column",
  };
}

/** The same of a request without a body, on a project. */
export async function readBodiless<Parameters>(
  { exchange, version }: Pick<RouteMatch, "exchange" | "version">,
  readParameters: (reader: ParameterReader) => Parameters,
  project: UsedProject,
): Promise<Omit<ReadRequest<Parameters, undefined>, "body">> {
  const { request, options } = exchange;
  const caller = callerOf(exchange);
  const reader = new ParameterReader(exchange.url.searchParams, request.headers);
  const parameters = readParameters(reader);
  const settings = settingsIn(reader, version);
  if (reader.problems.length > 0) throw new RequestProblems(reader.problems);
  exchange.redactor = redactorOf({ connectionInfo: { name: project.pointer.connection } }, exchange);
  const header = reader.sessionProperties(options.headersAre);
  const session = sessionFor(exchange, caller, { body: new Map(), header }, { project, viewAs: undefined });
  const place = await entered(exchange, caller);
  return { parameters, context: contextOf(exchange, caller, { settings, place, session, project }) };
}

async function entered(exchange: Exchange, caller: Caller): Promise<Place> {
  const { gate } = exchange.options;
  const enter = () => gate.enter(caller.id, exchange.request.signal, caller.limits.concurrent);
  const place = await exchange.phases.during("queue", enter);
  exchange.place = place;
  return place;
}

interface GivenProperties {
  readonly body: ReadonlyMap<string, string>;
  readonly header: ReadonlyMap<string, string>;
}

function sessionFor(
  exchange: Exchange,
  caller: Caller,
  given: GivenProperties,
  { project, viewAs }: { readonly project: UsedProject | undefined; readonly viewAs: unknown },
): CallContext["session"] {
  const { sessionProperties: operator } = exchange.options;
  if (project !== undefined) refuseFixed(project, given);
  if (project !== undefined && viewAs !== undefined && viewAs !== null) {
    return viewedSession(exchange, caller, viewAs, operator);
  }
  const session = resolveSession({ claims: caller.claims, bound: caller.bound, operator, ...given });
  if (session.ok) return session.session;
  const names = session.bound.join(", ");
  throw new ServiceError("SESSION_PROPERTY_BOUND", `Your credentials fix the session property ${names}.`);
}

function contextOf(
  exchange: Exchange,
  caller: Caller,
  parts: {
    readonly settings: Settings;
    readonly place: Place;
    readonly session: CallContext["session"];
    readonly project: UsedProject | undefined;
  },
): CallContext {
  const { settings, place, session, project } = parts;
  return {
    ...settings,
    signal: exchange.request.signal,
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
    session,
    connections: caller.connections,
    ownConnections: caller.ownConnections,
    ...(project !== undefined && contextIn(project, caller, settings)),
  };
}

/** Counts a body among those that arrive. Throws `OVERLOADED`. */
export async function arriving<T>({ options }: Exchange, work: (arrival: Arrival) => Promise<T>): Promise<T> {
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
  project: UsedProject | undefined,
): Promise<z.output<Body>> {
  let raw: unknown;
  try {
    raw = await readJsonBody(exchange.request, exchange.options.bodyLimits, arrival, exchange.request.signal);
  } catch (error) {
    if (error instanceof RequestProblems) throw new RequestProblems([...problems, ...error.problems]);
    throw error;
  }
  const body = withAliases(raw);
  if (isRecord(body)) {
    if (project !== undefined) refuseFixedMembers(body);
    const connection = project === undefined ? {} : { connectionInfo: { name: project.pointer.connection } };
    exchange.redactor = redactorOf({ ...body, ...connection }, exchange);
  }
  if (isRecord(body) && project === undefined) dropParametersOfRule(body, exchange, route);
  const parsed = schema().safeParse(body);
  if (!parsed.success) throw new RequestProblems([...problems, ...problemsOf(parsed.error.issues, body)]);
  if (problems.length > 0) throw new RequestProblems(problems);
  if (isRecord(body)) remarkOnBody(exchange, route, body, membersOf(schema()), SPELLED);
  return parsed.data;
}

/**
 * Existing clients send the parameters of a validation rule, which are an object, to every operation: they mean nothing to a
 * statement, whose parameters are a list.
 */
function dropParametersOfRule(body: Record<string, unknown>, exchange: Exchange, route: RouteMatch["route"]): void {
  if (route.operation === "validate" || !isRecord(body.parameters)) return;
  delete body.parameters;
  remarkOnParameters(exchange, route);
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

/** Members may also be written in snake case (docs/spec/contract.md#request-bodies); the documented name wins if both are sent. */
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
