/**
 * A planner and a data source that live in memory and do what a test tells them: they stand in for the real ones where
 * a test is about the service around them. Nothing here plans or runs SQL.
 */

import type { CatalogAnswers, CatalogRequest } from "../../src/connectors/catalog/types.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { Phases } from "../../src/guard/phases.ts";
import type { PlannerWarning } from "../../src/planner/diagnostics.ts";
import {
  analyseStatement,
  type CubeRequest,
  checkOfManifest,
  checkOfRelationship,
  checkOfRowCondition,
  describeManifest,
  loadManifest,
  type Manifest,
  manifestRemarks,
  type Outcome,
  originOf,
  type PlanRequest,
  substituteTables,
} from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { Plan } from "../../src/planner/plan.ts";
import type { Span } from "../../src/planner/syntax/tree.ts";
import type { Batch, Column, ResultStream, SourceWarning } from "../../src/result/types.ts";
import { KnownVariants } from "../../src/service/known-variants.ts";
import { createManifestCache } from "../../src/service/manifest-cache.ts";
import type { CallContext, Limits, Planner, Services, Sources } from "../../src/service/services.ts";

type Event =
  | "prepare"
  | "open"
  | "query"
  | "dryRun"
  | "catalog"
  | "next"
  | "abort"
  | "stream closed"
  | "connector closed";

/** Behaviour of the source; every member is optional. A step named in `hang` waits until the source is closed. */
export interface Script {
  readonly columns?: readonly Column[];
  readonly batches?: readonly Batch[];
  /** Thrown after the batches. */
  readonly lateError?: unknown;
  readonly prepareError?: unknown;
  readonly openError?: unknown;
  readonly queryError?: unknown;
  readonly dryRunError?: unknown;
  readonly catalogError?: unknown;
  readonly catalog?: Partial<CatalogAnswers>;
  readonly warnings?: readonly PlannerWarning[];
  /** Warnings that come with the columns. */
  readonly sourceWarnings?: readonly SourceWarning[];
  readonly hang?: "open" | "query" | "dryRun" | "catalog" | "batches";
}

class MemorySources implements Sources {
  readonly events: Event[] = [];
  readonly statements: Statement[] = [];
  /** Options that connectors were opened with, and options of their statements. */
  readonly opened: OpenOptions[] = [];
  readonly options: CallOptions[] = [];
  readonly requests: CatalogRequest[] = [];
  connectionInfo: Readonly<Record<string, unknown>> | undefined;
  script: Script;
  readonly #waiting: { readonly event: Event; readonly resolve: () => void }[] = [];

  constructor(script: Script = {}) {
    this.script = script;
  }

  /** Resolves when the event has happened, now or later. */
  happened(event: Event): Promise<void> {
    if (this.events.includes(event)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ event, resolve });
    });
  }

  record(event: Event): void {
    this.events.push(event);
    for (const waiter of this.#waiting) if (waiter.event === event) waiter.resolve();
  }

  prepare(source: string, connectionInfo: Readonly<Record<string, unknown>>) {
    this.record("prepare");
    this.connectionInfo = connectionInfo;
    const { prepareError, warnings = [] } = this.script;
    if (prepareError !== undefined) throw prepareError;
    return {
      warnings,
      identity: () => JSON.stringify([source, connectionInfo]),
      variantAt: (version: string) => ({ product: "memory", version: version.split(" ").slice(1).map(Number) }),
      open: (options: OpenOptions) => this.#open(options),
    };
  }

  async #open(options: OpenOptions): Promise<Connector> {
    this.record("open");
    this.opened.push(options);
    options.signal.addEventListener("abort", () => this.record("abort"), { once: true });
    const closed = Promise.withResolvers<void>();
    if (this.script.hang === "open")
      await new Promise<void>((resolve) => options.signal.addEventListener("abort", () => resolve()));
    if (this.script.openError !== undefined) throw this.script.openError;
    return new MemoryConnector(this, closed);
  }
}

class MemoryConnector implements Connector {
  readonly capabilities = { streaming: "rows", cancels: true, errorPositions: true } as const;
  readonly #sources: MemorySources;
  readonly #closed: PromiseWithResolvers<void>;

  constructor(sources: MemorySources, closed: PromiseWithResolvers<void>) {
    this.#sources = sources;
    this.#closed = closed;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const { script } = this.#sources;
    this.#sources.record("query");
    this.#sources.statements.push(statement);
    this.#sources.options.push(options);
    if (script.hang === "query") await this.#hang();
    if (script.queryError !== undefined) throw script.queryError;
    return this.#stream();
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const { script } = this.#sources;
    this.#sources.record("dryRun");
    this.#sources.statements.push(statement);
    this.#sources.options.push(options);
    if (script.hang === "dryRun") await this.#hang();
    if (script.dryRunError !== undefined) throw script.dryRunError;
    return { ...(script.sourceWarnings && { warnings: script.sourceWarnings }) };
  }

