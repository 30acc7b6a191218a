/** Errors of a project's request as its caller may see them. The log keeps the reason. */
import { PlannerError, type PlannerReason } from "../../planner/diagnostics.ts";
import { type FailureMetadata, ServiceError } from "../failure.ts";
import { broken, type ProjectReport, type UsedProject } from "./open.ts";

/** The manifest is the operator's: its faults are not the caller's to read or to repair. */
const OF_MANIFEST: ReadonlySet<string> = new Set<PlannerReason>([
  "MANIFEST_BASE64",
  "MANIFEST_JSON",
  "MANIFEST_SCHEMA",
  "MANIFEST_LAYOUT_VERSION",
  "MANIFEST_DUPLICATE",
  "MANIFEST_SOURCE",
  "MANIFEST_EXPRESSION",
  "MANIFEST_RELATIONSHIP",
  "MANIFEST_CYCLE",
]);

export function failureOfProject(error: ServiceError, project: UsedProject, report: ProjectReport): ServiceError {
  const { reason, operation } = error;
  const { position } = error.metadata;
  if (OF_MANIFEST.has(reason)) return broken(project.name, error.message, report);
  if (reason === "ACCESS_DENIED") {
    // A view's or a path's column that a rule keeps from the caller: as unknown as any other name.
    return new ServiceError("COLUMN_NOT_FOUND", "The column is not found.", {
      operation,
      metadata: position === undefined ? {} : { position },
      ownWords: true,
      cause: error,
    });
  }
  if (reason === "SESSION_PROPERTY_REQUIRED" || reason === "SESSION_PROPERTY_INVALID") {
    const { callerProperties } = project.pointer;
    const settable = callerProperties.length > 0 ? ` A request may set ${callerProperties.join(", ")}.` : "";
    return new ServiceError(
      reason,
      `The session lacks a value that the project needs, or one of its values cannot be used.${settable}`,
      { operation, metadata: {}, ownWords: true, cause: error },
    );
  }
  const { cause } = error;
  if (cause instanceof PlannerError && quotesManifest(cause)) {
    if (reason !== "UNSUPPORTED_ON_SOURCE" && reason !== "TIME_ZONE_UNSUPPORTED")
      return broken(project.name, error.message, report);
    // The SQL that the project shows holds the same text.
    if (project.pointer.show.sql) return error;
    return new ServiceError(reason, "Something that the statement names cannot be computed on the project's source.", {
      operation,
      metadata: position === undefined ? {} : { position },
      ownWords: true,
      cause,
    });
  }
  if (project.pointer.show.sql) return error;
  const { plannedSql, dialectSql, ...shown } = error.metadata;
  if (plannedSql === undefined && dialectSql === undefined) return error;
  return withMetadata(error, shown);
}

/** The planner's sentences about a session property begin so, whatever object they are about. */
const PROPERTY_NAMED = /session property (\S{1,200}) /;

/**
 * The failure of a stored question whose session lacks a value of a rule. The project lists its questions to every caller, so the
 * caller may know the name of the property that one of them needs; `undefined` for other failures.
 */
export function missingForQuestion(
  { reason, message, operation, cause }: ServiceError,
  { pointer: { callerProperties } }: Pick<UsedProject, "pointer">,
): ServiceError | undefined {
  if (reason !== "SESSION_PROPERTY_REQUIRED" && reason !== "SESSION_PROPERTY_INVALID") return undefined;
  const [, name] = PROPERTY_NAMED.exec(message) ?? [];
  if (name === undefined) return undefined;
  const isSettable = callerProperties.includes(name.toLowerCase());
  const said = reason === "SESSION_PROPERTY_REQUIRED" ? "your session lacks" : "your session has no usable value of";
  const hint = isSettable
    ? `Send the header x-wren-variable-${name}.`
    : "The operator of the service adds it to your key or token.";
  const more = { operation, metadata: { hint }, ownWords: true, cause };
  return new ServiceError(reason, `The question needs the session property ${name}: ${said} it.`, more);
}

/** The limits count the caller's statement, too. */
const OF_BOTH: ReadonlySet<string> = new Set<PlannerReason>(["LIMIT_DEPTH", "LIMIT_SIZE"]);

/** Whether the message tells of expressions, conditions or statements that the operator wrote. */
function quotesManifest({ reason, span, quotesManifest: quotes }: PlannerError): boolean {
  if (reason === "FUNCTION_NOT_FOUND" || reason === "FUNCTION_NOT_ALLOWED") return quotes || span === undefined;
  return quotes && !OF_BOTH.has(reason);
}

function withMetadata(error: ServiceError, metadata: FailureMetadata): ServiceError {
  const { reason, message, operation, ownWords, quotesSource, answersStatement, cause, outcome } = error;
  return new ServiceError(reason, message, {
    operation,
    metadata,
    ownWords,
    quotesSource,
    answersStatement,
    cause,
    retryAfter: outcome.retryAfter,
  });
}
