/** One request on its way through the service: the data that each layer of the API adds, and its end. */
import type { Arrivals } from "../guard/arrivals.ts";
import { AuditTrail } from "../guard/audit.ts";
import type { Authenticator } from "../guard/authentication.ts";
import type { Caller } from "../guard/caller.ts";
import { correlationIdOf } from "../guard/correlation.ts";
import type { Meter } from "../guard/data-points.ts";
import { Phases } from "../guard/phases.ts";
import { NO_SECRETS, type Redactor } from "../guard/redactor.ts";
import { type Log, logRequest, type RequestRecord } from "../guard/request-log.ts";
import type { RequestRate } from "../guard/request-rate.ts";
import { type TraceContext, traceOf } from "../guard/trace-context.ts";
import { logLine } from "../log-line.ts";
import type { McpDoor } from "../mcp/use-cases.ts";
import type { ProfileName } from "../result/encode/profiles.ts";
import type { ServiceError } from "../service/failure.ts";
import type { InFlightGate, Place } from "../service/in-flight.ts";
import type { Readiness } from "../service/readiness.ts";
import type { PlannerWarning, Services } from "../service/services.ts";
import type { AnswerHolds } from "./answer-hold.ts";
import type { BodyLimits } from "./body.ts";
import type { Schema } from "./schemas.ts";

/** The parts that the API is built from; the same for all requests. */
export interface ApiOptions {
  readonly services: Services;
  readonly gate: InFlightGate;
  readonly arrivals: Arrivals;
  readonly authenticator: Authenticator;
  readonly requestRate: RequestRate;
  readonly meter: Meter;
  /** Setting `AUDIT`. */
  readonly audited: boolean;
  readonly readiness: () => Promise<Readiness>;
  /** The operator's session properties: names in lower case, values as SQL literal text. */
  readonly sessionProperties: ReadonlyMap<string, string>;
  readonly log: Log;
  readonly bodyLimits: BodyLimits;
  readonly answerHolds: AnswerHolds;
  /** Whether the platform returns header values as text or bytes (`guard/header-text.ts`). */
  readonly headersAre: "text" | "bytes";
  /** Shape of `/v2` answers (docs/decisions/0001-two-profiles.md); `/v3` is `modern`. */
  readonly v2Profile: ProfileName;
  /** Schema of `connectionInfo` per available data source, for the API's description. */
  readonly connectionShapes: Readonly<Record<string, Schema>>;
  /** Schemas of `sessionSettings`, a member of `connectionInfo`, of the sources that have it. */
  readonly sessionSettingShapes?: Readonly<Record<string, Schema>>;
  /** Setting `ALLOWED_ORIGINS`; none when absent. */
  readonly allowedOrigins?: readonly string[];
  /** Setting `PROJECTS_OPEN`. */
  readonly projectsOpen?: boolean;
  /** The MCP Worker, where one is bound. */
  readonly mcp?: McpDoor | undefined;
  readonly agents?: AgentAuthorization;
  /** Absent where the files of the page `/explore` are not bound. */
  readonly explorer?: Explorer | undefined;
}

/** How agents find the issuer of their tokens. */
export interface AgentAuthorization {
  /** Setting `MCP_RESOURCE`: the public address of `/mcp`. */
  readonly resource: string | undefined;
  /** Setting `JWT_ISSUER`. */
  readonly issuer: string | undefined;
  /** Setting `MCP_SCOPES`. */
  readonly scopes: readonly string[];
}

export interface Explorer {
  /** A file that `scripts/service/explorer-bundle.ts` has built: a static asset of a deployment, or of a directory that workerd serves. */
  readonly files: (name: string) => Promise<Response>;
  /** Setting `EXPLORER`; without it a service without authentication has the page on loopback only. */
  readonly setting: "on" | "off" | undefined;
  /** Setting `EXPLORER_HISTORY`. */
  readonly history?: "on" | "off";
  /** Settings `EXPLORER_CLIENT_ID`, `JWT_ISSUER` and `EXPLORER_SCOPES`; undefined where people bring a key or token. */
  readonly signIn?:
    | { readonly clientId: string; readonly issuer: string; readonly scopes: readonly string[] }
    | undefined;
}

