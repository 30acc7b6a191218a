/** The client of one project. */
import { parsed } from "./failure.ts";
import { wireParameters } from "./parameters.ts";
import { brokenOff, type Head, isWholeArrow, rowsIn, unexpected } from "./rows.ts";
import { type Answer, send, textOf } from "./transport.ts";
import type {
  AnyModel,
  Client,
  ClientOptions,
  Description,
  Explanation,
  ListedProject,
  Matches,
  ModelTypes,
  QueryOptions,
  Result,
  Row,
  Values,
  Warning,
} from "./types.ts";

const JSON_TYPE = "application/json";
const ROWS_TYPE = "application/x-ndjson";
const ARROW_TYPE = "application/vnd.apache.arrow.stream";

/** Throws a TypeError for a URL that is not one of HTTP or holds credentials. */
export function siskin<M extends ModelTypes = AnyModel>(options: ClientOptions): Client<M> {
  const { protocol, username, password } = new URL(options.url);
  if (!/^https?:$/.test(protocol) || username !== "" || password !== "") {
    throw new TypeError("url must begin with http: or https: and hold no credentials. Use token or key.");
  }
  const project = `/${encodeURIComponent(options.project)}`;

  const ask = (path: string, accept: string, { signal, timeZone, strict, ...more }: QueryOptions, own?: object) => {
    const { parameters, ...rest } = more;
    const body = own && { ...own, ...rest, ...(parameters && { parameters: wireParameters(parameters) }) };
    return send(options, { path, accept, signal, timeZone, strict, ...(body && { body }) });
  };
  const json = async <T>(path: string, given: QueryOptions = {}, own?: object): Promise<T> => {
    const { response, requestId, chunks } = await ask(path, JSON_TYPE, given, own);
    const value = parsed(await textOf(chunks));
    if (typeof value !== "object" || value === null) throw unexpected(requestId, response.status);
    return value as T;
  };
  async function* rows<R>(
    { chunks, requestId }: Answer,
    head?: (head: Head) => void,
  ): AsyncGenerator<R, void, undefined> {
    let isFirst = true;
    for await (const row of rowsIn(chunks, options.numbers, requestId)) {
      if (!isFirst) yield row as R;
      else head?.(row as Head);
      isFirst = false;
    }
  }
  const all = async <R>(path: string, given: QueryOptions, own: object): Promise<Result<R>> => {
    const answer = await ask(project + path, ROWS_TYPE, given, own);
    const kept: R[] = [];
    let columns: Head["columns"] = [];
    const first = (head: Head): void => {
      columns = head.columns;
    };
    for await (const row of rows<R>(answer, first)) kept.push(row);
    const warnings = parsed(answer.response.headers.get("x-warnings") ?? "");
    return { columns, rows: kept, warnings: Array.isArray(warnings) ? (warnings as Warning[]) : [] };
  };

  return {
    query: (sql, given = {}) => all("/query", given, { sql }),
    cube: (cube, given = {}) => all("/cube", given, { cube }),
    async *stream<R = Row>(sql: string, given: QueryOptions = {}): AsyncGenerator<R, void, undefined> {
      yield* rows<R>(await ask(`${project}/query`, ROWS_TYPE, given, { sql }));
    },
    async arrow(sql, given = {}) {
      const { chunks, requestId } = await ask(`${project}/query`, ARROW_TYPE, given, { sql });
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
      let offset = 0;
      for (const part of parts) {
        bytes.set(part, offset);
        offset += part.length;
      }
      if (!isWholeArrow(bytes)) throw brokenOff(requestId);
      return bytes;
    },
    search: (question, given = {}) => json<Matches>(`${project}/search`, given, { question }),
    describe: (given = {}) => json<Description>(project, given),
    explain: (sql, given = {}) => json<Explanation>(`${project}/explain`, given, { sql }),
    values: (column, given = {}) => json<Values>(`${project}/values`, given, { column }),
    async projects(given = {}) {
      const listed: ListedProject[] = [];
      let cursor: string | undefined;
      do {
        const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
        const page = await json<{ readonly projects: readonly ListedProject[]; readonly cursor?: string }>(
          query,
          given,
        );
        listed.push(...page.projects);
        if (page.cursor === cursor) break;
        cursor = page.cursor;
      } while (cursor !== undefined);
      return listed;
    },
  };
}
