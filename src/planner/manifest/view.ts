/** Views: named queries over models and other views (planner.md §2.9), parsed when a query first needs them. */
import { lineAndColumn, PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { parseQuery } from "../syntax/parser.ts";
import type { Query, Span } from "../syntax/tree.ts";
import type { ViewData } from "./schema.ts";

export class View {
  readonly name: string;
  readonly #statement: string;
  #query: Query | undefined;

  constructor({ name, statement }: ViewData) {
    this.name = name;
    this.#statement = statement;
  }

  /** Throws what `fault` makes of an error of the parser. */
  query(): Query {
    this.#query ??= this.#parsed();
    return this.#query;
  }

  #parsed(): Query {
    try {
      return parseQuery(this.#statement, { limits: DEFAULT_LIMITS });
    } catch (error) {
      throw error instanceof PlannerError ? this.fault(error, undefined) : error;
    }
  }

  /** An error in the view's statement, told to whoever uses the view at `use`. */
  fault(error: PlannerError, use: Span | undefined): PlannerError {
    const place = error.span && lineAndColumn(this.#statement, error.span.start);
    const where = place === undefined ? "" : ` (at line ${place.line}, column ${place.column} of its statement)`;
    return new PlannerError(
      MODELLERS.has(error.reason) ? "MANIFEST_EXPRESSION" : error.reason,
      `view "${this.name}": ${error.message}${where}`,
      {
        ...(use === undefined ? {} : { span: use }),
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        suggestions: error.suggestions,
      },
    );
  }
}

/** What would be the caller's mistake in a query is the modeller's in a view. */
const MODELLERS: ReadonlySet<PlannerError["reason"]> = new Set([
  "SYNTAX",
  "SEVERAL_STATEMENTS",
  "UNSUPPORTED_STATEMENT",
  "MODEL_NOT_FOUND",
  "COLUMN_NOT_FOUND",
  "AMBIGUOUS_COLUMN",
  "UNGROUPED_COLUMN",
  "INVALID_QUERY",
  "TYPE_MISMATCH",
]);
