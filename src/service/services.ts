/** What the use cases work with. Built once per isolate by the Worker's entry file; tests build their own. */
import type { QueryCache } from "../cache/query-cache.ts";
import type { Connector, OpenOptions } from "../connectors/connector.ts";
import type { AuditTrail } from "../guard/audit.ts";
import type { UsableConnections } from "../guard/caller.ts";
import type { Phases } from "../guard/phases.ts";
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type {
  AnalyseRequest,
  CubeRequest,
  Manifest,
  ManifestCheckRequest,
  ManifestReport,
  Outcome,
  PlanOptions,
  PlanRequest,
  QueryAnalysis,
  RelationshipCheck,
  RelationshipCheckRequest,
  RowConditionRequest,
  SubstituteRequest,
  Substitution,
} from "../planner/index.ts";
import type { DataSource, Plan, Variant } from "../planner/plan.ts";
import type { Span } from "../planner/syntax/tree.ts";
import type { ServiceError } from "./failure.ts";
import type { KnownVariants } from "./known-variants.ts";
import type { ManifestCache } from "./manifest-cache.ts";

/** The planner's door (`planner/index.ts`), as far as the service uses it. */
export interface Planner {
  plan(request: PlanRequest): Outcome<Plan>;
  planCube(request: CubeRequest): Outcome<Plan>;
  originOf(plan: Pick<Plan, "origins">, offset: number): Span | undefined;
  manifestRemarks(manifest: Manifest, source: DataSource | undefined): Outcome<readonly PlannerWarning[]>;
  substituteTables(request: SubstituteRequest): Outcome<Substitution>;
  analyseStatement(request: AnalyseRequest): Outcome<readonly QueryAnalysis[]>;
  checkOfRelationship(request: RelationshipCheckRequest): Outcome<RelationshipCheck>;
  checkOfManifest(request: ManifestCheckRequest): Outcome<ManifestReport>;
  checkOfRowCondition(request: RowConditionRequest): Outcome<undefined>;
}

/** A connection whose fields have been read and found right; nothing has been dialled yet. */
export interface PreparedConnection {
  /** Options that the caller sent and that are not honoured (decisions C7). */
  readonly warnings: readonly PlannerWarning[];
  /** Text that is equal exactly when two connections are the same, secrets included: itself a secret, never to be logged. */
  identity(): string;
  /** What a server of this version is, where plans depend on it. */
  variantAt(version: string): Variant | undefined;
  /** Metadata heeds `projects` of a filter. */
  readonly listsProjects?: boolean;
  /** Its rows pass through an engine of ours (DuckDB), which is used again for equal isolation keys only. */
  readonly hasOwnEngine?: boolean;
  /** One connector for one request; the caller closes it. Fails with `ConnectorFailure`. */
  open(options: OpenOptions): Promise<Connector>;
}

export interface Sources {
  /** Throws `ConnectorFailure`: `INVALID_CONNECTION`, naming fields and never values. */
  prepare(source: DataSource, connectionInfo: Readonly<Record<string, unknown>>): PreparedConnection;
}

/** A connection that the operator has configured. */
export interface OperatorConnection {
  readonly source: DataSource;
  readonly prepared: PreparedConnection;
  /** What no text may show to those who know the name only: for the redactor. */
  readonly hidden: unknown;
}

export interface Limits {
  /** The whole of an operation, planning and connecting included. */
  readonly applicationTimeoutMs: number;
  /** One statement on the source, unless the caller asks for another time. */
  readonly statementTimeoutMs: number;
  /** The operator's cap on the rows of an answer (decisions W13). */
  readonly maxRows: number | undefined;
}

export interface Services {
  readonly planner: Planner;
  readonly manifests: ManifestCache;
  readonly sources: Sources;
  /** By name (decisions C8). */
  readonly connections: ReadonlyMap<string, OperatorConnection>;
  /** Which servers connections lead to. */
  readonly variants: KnownVariants;
  readonly limits: Limits;
  readonly planOptions: PlanOptions;
  /** Absent where the deployment has no query cache. Made when it is first asked for. */
  readonly queryCache?: (() => Promise<QueryCache>) | undefined;
}

export type { PlannerWarning };

/** One call of a use case: who waits for it and under which session it runs. */
export interface CallContext {
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** `Place.makeWay`; undefined for what holds no place. */
  readonly makeWay?: (() => ServiceError | undefined) | undefined;
  /** Keeps the platform from ending work that outlives the answer, such as closing a connection. */
  readonly defer: (work: Promise<unknown>) => void;
  /** Names the request in every log that it leaves a line in. */
  readonly correlationId: string;
  /** The caller as authentication names it. */
  readonly caller: string;
  /** Session properties after precedence: names in lower case, values as SQL literal text. */
  readonly session: ReadonlyMap<string, string>;
  /** Those of them that the request's body has, as it spells them. */
  readonly givenProperties?: readonly string[] | undefined;
  /** Which of the operator's connections the caller may use (decisions C8). */
  readonly connections: UsableConnections;
  /** Whether the caller may bring connections of its own. */
  readonly ownConnections: boolean;
  /** Zone of zone-less literals and of the display of instants (decisions W15). */
  readonly timeZone: string | undefined;
  readonly statementTimeoutMs: number | undefined;
  /** The request's trace, for whoever is asked on its way. */
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** Where its time goes. */
  readonly phases: Phases;
  /** Who asked what; undefined where nobody wants to know. */
  readonly audit?: AuditTrail | undefined;
  /** What an answer to this caller may have at most. */
  readonly most: { readonly rows?: number; readonly bytes?: number };
  /** Every warning becomes an error before anything runs (decisions W8). */
  readonly strict: boolean;
  /** What `*` stands for over a model (decisions K2). */
  readonly stars: NonNullable<PlanRequest["stars"]>;
}
