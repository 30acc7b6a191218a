/** Path, query and header parameters: one definition each, used for parsing and for the OpenAPI document. */
import * as z from "zod/mini";
import { headerText } from "../guard/header-text.ts";
import { isKnownZone } from "../result/text/zone.ts";
import { DATA_SOURCES, type DataSource, isDataSource } from "../service/data-sources.ts";
import { ServiceError } from "../service/failure.ts";
import { alternatives, type Problem } from "./problems.ts";
import type { Schema } from "./schemas.ts";

/** The OpenAPI description of a parameter. */
export interface ParameterInfo {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string;
}

export const PARAMETERS = {
  dataSource: {
    name: "data_source",
    in: "path",
    example: "local_file",
    required: true,
    description: "The kind of data source. Case counts.",
    schema: () => z.enum(DATA_SOURCES),
  },
  rule: {
    name: "rule_name",
    in: "path",
    example: "column_is_valid",
    required: true,
    description:
      "The rule to check: column_is_valid, relationship_is_valid, rlac_condition_syntax_is_valid or manifest_is_valid.",
    schema: () => z.string(),
  },
  project: {
    name: "project",
    in: "path",
    example: "shop",
    required: true,
    description: "Name of a project: a-z, 0-9 and -.",
    schema: () => z.string(),
  },
  storedQuestion: {
    name: "question",
    in: "path",
    example: "revenue.json",
    required: true,
    description: "Name of a stored question with the format: .csv, .json or .arrow.",
    schema: () => z.string(),
  },
  cursor: {
    name: "cursor",
    in: "query",
    description: "Of a page before: the next page.",
    schema: () => z.string(),
  },
  functionName: {
    name: "function_name",
    in: "path",
    example: "abs",
    required: true,
    description: "Name of a function, in lower case.",
    schema: () => z.string(),
  },
  dryRun: {
    name: "dryRun",
    in: "query",
    description: "Check the SQL on the source and answer 204 without running it.",
    schema: () => z._default(z.boolean(), false),
  },
  cacheEnable: {
    name: "cacheEnable",
    in: "query",
    description: "Answer from the query cache where it has an answer, and keep this one.",
    schema: () => z._default(z.boolean(), false),
  },
  overrideCache: {
    name: "overrideCache",
    in: "query",
    description: "With cacheEnable: run the query, and replace the entry that is there.",
    schema: () => z._default(z.boolean(), false),
  },
  cacheControl: {
    name: "Cache-Control",
    in: "header",
    description:
      "With cacheEnable: max-age=N takes nothing older, no-cache runs the query, no-store leaves the cache out.",
    schema: () => z.string(),
  },
  limit: {
    name: "limit",
    in: "query",
    description: "Most rows of the answer, pushed into the SQL.",
    schema: () => z.int().check(z.minimum(0)),
  },
  isFallback: {
    name: "is_fallback",
    in: "query",
    description: "Accepted and ignored.",
    schema: () => z.boolean(),
  },
  statementTimeout: {
    name: "x-wren-db-statement_timeout",
    in: "header",
    description: "Seconds the statement may take on the source.",
    schema: () => z.int().check(z.minimum(1), z.maximum(2_147_483)),
  },
  timeZone: {
    name: "x-wren-timezone",
    in: "header",
    description:
      "Time zone of the SQL's session, an IANA name or a fixed offset: instants are computed and shown in it.",
    schema: () => z.string(),
  },
  strict: {
    name: "x-strict",
    in: "header",
    description:
      "Turn every warning into an error before anything runs, and order texts by code points where the source can.",
    schema: () => z._default(z.boolean(), false),
  },
  endLine: {
    name: "x-end-line",
    in: "header",
    description: "CSV: end with the line `# end: N rows`, which an answer that broke off does not have.",
    schema: () => z._default(z.boolean(), false),
  },
  columnTypes: {
    name: "x-column-types",
    in: "header",
    description:
      "NDJSON: the first line has `types`, the type of each column by position. It names uuid, json and decimals without a size, which dtypes do not.",
    schema: () => z._default(z.boolean(), false),
  },
  sessionProperty: {
    name: "x-wren-variable-{name}",
    in: "header",
    description: "Session property {name}: the text of a SQL literal, in UTF-8. The name is compared without case.",
    schema: () => z.string(),
  },
  userCatalog: {
    name: "x-user-catalog",
    in: "header",
    description: "Catalog of tables that are written without one.",
    schema: () => z.string(),
  },
  userSchema: {
    name: "x-user-schema",
    in: "header",
    description: "Schema of tables that are written without one.",
    schema: () => z.string(),
  },
  traceparent: {
    name: "traceparent",
    in: "header",
    description:
      "W3C Trace Context: the trace that the request's log lines belong to. A malformed one begins a new trace.",
    schema: () => z.string(),
  },
  correlationId: {
    name: "X-Correlation-ID",
    in: "header",
    description: "A UUID of version 4, repeated in the answer; any other is replaced by a new one.",
    schema: () => z.uuidv4(),
  },
} as const satisfies Readonly<Record<string, ParameterInfo>>;

export type ParameterName = keyof typeof PARAMETERS;

/** The names of those `parameters` that belong to the query string. */
export function queryParameters(parameters: readonly ParameterName[]): readonly string[] {
  return parameters.map((each) => PARAMETERS[each]).flatMap((each) => (each.in === "query" ? [each.name] : []));
}

