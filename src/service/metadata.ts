/** The contents of a data source: tables, constraints, schemas, version (docs/spec/contract.md#metadata). */
import type { CatalogAnswers, CatalogFilter, CatalogRequest } from "../connectors/catalog/types.ts";
import type { PlannerWarning } from "../planner/diagnostics.ts";
import { nearestNames } from "../planner/index.ts";
import type { DataSource } from "../planner/plan.ts";
import { withCall } from "./call.ts";
import { prepareConnection } from "./connections.ts";
import { refuseWarnings } from "./planning.ts";
import type { CallContext, Services } from "./services.ts";

export type MetadataKind = CatalogRequest["kind"];

export interface MetadataRequest<K extends MetadataKind> {
  readonly kind: K;
  readonly source: DataSource;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  /** `version` ignores it, as it ignores `limit`. */
  readonly filter: CatalogFilter;
  /** Maximum number of records. */
  readonly limit: number | undefined;
  /** Warnings from reading the request. */
  readonly warnings: readonly PlannerWarning[];
}

export interface MetadataAnswer<K extends MetadataKind> {
  readonly records: CatalogAnswers[K];
  readonly warnings: readonly PlannerWarning[];
}

/** Throws `ServiceError`. */
export function metadata<K extends MetadataKind>(
  services: Services,
  context: CallContext,
  request: MetadataRequest<K>,
): Promise<MetadataAnswer<K>> {
  const { kind } = request;
  return withCall(services, context, kind, async (call) => {
    const connection = prepareConnection(services, context, request.source, request.connectionInfo);
    const { projects, ...patterns } = request.filter;
    const isHeeded = projects === undefined || connection.listsProjects === true;
    const warnings = [...connection.warnings, ...request.warnings, ...(isHeeded ? [] : [notHonoured("projects")])];
    if (context.strict) refuseWarnings(warnings, kind, undefined);
    const { connector, options } = await call.open(connection);
    const records = await call.race(
      connector.catalog<K>(catalogRequest({ ...request, filter: isHeeded ? request.filter : patterns }), options),
    );
    return { records, warnings };
  });
}

/** The members of a filter that every listing supports. */
export const FILTER_PATTERNS = ["catalog", "schema", "table"] as const;

/** A warning about a filter member that the listing does not support. */
export function notHonoured(name: string): PlannerWarning {
  const near = nearestNames(name, FILTER_PATTERNS);
  return {
    code: "UNKNOWN_OPTION",
    message: `filterInfo.${name.slice(0, 100)} is not honoured.`,
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Known: ${FILTER_PATTERNS.join(", ")}.`,
  };
}

function catalogRequest<K extends MetadataKind>(request: MetadataRequest<K>): Extract<CatalogRequest, { kind: K }> {
  const { kind, filter, limit } = request;
  const full: CatalogRequest = kind === "version" ? { kind: "version" } : { kind, filter, limit };
  return full as Extract<CatalogRequest, { kind: K }>;
}

export type { CatalogFilter };
