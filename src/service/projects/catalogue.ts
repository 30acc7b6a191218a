/** The part of a project that a caller may see, and the projects that it may use. */
import type { Caller } from "../../guard/caller.ts";
import type { Catalogue } from "../../planner/index.ts";
import { ServiceError } from "../failure.ts";
import type { CallContext, Services } from "../services.ts";
import { toServiceError } from "../translate.ts";
import { knownCatalogue } from "./known-catalogues.ts";
import { connectionOf, mayUse, type UsedProject } from "./open.ts";

export function catalogueFor(
  { manifest, connection, pointer, services }: UsedProject,
  session: CallContext["session"],
): Catalogue {
  const { access: accessControl } = pointer;
  const request = { manifest, source: connection.source, session, accessControl };
  return knownCatalogue(request, () => {
    const outcome = services.planner.describeManifest(request);
    if (!outcome.ok) throw toServiceError(outcome.error, { operation: "describe" });
    return outcome.value;
  });
}

export interface ListedProject {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
  /** `unavailable`: the operator has to repair the project, or its store does not answer. Manifests are not read for a list. */
  readonly status: "ready" | "unavailable";
}

export interface ProjectList {
  readonly projects: readonly ListedProject[];
  readonly cursor?: string | undefined;
}

const PAGE = 100;

/** Names come from the credentials. Only for callers of all projects is the store listed, in pages. */
export async function listProjects(
  services: Services,
  caller: Pick<Caller, "projects">,
  cursor: string | undefined,
): Promise<ProjectList> {
  const { projects } = services;
  if (projects === undefined) return { projects: [] };
  const page =
    caller.projects === "all" ? await pageOf(projects.list(cursor)) : named(caller.projects ?? new Set(), cursor);
  const listed = await Promise.all(
    page.names.map(async (name): Promise<readonly ListedProject[]> => {
      if (!mayUse(caller, name)) return [];
      const outcome = await projects.peek(name);
      if (outcome.kind === "absent") return [];
      if (outcome.kind !== "known") return [{ name, status: "unavailable" }];
      const { pointer, version } = outcome;
      const { title, description } = pointer;
      const texts = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
      const isUsable = !("problem" in connectionOf(pointer, services));
      return [{ name, ...texts, version, status: isUsable ? "ready" : "unavailable" }];
    }),
  );
  return { projects: listed.flat(), ...(page.cursor !== undefined && { cursor: page.cursor }) };
}

type Page = { readonly names: readonly string[]; readonly cursor?: string | undefined };

async function pageOf(page: Promise<Page>): Promise<Page> {
  try {
    return await page;
  } catch {
    throw new ServiceError("PROJECT_UNAVAILABLE", "The projects cannot be read now; try again shortly.", {
      ownWords: true,
    });
  }
}

function named(projects: ReadonlySet<string>, cursor: string | undefined): Page {
  const names = [...projects].toSorted().filter((name) => cursor === undefined || name > cursor);
  const page = names.slice(0, PAGE);
  return { names: page, cursor: names.length > PAGE ? page.at(-1) : undefined };
}
