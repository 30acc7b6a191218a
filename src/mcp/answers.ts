/** Answers of use cases, and failures as a model reads them. */
import { caretLine, type Position } from "./caret.ts";

export interface Warning {
  readonly code: string;
  readonly message?: string;
  readonly hint?: string;
  readonly position?: Position;
  /** For the code MORE. */
  readonly count?: number;
}

/** An answer of the service that is an error; it becomes a result with `isError`. */
export class ToolFailure extends Error {
  readonly structured: Readonly<Record<string, unknown>>;

  constructor(text: string, structured: Readonly<Record<string, unknown>>) {
    super(text);
    this.structured = structured;
  }
}

interface ErrorBody {
  readonly errorCode?: string;
  readonly message?: string;
  readonly metadata?: {
    readonly reason?: string;
    readonly position?: Position;
    readonly suggestions?: readonly string[];
    readonly hint?: string;
  } | null;
  readonly correlationId?: string;
  /** Problems of the request's shape. */
  readonly detail?: string | readonly { readonly loc?: readonly (string | number)[]; readonly msg?: string }[];
}

export async function jsonOf<T>(response: Response, sql?: string): Promise<T> {
  if (!response.ok) throw await failureOf(response, sql);
  return (await response.json()) as T;
}

export async function failureOf(response: Response, sql: string | undefined): Promise<ToolFailure> {
  let body: ErrorBody = {};
  try {
    body = (await response.json()) as ErrorBody;
  } catch {
    // The status is all that there is.
  }
  const retryAfter = response.headers.get("retry-after");
  return failureIn(body, sql, retryAfter === null ? undefined : Number(retryAfter), response.status);
}

/** `body` is an error body of the service. */
export function failureIn(body: ErrorBody, sql: string | undefined, retryAfter?: number, status?: number): ToolFailure {
  const { errorCode, message, metadata, correlationId, detail } = body;
  if (detail !== undefined) {
    const text =
      typeof detail === "string"
        ? detail
        : detail.map(({ loc, msg }) => `${(loc ?? []).slice(1).join(".")}: ${msg ?? "is wrong"}`).join("\n");
    return new ToolFailure(text, { errorCode: "REQUEST_SHAPE", reason: "REQUEST_SHAPE" });
  }
  const { reason, position, suggestions, hint } = metadata ?? {};
  const said = message ?? `The service answered with status ${status ?? 500}.`;
  const lines = [
    said,
    ...(position === undefined || sql === undefined ? [] : [caretLine(sql, position)]),
    ...(hint === undefined || said.includes(hint) ? [] : [`Hint: ${hint}`]),
    ...(suggestions === undefined || suggestions.length === 0 || suggestions.every((name) => said.includes(name))
      ? []
      : [`Similar names: ${suggestions.join(", ")}`]),
    ...(retryAfter === undefined ? [] : [`Try again in ${retryAfter} seconds.`]),
  ];
  return new ToolFailure(lines.join("\n"), {
    errorCode: errorCode ?? "GENERIC_INTERNAL_ERROR",
    ...(reason !== undefined && { reason }),
    message: said,
    ...(position !== undefined && { position }),
    ...(suggestions !== undefined && { suggestions }),
    ...(hint !== undefined && { hint }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(correlationId !== undefined && { queryId: correlationId }),
  });
}

export function warningsOf({ headers }: Response): readonly Warning[] {
  const text = headers.get("x-warnings");
  return text === null ? [] : (JSON.parse(text) as readonly Warning[]);
}

/** One line for each warning, and one for the guarantee of row rules. */
export function remarkLines(warnings: readonly Warning[], rowRules: string | undefined): readonly string[] {
  return [
    ...warnings.map(({ code, message, hint, count }) =>
      message === undefined
        ? `Warning ${code}: ${count ?? "some"} further warnings.`
        : `Warning ${code}: ${message}${hint === undefined || message.includes(hint) ? "" : ` Hint: ${hint}`}`,
    ),
    ...(rowRules === undefined || rowRules === "none"
      ? []
      : [`Row rules: ${rowRules}. The answer has only the rows that your rules allow.`]),
  ];
}

export function rowRulesOf({ headers }: Response): string | undefined {
  return headers.get("x-row-rules") ?? undefined;
}
