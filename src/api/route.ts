/** A route: a path, its documentation, and the handler that answers it. */
import type * as z from "zod/mini";
import type { Operation } from "../service/operations.ts";
import type { Exchange } from "./exchange.ts";
import type { ParameterName } from "./parameters.ts";
import type * as schemas from "./schemas.ts";

export type Version = "v2" | "v3";

export interface RouteMatch {
  readonly exchange: Exchange;
  readonly route: Pick<Route, "operation" | "parameters">;
  readonly version: Version;
  /** Path parameters, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
}

export type Handler = (match: RouteMatch) => Promise<Response>;

/** `wrapped`: the member that contains the value in the classic profile. */
export interface AnswerInfo {
  readonly status: 200 | 204;
  readonly description: string;
  readonly schema?: schemas.Schema;
  readonly wrapped?: string;
  /** Answers with rows, in the formats of the query encoder. */
  readonly rows?: boolean;
  /** Reports the cost of running the query. */
  readonly cost?: boolean;
}

export interface Route {
  readonly operation: Operation;
  /** Unique within a version. */
  readonly id: string;
  readonly methods: readonly ("GET" | "POST")[];
  /** Below `/v2/connector` or, for analysis, below `/v2`. Parameters as `:name`. */
  readonly path: string;
  readonly family: "connector" | "analysis" | "project";
  readonly summary: string;
  readonly parameters: readonly ParameterName[];
  readonly body?: (version: Version) => schemas.Schema<z.ZodMiniObject>;
  readonly answers: readonly AnswerInfo[];
  readonly handle: Handler;
}
