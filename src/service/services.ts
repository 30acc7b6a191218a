/** Dependencies of the use cases. The Worker's entry file creates them once per isolate; tests create their own. */
import type { QueryCache } from "../cache/query-cache.ts";
import type { Connector, OpenOptions } from "../connectors/connector.ts";
import type { PassedProperty } from "../connectors/session-properties.ts";
import type { AuditTrail } from "../guard/audit.ts";
import type { UsableConnections } from "../guard/caller.ts";
import type { Phases } from "../guard/phases.ts";
import type { PlannerWarning } from "../planner/diagnostics.ts";
import type {
  AnalyseRequest,
  Catalogue,
  CatalogueRequest,
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
import type { DataSource, Plan, SessionSetting, Variant } from "../planner/plan.ts";
import type { Span } from "../planner/syntax/tree.ts";
import type { ProjectLibrary } from "../projects/library.ts";
import type { ServiceError } from "./failure.ts";
import type { KnownVariants } from "./known-variants.ts";
import type { ManifestCache } from "./manifest-cache.ts";

/** The part of the planner's interface (`planner/index.ts`) that the service uses. */
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
  describeManifest(request: CatalogueRequest): Outcome<Catalogue>;
}

/** A connection with valid fields; nothing has been dialled yet. */
export interface PreparedConnection {
  /** Warnings about options in the request that are not supported (docs/decisions/0029-nothing-unknown-is-silent.md). */
  readonly warnings: readonly PlannerWarning[];
  /**
   * A text that is equal for two connections exactly when they are the same, secrets included. It is itself a secret and must
   * never be logged.
   */
  identity(): string;
  /** The variant of a server of this version, where plans depend on it. */
  variantAt(version: string): Variant | undefined;
  /** Metadata supports `projects` in a filter. */
  readonly listsProjects?: boolean;
  /** Its rows pass through an engine of the service (DuckDB), which is reused only for equal isolation keys. */
  readonly hasOwnEngine?: boolean;
  /** Session properties that its statements pass on to the source's session; none when absent. */
  readonly passes?: readonly PassedProperty[];
  /** The values of `passes` for this request. Throws `PlannerError` for a property that is missing or has no single value. */
  readonly sessionSettings?: () => readonly SessionSetting[];
  /** Opens one connector for one request; the caller closes it. Throws `ConnectorFailure`. */
  open(options: OpenOptions): Promise<Connector>;
}

export interface Sources {
  /** Throws `ConnectorFailure` `INVALID_CONNECTION`, which names fields and never values. */
  prepare(source: DataSource, connectionInfo: Readonly<Record<string, unknown>>): PreparedConnection;
}

/** A connection that the operator has configured. */
export interface OperatorConnection {
  readonly source: DataSource;
  readonly prepared: PreparedConnection;
  /** Values for the redactor that must be hidden from callers who know only the name. */
  readonly hidden: unknown;
  /** The same connection with a limit on the bytes that a statement may be billed for; absent where the source has no such limit. */
  readonly billedAtMost?: ((bytes: number) => PreparedConnection) | undefined;
}

export interface Limits {
  /** Limit for a whole operation, planning and connecting included. */
  readonly applicationTimeoutMs: number;
  /** Limit for one statement on the source, unless the caller requests another. */
  readonly statementTimeoutMs: number;
  /** The operator's limit on the rows of an answer (docs/decisions/0009-no-silent-caps.md). */
  readonly maxRows: number | undefined;
}

/** Opens projects by name. */
type Projects = Pick<ProjectLibrary<Manifest>, "open" | "peek" | "list" | "health">;

export interface Services {
  readonly planner: Planner;
  readonly manifests: ManifestCache;
  readonly sources: Sources;
  /** Named connections (docs/decisions/0030-named-connections.md). */
  readonly connections: ReadonlyMap<string, OperatorConnection>;
  /** Projects of the operator; absent without the setting PROJECTS. */
  readonly projects?: Projects | undefined;
  /** Server variants of connections. */
  readonly variants: KnownVariants;
  readonly limits: Limits;
  readonly planOptions: PlanOptions;
  /** Absent if the deployment has no query cache. Created on first use. */
  readonly queryCache?: (() => Promise<QueryCache>) | undefined;
}

export type { PlannerWarning };

/** The context of one call: its client, caller and session. */
export interface CallContext {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** `Place.makeWay`; undefined for calls without a slot. */
  readonly makeWay?: (() => ServiceError | undefined) | undefined;
  /** Keeps the platform from ending work that outlives the answer, such as closing a connection. */
  readonly defer: (work: Promise<unknown>) => void;
  /** Identifies the request in all logs. */
  readonly correlationId: string;
  /** The caller's name from authentication. */
  readonly caller: string;
  /** Session properties after precedence: names in lower case, values as SQL literal text. */
  readonly session: ReadonlyMap<string, string>;
  /** The session properties in the request's body, in their original spelling. */
  readonly givenProperties?: readonly string[] | undefined;
  /** The operator's connections that the caller may use (docs/decisions/0030-named-connections.md). */
  readonly connections: UsableConnections;
  /** Whether the request may contain connection fields. */
  readonly ownConnections: boolean;
  /** The project that the request uses: engines are not shared between projects. */
  readonly project?: string | undefined;
  /** Zone of literals without a zone, and display zone of instants (docs/decisions/0011-time-zones.md). */
  readonly timeZone: string | undefined;
  readonly statementTimeoutMs: number | undefined;
  /** Trace headers for requests to other services. */
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** Durations of the phases of the request. */
  readonly phases: Phases;
  /** Audit records; undefined if auditing is off. */
  readonly audit?: AuditTrail | undefined;
  /** Called with each plan that is made for the request. */
  readonly planned?: ((plan: Pick<Plan, "rowRules">) => void) | undefined;
  /** Limits of an answer to this caller. */
  readonly most: { readonly rows?: number; readonly bytes?: number };
  /** Every warning becomes an error before anything runs (docs/decisions/0005-warnings.md). */
  readonly strict: boolean;
  /** The columns that `*` includes for a model (docs/decisions/0041-stars-of-v2.md). */
  readonly stars: NonNullable<PlanRequest["stars"]>;
}