/** The platform's functions for one request. */
export interface Platform {
  /** Keeps the isolate running after the answer (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

export type Outcome = Pick<RequestRecord, "errorCode" | "reason" | "rows" | "bytes" | "cache" | "ended" | "fault">;

export class Exchange {
  readonly request: Request;
  readonly url: URL;
  readonly options: ApiOptions;
  readonly defer: (work: Promise<unknown>) => void;
  readonly correlationId: string;
  readonly trace: TraceContext;
  readonly phases: Phases;
  readonly audit: AuditTrail | undefined;
  /** Contains the request's secrets once its body is parsed. */
  redactor: Redactor = NO_SECRETS;
  route = "none";
  /** Called once, when the exchange has ended. */
  onFinish: (() => void) | undefined;
  /** Parameters that `WWW-Authenticate` has besides its own. */
  challenge = "";
  dataSource: string | undefined;
  /** Once the caller may use it. */
  project: { readonly name: string; readonly version: string } | undefined;
  /** An error as the caller of the route may see it; the log has the error itself. */
  shownFailure: (error: ServiceError) => ServiceError = (error) => error;
  /** Undefined until the request is authenticated. */
  caller: Caller | undefined;
  outcome: Outcome = {};
  /** The guarantee of the last planned statement; undefined until there is one. */
  rowRules: string | undefined;
  /** Warnings about unknown names in the request; every answer includes them. */
  readonly remarks: PlannerWarning[] = [];
  /** The answer's body is still being sent; the code that sends it calls `finish`. */
  streaming = false;
  /** Held from the end of the body's arrival until the answer is complete or sent. */
  place: Place | undefined;
  /** The request of an agent that this one is a part of. */
  readonly #within: Exchange | undefined;
  readonly #startedAt = performance.now();
  #status = 0;
  #finished = false;

  constructor(request: Request, options: ApiOptions, platform: Platform, within?: Exchange) {
    this.request = request;
    this.url = new URL(request.url);
    this.options = options;
    this.defer = platform.defer;
    this.#within = within;
    this.caller = within?.caller;
    this.phases = within?.phases ?? new Phases();
    this.correlationId = within?.correlationId ?? correlationIdOf(request.headers.get("x-correlation-id"));
    this.audit = within === undefined ? (options.audited ? new AuditTrail() : undefined) : within.audit;
    this.trace = within?.trace ?? traceOf(request.headers.get("traceparent"), request.headers.get("tracestate"));
  }

  /** Headers that every answer carries (docs/spec/contract.md#parameters-and-headers). */
  seal(response: Response): Response {
    this.#status = response.status;
    response.headers.set("X-Correlation-ID", this.correlationId);
    response.headers.set("X-Process-Time", (this.#milliseconds() / 1000).toFixed(6));
    response.headers.set("X-Content-Type-Options", "nosniff");
    if (this.rowRules !== undefined) response.headers.set("x-row-rules", this.rowRules);
    if (this.project !== undefined) response.headers.set("x-project-version", this.project.version);
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    return response;
  }

  /** Writes the log line; only the first call has an effect. */
  finish(): void {
    if (this.#finished) return;
    if (this.#status === 0) {
      // All rows were read before the head of the answer was made; `seal` then finishes the exchange.
      this.streaming = false;
      return;
    }
    this.#finished = true;
    if (this.#within !== undefined) {
      // One line of the log for a request, with the outcome of its last use case.
      this.#within.outcome = this.outcome;
      this.#within.redactor = this.redactor;
      this.#within.rowRules = this.rowRules ?? this.#within.rowRules;
      return;
    }
    const { fault, ...outcome } = this.outcome;
    const { traceId, spanId, parentId } = this.trace;
    const record: RequestRecord = {
      method: this.request.method,
      route: this.route,
      ...(this.dataSource !== undefined && { dataSource: this.dataSource }),
      ...(this.project !== undefined && { project: this.project.name }),
      ...(this.caller !== undefined && { caller: this.caller.id }),
      status: this.#status,
      milliseconds: Math.round(this.#milliseconds()),
      phases: this.phases.finish(),
      correlationId: this.correlationId,
      traceId,
      spanId,
      ...(parentId !== undefined && { parentId }),
      ...outcome,
      ...(fault !== undefined && { fault: this.redactor.redact(fault) }),
    };
    logRequest(this.options.log, record);
    this.options.meter(record);
    if (this.audit !== undefined) this.defer(this.#writeAudit(this.audit, record));
    this.onFinish?.();
  }

  async #writeAudit(audit: AuditTrail, { caller, dataSource, route, status, reason, rows, ...record }: RequestRecord) {
    const asked = await audit.record();
    if (asked === undefined) return;
    const { correlationId, traceId, ended } = record;
    const outcome = { status, reason, rows, ended };
    const line = {
      level: "info",
      event: "audit",
      caller,
      route,
      dataSource,
      ...(this.project !== undefined && { project: this.project.name, projectVersion: this.project.version }),
      correlationId,
      traceId,
      ...asked,
      ...outcome,
    } as const;
    this.options.log(logLine(line));
  }

  #milliseconds(): number {
    return performance.now() - this.#startedAt;
  }
}
