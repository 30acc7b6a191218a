/**
 * Opens a project for a caller: the services that its requests use, with the operator's manifest and connection. The caller is not
 * trusted, so what it learns of the manifest is what it may query (docs/decisions/0025-whom-we-trust.md).
 */
import type { Caller } from "../../guard/caller.ts";
import type { Manifest, Outcome } from "../../planner/index.ts";
import type { Plan } from "../../planner/plan.ts";
import type { OpenedProject } from "../../projects/library.ts";
import type { Pointer } from "../../projects/pointer.ts";
import { ServiceError } from "../failure.ts";
import type { OperatorConnection, PlannerWarning, Services } from "../services.ts";

/** Says what the operator has to know about a project: in the log, never to callers. */
export type ProjectReport = (name: string, code: string, message: string) => void;

export interface UsedProject {
  readonly name: string;
  /** Digest of the pointer, which names the digest of the manifest. */
  readonly version: string;
  readonly pointer: Pointer;
  readonly manifest: Manifest;
  readonly connection: OperatorConnection;
  /** For the requests of the project: its manifest whatever `manifestStr` is, its connection alone, its access control. */
  readonly services: Services;
}

/** The request needs `manifestStr` and names no other connection. */
export const PROJECT_MANIFEST = "";

type Asker = Pick<Caller, "projects" | "connections" | "ownConnections">;

/** Throws `ServiceError`: the same one for a project that is unknown and for one of others. */
export async function openProject(
  services: Services,
  caller: Asker,
  name: string,
  report: ProjectReport,
): Promise<UsedProject> {
  // From the credentials alone: the store is not read for others' projects, so that time tells nothing either.
  if (services.projects === undefined || !mayUse(caller, name)) throw notFound();
  const outcome = await services.projects.open(name);
  switch (outcome.kind) {
    case "absent":
      throw notFound();
    case "unavailable":
      report(name, "PROJECT_UNAVAILABLE", outcome.problem);
      throw new ServiceError("PROJECT_UNAVAILABLE", "The project cannot be read now; try again shortly.", OWN);
    case "broken":
      throw broken(name, outcome.problem, report);
    case "open":
      return used(services, caller, outcome.project, report);
    default:
      return outcome satisfies never;
  }
}

export function mayUse({ projects }: Pick<Caller, "projects">, name: string): boolean {
  return projects === "all" || projects?.has(name) === true;
}

const OWN = { ownWords: true } as const;

/** Says nothing of the name. */
export function notFound(): ServiceError {
  const hint = "GET /v3/projects lists the projects that you may use.";
  const message = "There is no project of that name that you may use.";
  return new ServiceError("PROJECT_NOT_FOUND", message, { metadata: { hint }, ...OWN });
}

export function broken(name: string, problem: string, report: ProjectReport): ServiceError {
  report(name, "PROJECT_BROKEN", problem);
  const message = "The project has a fault that its operator has to repair.";
  return new ServiceError("PROJECT_BROKEN", message, { ...OWN, cause: new Error(problem) });
}

/** The connection of a project under its limit on billed bytes, or what the operator has to repair. */
export function connectionOf(
  { connection: name, limits: { bytesBilled } }: Pick<Pointer, "connection" | "limits">,
  { connections }: Pick<Services, "connections">,
): { readonly connection: OperatorConnection } | { readonly problem: string } {
  const connection = connections.get(name);
  if (connection === undefined) return { problem: `CONNECTIONS has no connection "${name}"` };
  if (bytesBilled === undefined) return { connection };
  // A limit on costs that nothing enforces would be a promise that is not kept.
  if (connection.billedAtMost === undefined) return { problem: billingProblem(connection.source) };
  return { connection: { ...connection, prepared: connection.billedAtMost(bytesBilled) } };
}

export const billingProblem = (source: string): string =>
  `limits.bytesBilled holds on BigQuery alone, and the connection is one of ${source}`;

function used(
  services: Services,
  caller: Asker,
  { pointer, version, manifest }: OpenedProject<Manifest>,
  report: ProjectReport,
): UsedProject {
  const { name, access } = pointer;
  const usable = connectionOf(pointer, services);
  if ("problem" in usable) throw broken(name, usable.problem, report);
  const { connection } = usable;
  if (caller.connections === "all" || caller.connections.has(pointer.connection)) {
    report(
      name,
      "PROJECT_CONNECTION_OPEN",
      `a caller of the project may also use the connection "${pointer.connection}" directly, where no rule of the project holds`,
    );
  }
  return {
    name,
    version,
    pointer,
    manifest,
    connection,
    services: {
      ...services,
      manifests: { get: () => ({ ok: true, value: manifest }) },
      connections: new Map([[pointer.connection, connection]]),
      planOptions: { ...services.planOptions, accessControl: access },
      planner: {
        ...concealing(services, pointer),
      },
    },
  };
}

/** Warnings about the manifest and its rules, which are the operator's to read. */
const OPERATORS: ReadonlySet<PlannerWarning["code"]> = new Set([
  "UNKNOWN_MEMBER",
  "ACCESS_RULE_SKIPPED",
  "RULED_TABLE_READ",
]);

/** The planner, whose plans tell their caller nothing of the manifest that it may not query. */
function concealing({ planner }: Services, { show }: Pointer): Services["planner"] {
  const concealed = (outcome: Outcome<Plan>): Outcome<Plan> => {
    if (!outcome.ok) return outcome;
    const { warnings, restricted } = outcome.value;
    const shown = warnings.filter(({ code }) => !OPERATORS.has(code));
    // Texts of the source quote the SQL that was sent.
    return { ok: true, value: { ...outcome.value, warnings: shown, restricted: restricted || !show.sql } };
  };
  return {
    plan: (request) => concealed(planner.plan({ ...request, conceals: true })),
    planCube: (request) => concealed(planner.planCube({ ...request, conceals: true })),
    originOf: (plan, offset) => planner.originOf(plan, offset),
    manifestRemarks: (manifest, source) => planner.manifestRemarks(manifest, source),
    substituteTables: (request) => planner.substituteTables(request),
    analyseStatement: (request) => planner.analyseStatement(request),
    checkOfRelationship: (request) => planner.checkOfRelationship(request),
    checkOfRowCondition: (request) => planner.checkOfRowCondition(request),
    checkOfManifest: (request) => planner.checkOfManifest(request),
    describeManifest: (request) => planner.describeManifest(request),
  };
}
