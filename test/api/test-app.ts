/** The API over a planner and a source in memory, called as the platform calls it. */
import type { AnswerHolds } from "../../src/api/answer-hold.ts";
import { createApp } from "../../src/api/app.ts";
import type { ApiOptions } from "../../src/api/exchange.ts";
import { readWorkerSettings } from "../../src/config.ts";
import { type ArrivalLimits, Arrivals } from "../../src/guard/arrivals.ts";
import { type Authenticator, createAuthenticator } from "../../src/guard/authentication.ts";
import { createRequestRate } from "../../src/guard/request-rate.ts";
import { loadManifest, plan } from "../../src/planner/index.ts";
import { createInFlightGate, type InFlightGate, type InFlightLimits } from "../../src/service/in-flight.ts";
import { type TestServiceOptions, type TestServices, testServices } from "../service/in-memory.ts";

/** `npm run attacks` also runs tests over an older `src/`, which has no such module. */
const holds = await import("../../src/api/answer-hold.ts").then(
  (module) => ({ begun: new module.AnswerHolds({ milliseconds: 1000, bytes: 65_536 }) }),
  () => undefined,
);

export interface TestAppOptions extends TestServiceOptions {
  readonly api?: Partial<ApiOptions>;
  readonly places?: number;
  readonly gate?: Partial<InFlightLimits>;
  readonly arrivals?: Partial<ArrivalLimits>;
}

export interface TestApp {
  readonly services: TestServices;
  readonly gate: InFlightGate;
  readonly arrivals: Arrivals;
  /** One parsed log line per finished request. */
  readonly logged: Record<string, unknown>[];
  /** A path, or an address with another host. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** POST with a JSON body. */
  post(path: string, body: unknown, headers?: NonNullable<RequestInit["headers"]>): Promise<Response>;
  /** Resolves when everything deferred so far has settled. */
  settled(): Promise<void>;
}

export function testApp(options: TestAppOptions = {}): TestApp {
  const services = testServices(options);
  const gate = createInFlightGate({ places: options.places ?? 8, waitMs: 0, holdMs: 60_000, ...options.gate });
  const arrivals = new Arrivals({ bodies: 64, bytes: 16_000_000, bytesPerSecond: 0, ...options.arrivals });
  const logged: Record<string, unknown>[] = [];
  const deferred: Promise<unknown>[] = [];
  const app = createApp({
    services,
    gate,
    arrivals,
    authenticator: testAuthenticator(),
    readiness: async () => ({ status: "ready", parts: { settings: "ok" } }),
    meter: () => undefined,
    audited: false,
    requestRate: createRequestRate(undefined),
    sessionProperties: new Map(),
    log: (line) => logged.push(JSON.parse(line) as Record<string, unknown>),
    answerHolds: holds?.begun as AnswerHolds,
    bodyLimits: { maxBytes: 100_000, timeoutMs: 30_000, maxDepth: 64 },
    headersAre: "bytes",
    v2Profile: "classic",
    connectionShapes: {},
    ...options.api,
  });
  const fetch = (path: string, init: RequestInit = {}): Promise<Response> =>
    app(new Request(path.startsWith("http:") ? path : `http://siskin.test${path}`, init), {
      defer: (work) => deferred.push(work),
    });
  return {
    services,
    gate,
    arrivals,
    logged,
    fetch,
    post: (path, body, headers = {}) => fetch(path, { method: "POST", body: JSON.stringify(body), headers }),
    settled: async () => {
      await Promise.allSettled(deferred);
    },
  };
}

/** By these settings; fails with what is wrong with them. `fetch` is the platform's. */
export function testAuthenticator(
  settings: Readonly<Record<string, string>> = { AUTH: "none" },
  now?: () => number,
): Authenticator {
  const outcome = readWorkerSettings(settings);
  if (!outcome.ok) throw new Error(outcome.problems.join("\n"));
  return createAuthenticator(outcome.settings, { fetch, ...(now !== undefined && { now }) });
}

/** Like `testApp`, with the real planner and real manifests. */
export function planningApp(options: TestAppOptions = {}): TestApp {
  const app = testApp({ load: (base64) => loadManifest(base64, 1_000_000), ...options });
  app.services.planner.answer = plan;
  return app;
}

/** A `manifestStr`. */
export function encoded(manifest: object): string {
  return Buffer.from(JSON.stringify({ catalog: "wren", schema: "public", ...manifest })).toString("base64");
}

export const QUERY = { sql: "SELECT a FROM m", manifestStr: "bTE=", connectionInfo: { host: "db.test" } } as const;

export interface ErrorBody {
  readonly errorCode: string;
  readonly message: string;
  readonly metadata: Record<string, unknown> | null;
  readonly phase: string | null;
  readonly timestamp: string;
  readonly correlationId: string;
}

export async function errorOf(response: Response): Promise<ErrorBody> {
  return (await response.json()) as ErrorBody;
}

export async function detailOf(response: Response): Promise<{ type: string; loc: (string | number)[]; msg: string }[]> {
  return ((await response.json()) as { detail: { type: string; loc: (string | number)[]; msg: string }[] }).detail;
}
