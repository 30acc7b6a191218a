/** The only door to the planner: text, manifest and session in; a Plan or one typed error out. Pure and synchronous. */
import { PlannerError } from "./diagnostics.ts";
import type { PlannerLimits } from "./limits.ts";
import type { DataSource, Plan } from "./plan.ts";
import type { Span } from "./syntax/tree.ts";

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: PlannerError };

/** A decoded manifest with its lazily analysed index; made once, shared by all requests that carry the same text. */
export interface Manifest {
  readonly catalog: string;
  readonly schema: string;
}

export interface PlanRequest {
  readonly sql: string;
  readonly manifest: Manifest;
  /** `undefined` prints the input language (decisions W16). */
  readonly source: DataSource | undefined;
  /** Session properties, names in lower case, values as SQL literal text (contract Appendix B). */
  readonly session: ReadonlyMap<string, string>;
  /** Row cap pushed into the SQL as a tree edit (decisions P16). */
  readonly limit?: number;
  /** Zone of zone-less `timestamptz` literals (decisions W15); `UTC` when absent. */
  readonly timeZone?: string;
  readonly options: PlanOptions;
}

export interface PlanOptions {
  readonly limits: PlannerLimits;
  readonly unknownFunctions: "allow" | "warn" | "refuse";
  readonly accessControl: "standard" | "strict";
}

/** Decodes `manifestStr`: base64 (URL-safe and unpadded accepted) of UTF-8 JSON, at most `maxBytes` decoded. */
export function loadManifest(_base64: string, _maxBytes: number): Outcome<Manifest> {
  return { ok: false, error: new PlannerError("NOT_IMPLEMENTED", "not built yet") };
}

export function plan(_request: PlanRequest): Outcome<Plan> {
  return { ok: false, error: new PlannerError("NOT_IMPLEMENTED", "not built yet") };
}

/** The span of the caller's SQL that the text at `offset` of `plan.sql` stands for; `undefined` for text of the manifest. */
export function originOf(_plan: Plan, _offset: number): Span | undefined {
  return undefined;
}
