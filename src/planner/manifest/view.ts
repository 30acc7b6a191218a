/** Views: named queries over models and other views (docs/spec/planner.md#views), parsed when a query first needs them. */
import { lineAndColumn, PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { parseQuery } from "../syntax/parser.ts";
import type { Query, Span } from "../syntax/tree.ts";
import type { Annotated } from "./annotations.ts";
import type { ViewData } from "./data.ts";
import { modellersFault } from "./faults.ts";

export class View {
  readonly name: string;
  readonly annotations: Annotated | undefined;
  readonly #statement: string;
  #query: Query | undefined;

  constructor({ name, statement, annotations }: ViewData) {
    this.name = name;
    this.annotations = annotations;
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

  /** An error in the view's statement, reported at `use`, where the query names the view. */
  fault(error: PlannerError, use: Span | undefined): PlannerError {
    const at = error.span && lineAndColumn(this.#statement, error.span.start);
    const place = at && `at line ${at.line}, column ${at.column} of its statement`;
    return modellersFault(`view "${this.name}"`, error, { place, use });
  }
}
