/** The values of a column, through the rules of the project: what a filter may compare it with. */
import { inQuotes } from "../../planner/syntax/quoting.ts";
import { ServiceError } from "../failure.ts";
import { query } from "../query.ts";
import type { CallContext } from "../services.ts";
import { catalogueFor } from "./catalogue.ts";
import { PROJECT_MANIFEST, type UsedProject } from "./open.ts";

export interface ValuesRequest {
  /** `model.column` */
  readonly column: string;
  /** Only values that contain it, without regard to case. */
  readonly term?: string | undefined;
  readonly limit: number;
}

/** The most values of one answer. */
export const MOST_VALUES = 100;

/** The statement over the project's model. Throws `ServiceError`. */
function valuesQuery(
  project: UsedProject,
  context: Pick<CallContext, "session">,
  request: ValuesRequest,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const { values } = project.pointer;
  const refused = (): ServiceError => {
    const hint =
      values === "none"
        ? "The project lists no values."
        : "GET /v3/projects/{project} shows the columns: those with the property searchable are listed.";
    return new ServiceError("VALUES_NOT_LISTED", "The values of that column are not listed.", {
      metadata: { hint },
      ownWords: true,
    });
  };
  if (values === "none") throw refused();
  const catalogue = catalogueFor(project, context.session);
  const at = request.column.lastIndexOf(".");
  const model = catalogue.models.find(({ name }) => name === request.column.slice(0, at));
  const column = model?.columns.find(({ name }) => name === request.column.slice(at + 1));
  // Unknown, hidden and restricted columns are answered like those that are not searchable.
  if (model === undefined || column === undefined) throw refused();
  const isDeclared = column.properties?.["searchable"] === true || column.properties?.["searchable"] === "true";
  if (!isDeclared && !(values === "text" && column.type === "text")) throw refused();
  const name = inQuotes(column.name);
  const text = column.type === "text" ? name : `CAST(${name} AS text)`;
  const hasTerm = request.term !== undefined && request.term !== "";
  const filter = hasTerm ? ` AND position(lower($1) IN lower(${text})) > 0` : "";
  const listed = `SELECT DISTINCT ${name} AS value FROM ${inQuotes(model.name)} WHERE ${name} IS NOT NULL${filter} ORDER BY 1`;
  const limit = request.limit + 1;
  // Texts have one form in JSON, whatever the column's type is.
  const sql =
    column.type === "text"
      ? `${listed} LIMIT ${limit}`
      : `SELECT CAST(listed.value AS text) AS value FROM (${listed} LIMIT ${limit}) AS listed ORDER BY listed.value`;
  return { sql, parameters: hasTerm ? [request.term] : [] };
}

export interface ValuesAnswer {
  /** Texts, in the order of the column's type. */
  readonly values: readonly string[];
  /** The column has more. */
  readonly truncated: boolean;
}

/** Throws `ServiceError`. */
export async function valuesOf(
  project: UsedProject,
  context: CallContext,
  request: ValuesRequest,
): Promise<ValuesAnswer> {
  const { services, connection, pointer } = project;
  // One more than asked for shows that there are more, and a project's cap on rows is about answers.
  const { rows: _, ...most } = context.most;
  const { rows } = await query(
    services,
    { ...context, most },
    {
      ...valuesQuery(project, context, request),
      source: connection.source,
      manifestStr: PROJECT_MANIFEST,
      connectionInfo: { name: pointer.connection },
    },
  );
  const values: string[] = [];
  try {
    for await (const batch of rows.batches) {
      for (const [value] of batch) if (typeof value === "string") values.push(value);
    }
  } finally {
    await rows.close();
  }
  return { values: values.slice(0, request.limit), truncated: values.length > request.limit };
}
