/** `POST …/{data_source}/metadata/…`: what a source holds. */
import { type CatalogFilter, type MetadataKind, metadata } from "../../service/metadata.ts";
import type { PlannerWarning } from "../../service/services.ts";
import { type ConnectionFields, connectionInfoOf } from "../connection-fields.ts";
import { readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import { metadataBody, metadataV2Body } from "../schemas.ts";
import { dataSourceOf, type Handler, known, warningHeaders, withPlace } from "./handler.ts";
import { profileOf } from "./query.ts";

/** Listings that the classic profile wraps in an object (decisions W1). */
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
      const { filter, warnings } = filterOf(fields.filterInfo ?? {}, parameters.source);
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

const PATTERNS = ["catalog", "schema", "table"] as const;

function filterOf(
  info: FilterFields,
  source: string | undefined,
): {
  readonly filter: CatalogFilter;
  readonly warnings: readonly PlannerWarning[];
} {
  const given = PATTERNS.flatMap((name) => {
    const pattern = info[name];
    return typeof pattern === "string" ? [[name, pattern] as const] : [];
  });
  // Only BigQuery has them (contract §7.4).
  const projects = source === "bigquery" ? info.projects : undefined;
  const others = Object.keys(info).filter(
    (name) => !PATTERNS.some((pattern) => pattern === name) && (name !== "projects" || source !== "bigquery"),
  );
  return {
    filter: {
      ...Object.fromEntries(given),
      ...(projects != null && {
        projects: projects.map(({ projectId, datasetIds }) => ({
          projectId: projectId ?? "",
          datasetIds: datasetIds ?? [],
        })),
      }),
    },
    warnings: others.map((name) => ({
      code: "UNKNOWN_OPTION",
      message: `filterInfo.${name} is not honoured.`,
      hint: `Known: ${PATTERNS.join(", ")}.`,
    })),
  };
}
