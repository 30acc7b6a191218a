/** All errors and warnings of the planner as values, each with a span and a hint. */

import { NOWHERE } from "./syntax/spans.ts";
import type { Span } from "./syntax/tree.ts";
import type { VariantRange } from "./variant.ts";

/** Reasons of planner errors. `service/errors.ts` maps each onto error code, phase and HTTP status (docs/spec/contract.md#error-codes). */
export type PlannerReason =
  // the text
  | "SYNTAX"
  | "SEVERAL_STATEMENTS"
  | "UNSUPPORTED_STATEMENT"
  | "LIMIT_DEPTH"
  | "LIMIT_SIZE"
  // the meaning
  | "MODEL_NOT_FOUND"
  | "AMBIGUOUS_MODEL"
  | "COLUMN_NOT_FOUND"
  | "AMBIGUOUS_COLUMN"
  | "UNGROUPED_COLUMN"
  | "INVALID_QUERY"
  | "TYPE_MISMATCH"
  | "FANOUT"
  | "PRIMARY_KEY_REQUIRED"
  | "ACCESS_DENIED"
  | "SESSION_PROPERTY_REQUIRED"
  | "SESSION_PROPERTY_INVALID"
  | "FUNCTION_NOT_FOUND"
  | "FUNCTION_NOT_ALLOWED"
  | "ENUM_VALUE_NOT_FOUND"
  // the values for $1 …
  | "PARAMETER_INVALID"
  // a structured query over a cube
  | "CUBE_NOT_FOUND"
  | "CUBE_FIELD_NOT_FOUND"
  | "CUBE_INVALID_QUERY"
  | "STRICT_WARNING"
  // the target
  | "UNSUPPORTED_ON_SOURCE"
  // The source has the construct in UTC, and not in the caller's time zone.
  | "TIME_ZONE_UNSUPPORTED"
  // the manifest, unreadable as a whole
  | "MANIFEST_BASE64"
  | "MANIFEST_JSON"
  | "MANIFEST_SCHEMA"
  | "MANIFEST_LAYOUT_VERSION"
  // the manifest, wrong in the part that the query needs
  | "MANIFEST_DUPLICATE"
  | "MANIFEST_SOURCE"
  | "MANIFEST_EXPRESSION"
  | "MANIFEST_RELATIONSHIP"
  | "MANIFEST_CYCLE"
  // Requested but not implemented.
  | "NOT_IMPLEMENTED";

export type WarningCode =
  | "UNKNOWN_FUNCTION"
  | "COLLATION_DEPENDENT"
  | "FANOUT_RISK"
  | "ROW_LOSS_POSSIBLE"
  | "ACCESS_RULE_SKIPPED"
  | "RULED_TABLE_READ"
  | "LIMIT_APPLIED"
  | "INTEGER_DIVISION"
  | "INTERVAL_UNIT"
  | "COLUMN_LEFT_OUT"
  | "TIME_ZONE_MIXED"
  | "MANIFEST_TIME_ZONE"
  | "FILE_COLUMN_MISSING"
  | "UNKNOWN_OPTION"
  | "UNKNOWN_MEMBER";

export interface PlannerWarning {
  readonly code: WarningCode;
  readonly message: string;
  readonly span?: Span;
  readonly hint?: string;
}

export interface DiagnosticDetails {
  /** Span in the caller's SQL; absent if the error is in the manifest. */
  readonly span?: Span;
  /** One sentence about the fix. */
  readonly hint?: string;
  /** Near names that the caller may see, best first. */
  readonly suggestions?: readonly string[];
  /** Servers of the source that the query can be planned for, though not for all of them. */
  readonly liftedBy?: readonly VariantRange[];
  /** Whether the message may quote text of the manifest. */
  readonly quotesManifest?: boolean;
}

/** The one error the planner throws inside and returns at its door (`planner/index.ts`). */
export class PlannerError extends Error {
  override readonly name = "PlannerError";
  readonly reason: PlannerReason;
  readonly span: Span | undefined;
  readonly hint: string | undefined;
  readonly suggestions: readonly string[];
  readonly liftedBy: readonly VariantRange[];
  readonly quotesManifest: boolean;

  constructor(reason: PlannerReason, message: string, details: DiagnosticDetails = {}) {
    // The quoted text may be cut within a surrogate pair.
    super(message.toWellFormed());
    this.reason = reason;
    this.span = details.span === NOWHERE ? undefined : details.span;
    this.hint = details.hint;
    this.suggestions = details.suggestions ?? [];
    this.liftedBy = details.liftedBy ?? [];
    this.quotesManifest = details.quotesManifest ?? false;
  }