  async catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    const { script } = this.#sources;
    this.#sources.record("catalog");
    this.#sources.options.push(options);
    this.#sources.requests.push(request);
    if (script.hang === "catalog") await this.#hang();
    if (script.catalogError !== undefined) throw script.catalogError;
    const answers: CatalogAnswers = {
      tables: [],
      constraints: [],
      schemas: [],
      version: "memory 1",
      ...script.catalog,
    };
    return answers[request.kind as K];
  }

  async close(): Promise<void> {
    this.#sources.record("connector closed");
    this.#closed.resolve();
  }

  /** Like a source that only ends with its connection. */
  async #hang(): Promise<never> {
    await this.#closed.promise;
    throw new ConnectorFailure("UPSTREAM_PROTOCOL", "the connection was closed");
  }

  #stream(): ResultStream {
    const sources = this.#sources;
    const { columns = [{ name: "a", type: { kind: "int32" } }], batches = [[[1]]], lateError, hang } = sources.script;
    let closed = false;
    const hung = Promise.withResolvers<void>();
    async function* read(): AsyncGenerator<Batch, void, undefined> {
      for (const batch of batches) {
        sources.record("next");
        yield batch;
      }
      if (hang === "batches") {
        await hung.promise;
        throw new ConnectorFailure("UPSTREAM_PROTOCOL", "the stream was closed");
      }
      if (lateError !== undefined) throw lateError;
    }
    return {
      columns,
      warnings: sources.script.sourceWarnings,
      batches: read(),
      async close() {
        if (closed) return;
        closed = true;
        sources.record("stream closed");
        hung.resolve();
      },
    };
  }
}

/** A planner that says what the test wants it to say about every SQL. */
class ScriptedPlanner implements Planner {
  readonly requests: PlanRequest[] = [];
  answer: (request: PlanRequest) => Outcome<Plan>;
  origin: Span | undefined;

  constructor(answer: (request: PlanRequest) => Outcome<Plan> = (request) => ({ ok: true, value: planOf(request) })) {
    this.answer = answer;
  }

  plan(request: PlanRequest): Outcome<Plan> {
    this.requests.push(request);
    return this.answer(request);
  }

  /** Treats the JSON as SQL. */
  planCube({ cube, ...request }: CubeRequest): Outcome<Plan> {
    return this.plan({ ...request, sql: JSON.stringify(cube) });
  }

  /** For a plan, the test's origin; for a substitution, which is real, the true one. */
  originOf(text: Pick<Plan, "origins">, offset: number): Span | undefined {
    return this.origin ?? originOf(text, offset);
  }

  /** Text in, text out: nothing to script. */
  readonly manifestRemarks = manifestRemarks;
  readonly substituteTables = substituteTables;
  readonly analyseStatement = analyseStatement;
  readonly checkOfRelationship = checkOfRelationship;
  readonly checkOfRowCondition = checkOfRowCondition;
  readonly checkOfManifest = checkOfManifest;
  readonly describeManifest = describeManifest;
}

/** A plan of one column `a`, whose text shows what the planner was asked. */
export function planOf(request: PlanRequest, overrides: Partial<Plan> = {}): Plan {
  const limit = request.limit === undefined ? "" : ` LIMIT ${request.limit}`;
  return {
    dialect: request.source ?? "input",
    sql: `/* ${request.source ?? "input"} */ ${request.sql}${limit}`,
    columns: [{ name: "a", type: { kind: "integer", bits: 32 }, nullable: false }],
    session: [],
    reads: () => [],
    scans: () => new Map(),
    joinsMayFilter: () => false,
    lineage: () => [],
    descriptions: () => ({ objects: [], omitted: 0 }),
    restricted: false,
    rules: [],
    rowRules: "none",
    ruleProperties: () => [],
    volatile: false,
    warnings: [],
    origins: [],
    sourceTexts: [],
    cost: { nodes: 1, steps: 1 },
    ...overrides,
  };
}

/** A real manifest in which there is nothing. */
export function manifestNamed(catalog: string): Manifest {
  const loaded = loadManifest(Buffer.from(JSON.stringify({ catalog, schema: "s" })).toString("base64"), 1000);
  if (!loaded.ok) throw loaded.error;
  return loaded.value;
}

const MANIFEST = manifestNamed("c");

export interface TestServices extends Services {
  readonly planner: ScriptedPlanner;
  readonly sources: MemorySources;
}

export interface TestServiceOptions {
  readonly script?: Script;
  readonly limits?: Partial<Limits>;
  readonly connections?: Services["connections"];
  readonly load?: (base64: string) => Outcome<Manifest>;
  readonly queryCache?: Services["queryCache"];
  readonly projects?: Services["projects"];
}

export function testServices(options: TestServiceOptions = {}): TestServices {
  return {
    planner: new ScriptedPlanner(),
    sources: new MemorySources(options.script),
    connections: options.connections ?? new Map(),
    manifests: createManifestCache({
      maxLength: 1_000_000,
      maxEntries: 8,
      load: options.load ?? (() => ({ ok: true, value: MANIFEST })),
    }),
    limits: { applicationTimeoutMs: 60_000, statementTimeoutMs: 30_000, maxRows: undefined, ...options.limits },
    variants: new KnownVariants({ maxEntries: 8, milliseconds: 60_000 }),
    queryCache: options.queryCache,
    projects: options.projects,
    planOptions: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  };
}

export interface TestContext extends CallContext {
  /** Resolves when everything that was deferred has settled. */
  readonly settled: () => Promise<void>;
}

export function testContext(overrides: Partial<CallContext> = {}): TestContext {
  const deferred: Promise<unknown>[] = [];
  return {
    signal: new AbortController().signal,
    defer: (work) => deferred.push(work),
    correlationId: "5f3b1c52-0000-4000-8000-000000000000",
    caller: "anonymous",
    session: new Map(),
    connections: "all",
    ownConnections: true,
    most: {},
    traceHeaders: {},
    phases: new Phases(),
    timeZone: undefined,
    statementTimeoutMs: undefined,
    strict: false,
    stars: "every column",
    settled: async () => {
      await Promise.allSettled(deferred);
    },
    ...overrides,
  };
}
