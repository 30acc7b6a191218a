/** The values of a column, through the rules of the project: what a filter may compare it with. */
import { inQuotes } from "../../planner/syntax/quoting.ts";
import { PROFILES } from "../../result/encode/profiles.ts";
import { displayZones, textWriter } from "../../result/encode/value-writers.ts";
import type { Column, Value } from "../../result/types.ts";
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
/** The most values that are read where the service looks for the term itself. */
const MOST_SCANNED = 10_000;

/** The column, if its values are listed. Throws `ServiceError`. */
function listedColumn(project: UsedProject, { session }: Pick<CallContext, "session">, asked: string): ListedColumn {
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
  const catalogue = catalogueFor(project, session);
  const at = asked.lastIndexOf(".");
  const model = catalogue.models.find(({ name }) => name === asked.slice(0, at));
  const column = model?.columns.find(({ name }) => name === asked.slice(at + 1));
  // Unknown, hidden and restricted columns are answered like those that are not searchable.
  if (model === undefined || column === undefined) throw refused();
  const isDeclared = column.properties?.["searchable"] === true || column.properties?.["searchable"] === "true";
  if (!isDeclared && !(values === "text" && column.type === "text")) throw refused();
  return { model: inQuotes(model.name), name: inQuotes(column.name), isText: column.type === "text" };
}

/** Names as SQL writes them. */
interface ListedColumn {
  readonly model: string;
  readonly name: string;
  readonly isText: boolean;
}

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The source looks for the term. */
function searching({ model, name, isText }: ListedColumn, term: string, limit: number): Statement {
  const text = isText ? name : `CAST(${name} AS text)`;
  const filter = term === "" ? "" : ` AND position(lower($1) IN lower(${text})) > 0`;
  const listed = `SELECT DISTINCT ${name} AS value FROM ${model} WHERE ${name} IS NOT NULL${filter} ORDER BY 1 LIMIT ${limit}`;
  // Texts have one form in JSON, whatever the column's type is.
  const sql = isText
    ? listed
    : `SELECT CAST(listed.value AS text) AS value FROM (${listed}) AS listed ORDER BY listed.value`;
  return { sql, parameters: term === "" ? [] : [term] };
}

/** The source lists, by what can fail over no row (`planner/access/plain.ts`), and the service looks for the term. */
function listing({ model, name }: ListedColumn, limit: number): Statement {
  const sql = `SELECT DISTINCT ${name} AS value FROM ${model} WHERE ${name} IS NOT NULL ORDER BY 1 LIMIT ${limit}`;
  return { sql, parameters: [] };
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
  const column = listedColumn(project, context, request.column);
  const { term = "", limit } = request;
  const most = project.services.limits.maxRows ?? Number.POSITIVE_INFINITY;
  try {
    // One more than asked for shows that there are more.
    const rows = Math.min(limit + 1, most);
    return await read(project, context, searching(column, term, rows), { rows, limit, matches: () => true });
  } catch (error) {
    if (!(error instanceof ServiceError) || !/^(?:UNSUPPORTED_ON_SOURCE|TIME_ZONE_UNSUPPORTED)$/.test(error.reason))
      throw error;
    const rows = Math.min(MOST_SCANNED, most);
    const sought = term.toLowerCase();
    const matches = (text: string): boolean => text.toLowerCase().includes(sought);
    return await read(project, context, listing(column, rows), { rows, limit, matches });
  }
}

interface Reading {
  /** LIMIT of the statement: the column may have more values than that. */
  readonly rows: number;
  readonly limit: number;
  readonly matches: (text: string) => boolean;
}

async function read(
  { services, connection, pointer }: UsedProject,
  context: CallContext,
  statement: Statement,
  { rows: most, limit, matches }: Reading,
): Promise<ValuesAnswer> {
  // A project's cap on rows is about answers.
  const { rows: _, ...others } = context.most;
  const { rows } = await query(
    services,
    { ...context, most: others },
    {
      ...statement,
      source: connection.source,
      manifestStr: PROJECT_MANIFEST,
      connectionInfo: { name: pointer.connection },
    },
  );
  const values: string[] = [];
  let seen = 0;
  try {
    const write = textOf(rows.columns[0]);
    for await (const batch of rows.batches) {
      for (const [value] of batch) {
        seen++;
        if (value === undefined || value === null) continue;
        const text = write(value);
        if (matches(text)) values.push(text);
        if (values.length > limit) return { values: values.slice(0, limit), truncated: true };
      }
    }
  } finally {
    await rows.close();
  }
  return { values, truncated: seen >= most };
}

function textOf(column: Column | undefined): (value: Exclude<Value, null>) => string {
  if (column === undefined) return String;
  const { columns: rules } = PROFILES.modern;
  return textWriter(column.type, { column: column.name, rules, zoneOf: displayZones(undefined) });
}
