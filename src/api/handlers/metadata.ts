/** `POST …/{data_source}/metadata/…`: the catalogue of a source. */
import {
  type CatalogFilter,
  FILTER_PATTERNS,
  type MetadataKind,
  metadata,
  notHonoured,
} from "../../service/metadata.ts";
import type { PlannerWarning } from "../../service/services.ts";
import { type ConnectionFields, connectionInfoOf } from "../connection-fields.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import type { Handler } from "../route.ts";
import { metadataBody, metadataV2Body } from "../schemas.ts";
import { dataSourceOf, known, warningHeaders, withPlace } from "./handler.ts";
import { profileOf } from "./query.ts";

/** Listings that the classic profile wraps in an object (docs/decisions/0001-two-profiles.md). */
const WRAPPED: ReadonlySet<MetadataKind> = new Set(["tables", "constraints"]);

interface MetadataFields extends ConnectionFields {
  readonly filterInfo?: FilterFields | null | undefined;
  readonly limit?: number | null | undefined;
}

interface FilterFields extends Readonly<Record<string, unknown>> {
  readonly projects?:
    | readonly {
        readonly projectId?: string | null | undefined;
        readonly datasetIds?: readonly string[] | null | undefined;
      }[]
    | null
    | undefined;
}

export function handleMetadata(kind: MetadataKind): Handler {
  return (match) =>
    withPlace(match.exchange, async () => {
      const { exchange } = match;
      const schema = () => (match.version === "v2" ? metadataV2Body() : metadataBody());
      const { parameters, body, context } = await readRequest(match, schema, (reader) => ({
        source: dataSourceOf(match, reader),
      }));
      const fields: MetadataFields = body;
      const { filter, warnings } = filterOf(fields.filterInfo ?? {});
      const answer = await metadata(exchange.options.services, context, {
        kind,
        source: known(parameters.source),
        connectionInfo: connectionInfoOf(fields, kind, exchange.options.services),
        filter,
        limit: fields.limit ?? undefined,
        warnings,
      });
      const wrapped = profileOf(match) === "classic" && WRAPPED.has(kind);
      return jsonResponse(
        wrapped ? { [kind]: answer.records } : answer.records,
        warningHeaders(exchange, answer.warnings),
      );
    });
}

/** Maximum number of warnings about a filter. */
const MOST_WARNINGS = 20;

/** A misspelt `datasetIds` would list the whole project. */
function unknownInProjects(projects: readonly object[]): readonly string[] {
  return projects.flatMap((project, index) =>
    Object.keys(project)
      .filter((name) => name !== "projectId" && name !== "datasetIds")
      .map((name) => `projects[${index}].${name}`),
  );
}

function filterOf({ projects, ...info }: FilterFields): {
  readonly filter: CatalogFilter;
  readonly warnings: readonly PlannerWarning[];
} {
  const given = FILTER_PATTERNS.flatMap((name) => {
    const pattern = info[name];
    return typeof pattern === "string" ? [[name, pattern] as const] : [];
  });
  const others = Object.keys(info).filter((name) => !FILTER_PATTERNS.some((pattern) => pattern === name));
  const named = projects?.map(({ projectId, datasetIds }) => ({
    projectId: projectId ?? "",
    datasetIds: datasetIds ?? [],
  }));
  return {
    filter: { ...Object.fromEntries(given), ...(named !== undefined && { projects: named }) },
    warnings: [...others, ...unknownInProjects(projects ?? [])].slice(0, MOST_WARNINGS).map(notHonoured),
  };
}