/** Whether a request wants warnings as errors; an invalid `x-strict` is reported elsewhere. */
export function isStrict(headers: Headers): boolean {
  return TRUE.has((headers.get(PARAMETERS.strict.name) ?? "").toLowerCase());
}

/** Reads parameters and collects all problems, so that a caller sees them at once. */
export class ParameterReader {
  readonly problems: Problem[] = [];
  readonly #query: URLSearchParams;
  readonly #headers: Headers;

  constructor(query: URLSearchParams, headers: Headers) {
    this.#query = query;
    this.#headers = headers;
  }

  /** `undefined` for an unknown data source, which is then in `problems`. */
  dataSource(segment: string): DataSource | undefined {
    if (isDataSource(segment)) return segment;
    this.problems.push({
      type: "enum",
      loc: ["path", PARAMETERS.dataSource.name],
      msg: `Input should be ${alternatives(DATA_SOURCES)}`,
    });
    return undefined;
  }

  /** A query parameter in any spelling that clients send; the last of repeated ones wins. */
  flag(name: "dryRun" | "cacheEnable" | "overrideCache"): boolean {
    const text = this.#query.getAll(PARAMETERS[name].name).at(-1);
    return this.#boolean(text, ["query", PARAMETERS[name].name]) ?? false;
  }

  limit(): number | undefined {
    const text = this.#query.getAll("limit").at(-1);
    return text === undefined ? undefined : this.#integer(text, ["query", "limit"], 0, Number.MAX_SAFE_INTEGER);
  }

  /** Milliseconds. */
  statementTimeout(): number | undefined {
    const { name } = PARAMETERS.statementTimeout;
    const text = this.#headers.get(name);
    // The upper limit fits PostgreSQL's 32-bit milliseconds.
    const seconds = text === null ? undefined : this.#integer(text, ["header", name], 1, 2_147_483);
    return seconds === undefined ? undefined : seconds * 1000;
  }

  timeZone(): string | undefined {
    const { name } = PARAMETERS.timeZone;
    const text = this.#headers.get(name);
    if (text === null || isKnownZone(text)) return text ?? undefined;
    this.problems.push({
      type: "timezone",
      loc: ["header", name],
      msg: "Input should be the name of a time zone, such as 'Europe/Paris', or an offset, such as '+02:00'",
    });
    return undefined;
  }

  strict(): boolean {
    return this.headerFlag("strict");
  }

  headerFlag(parameter: "strict" | "endLine" | "columnTypes"): boolean {
    const { name } = PARAMETERS[parameter];
    return this.#boolean(this.#headers.get(name) ?? undefined, ["header", name]) ?? false;
  }

  /** `x-user-catalog`, `x-user-schema`; an empty header counts as absent. */
  nameDefault(name: "userCatalog" | "userSchema", headersAre: "text" | "bytes"): string | undefined {
    const header = PARAMETERS[name].name;
    const raw = this.#headers.get(header) ?? "";
    const text = headerText(raw, headersAre);
    if (text === undefined) {
      this.problems.push({ type: "string_unicode", loc: ["header", header], msg: "Input should be valid UTF-8" });
    }
    return text === "" ? undefined : text;
  }

  /** Throws `SESSION_PROPERTY_INVALID` for a value that is not UTF-8: a guess could show rows to the wrong person. */
  sessionProperties(headersAre: "text" | "bytes"): ReadonlyMap<string, string> {
    const properties = new Map<string, string>();
    for (const [header, raw] of this.#headers) {
      if (!header.startsWith(SESSION_PREFIX)) continue;
      const name = header.slice(SESSION_PREFIX.length);
      const value = headerText(raw, headersAre);
      if (value === undefined) {
        const hint = "Send the value as UTF-8, or in the body's sessionProperties.";
        throw new ServiceError("SESSION_PROPERTY_INVALID", `The header ${header} is not valid UTF-8.`, {
          metadata: { hint },
        });
      }
      if (name !== "") properties.set(name, value);
    }
    return properties;
  }

  #boolean(text: string | undefined, loc: Problem["loc"]): boolean | undefined {
    if (text === undefined) return undefined;
    const word = text.toLowerCase();
    if (TRUE.has(word)) return true;
    if (FALSE.has(word)) return false;
    this.problems.push({
      type: "bool_parsing",
      loc,
      msg: "Input should be a valid boolean, unable to interpret input",
    });
    return undefined;
  }

  #integer(text: string, loc: Problem["loc"], least: number, most: number): number | undefined {
    const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (Number.isNaN(value)) {
      const msg = "Input should be a valid integer, unable to parse string as an integer";
      this.problems.push({ type: "int_parsing", loc, msg });
    } else if (value < least) {
      const msg = `Input should be greater than or equal to ${least}`;
      this.problems.push({ type: "greater_than_equal", loc, msg, ctx: { ge: least } });
    } else if (value > most) {
      this.problems.push({ type: "less_than_equal", loc, msg: `Input should be less than or equal to ${most}` });
    } else {
      return value;
    }
    return undefined;
  }
}

const SESSION_PREFIX = "x-wren-variable-";

const TRUE: ReadonlySet<string> = new Set(["true", "1", "yes", "on", "t", "y"]);
const FALSE: ReadonlySet<string> = new Set(["false", "0", "no", "off", "f", "n"]);