  /** The same, naming the source where it is a refusal of this one. */
  onSource(product: string): PlannerError {
    if (!this.message.startsWith(UNSUPPORTED)) return this;
    const { reason, span, hint, suggestions, liftedBy, quotesManifest } = this;
    const message = `not supported on ${product}: ${this.message.slice(UNSUPPORTED.length)}`;
    const more = { ...(span && { span }), ...(hint && { hint }) };
    return new PlannerError(reason, message, { suggestions, liftedBy, quotesManifest, ...more });
  }

  /** The same refusal of a statement that is planned where the session's zone is UTC. */
  inZone(zone: string): PlannerError {
    const { message, span, suggestions, liftedBy, quotesManifest } = this;
    const hint = [this.hint, `The statement is planned in UTC, and not in ${zone}.`].filter(Boolean).join(" ");
    return new PlannerError("TIME_ZONE_UNSUPPORTED", message, {
      hint,
      suggestions,
      liftedBy,
      quotesManifest,
      ...(span && { span }),
    });
  }

  /** The same error with `span`, if it has none. An error without a span is in text of the manifest, which `span` names. */
  placedAt(span: Span, quotesManifest = true): PlannerError {
    if (this.span !== undefined) return this;
    const { reason, message, hint, suggestions, liftedBy } = this;
    const more = hint === undefined ? {} : { hint };
    return new PlannerError(reason, message, { span, suggestions, liftedBy, quotesManifest, ...more });
  }

  /** The same error, marked as one about text of the manifest. */
  ofManifest(): PlannerError {
    const { reason, message, span, hint, suggestions, liftedBy } = this;
    const more = { ...(span && { span }), ...(hint !== undefined && { hint }) };
    return new PlannerError(reason, message, { ...more, suggestions, liftedBy, quotesManifest: true });
  }

  /** The same refusal by all servers of a source together, of which these do not refuse. */
  liftedOn(liftedBy: readonly VariantRange[]): PlannerError {
    const { reason, message, span, suggestions, quotesManifest } = this;
    const hint = [this.hint, `Over a connection it is planned for ${listed(liftedBy)}.`].filter(Boolean).join(" ");
    return new PlannerError(reason, message, { hint, suggestions, liftedBy, quotesManifest, ...(span && { span }) });
  }
}

const UNSUPPORTED = "not supported on this source: ";

/** Error for constructs that the target does not support; `onSource` adds the source's name. */
export function unsupported(what: string, span: Span | undefined, hint?: string): PlannerError {
  return new PlannerError("UNSUPPORTED_ON_SOURCE", `${UNSUPPORTED}${what}`, {
    ...(span && { span }),
    ...(hint !== undefined && { hint }),
  });
}

/** `mysql from 8.0.14 on`. */
function listed(ranges: readonly VariantRange[]): string {
  const products = ranges.map(({ product, from, below }) => {
    const versions = `from ${from.join(".")} ${below === undefined ? "on" : `to below ${below.join(".")}`}`;
    return `${product} ${versions}`;
  });
  return products.join(", ");
}

/**
 * The error as a PlannerError; other errors are thrown again. Every depth has its limit, but in combination they may
 * still exceed this platform's stack. `whole`: the span that was worked on.
 */
export function plannersOwn(error: unknown, whole?: Span): PlannerError {
  if (error instanceof PlannerError)
    return error.reason === "LIMIT_SIZE" && whole ? error.placedAt(whole, false) : error;
  if (!(error instanceof RangeError) || !/call stack/.test(error.message)) throw error;
  const message = "the query and what it names are nested too deeply";
  return new PlannerError("LIMIT_DEPTH", message, { ...(whole && { span: whole }) });
}

/**
 * The result of `work`; an error without a span, such as one in the manifest's text, gets the span that names the
 * object.
 */
export function namedAt<T>(span: Span, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PlannerError ? error.placedAt(span) : error;
  }
}

/** 1-based line and column (in UTF-16 units, tabs count one) of an offset. Lines end at LF, CR LF or CR. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  const end = Math.min(offset, text.length);
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) {
      line++;
      lineStart = i + 1;
    }
  }
  return { line, column: end - lineStart + 1 };
}
