/** Requests to the service's own `/v3/projects`, with the person's token or key. It is kept in memory only. */
import {
  ApiFailure,
  type Explanation,
  type Failure,
  type ListedProject,
  type Position,
  type Project,
} from "./answers.ts";

export interface Ask {
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
  /** The answer of CSV says at its end that it is whole. */
  readonly endLine?: boolean;
  readonly token: string | undefined;
  readonly signal?: AbortSignal;
}

/** The answer of status 200. Rejects with `ApiFailure`, or with the signal's reason. */
export async function ask({
  path,
  body,
  accept = "application/json",
  endLine = false,
  token,
  signal,
}: Ask): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Accept: accept,
        ...(endLine && { "x-end-line": "true" }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      cache: "no-store",
    });
  } catch {
    signal?.throwIfAborted();
    throw new ApiFailure({
      status: 0,
      code: "OFFLINE",
      message: "The service does not answer.",
      hint: "Check the connection and try again.",
      suggestions: [],
    });
  }
  if (!response.ok) throw new ApiFailure(await failureOf(response));
  return response;
}

async function failureOf(response: Response): Promise<Failure> {
  const text = await response.text().catch(() => "");
  const retryAfter = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const more = Number.isFinite(retryAfter) ? { retryAfter } : {};
  return { ...failureIn(text, response.status), ...more };
}

/** An error body of docs/spec/contract.md#error-bodies, or of a request whose shape is wrong. */
export function failureIn(text: string, status: number): Failure {
  const fallback = {
    status,
    code: `HTTP_${status}`,
    message: `The service answered with status ${status}.`,
    suggestions: [],
  };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return fallback;
  }
  if (typeof body !== "object" || body === null) return fallback;
  const {
    errorCode,
    message,
    metadata = {},
    correlationId,
    detail,
  } = body as {
    readonly errorCode?: unknown;
    readonly message?: unknown;
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly correlationId?: unknown;
    readonly detail?: unknown;
  };
  if (typeof message !== "string") {
    const details = Array.isArray(detail)
      ? detail.map((each) => String(each?.msg ?? "")).join("; ")
      : String(detail ?? "");
    return details === "" ? fallback : { ...fallback, message: details };
  }
  const { reason, hint, position, suggestions } = metadata;
  return {
    status,
    code: typeof errorCode === "string" ? errorCode : fallback.code,
    message,
    suggestions: Array.isArray(suggestions) ? suggestions.filter((each) => typeof each === "string") : [],
    ...(typeof reason === "string" && { reason }),
    ...(typeof hint === "string" && { hint }),
    ...(isPosition(position) && { position }),
    ...(typeof correlationId === "string" && { correlationId }),
  };
}

function isPosition(value: unknown): value is Position {
  return typeof value === "object" && value !== null && "offset" in value && "length" in value;
}

export const pathOf = (project: string, operation = ""): string =>
  `/v3/projects/${encodeURIComponent(project)}${operation === "" ? "" : `/${operation}`}`;

/** All pages of the projects that the caller may use. */
export async function listProjects(token: string | undefined): Promise<readonly ListedProject[]> {
  const found: ListedProject[] = [];
  let cursor: string | undefined;
  do {
    const query: string = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const response = await ask({ path: `/v3/projects${query}`, token });
    const page = (await response.json()) as { readonly projects: readonly ListedProject[]; readonly cursor?: string };
    found.push(...page.projects);
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < 1000);
  return found;
}

export async function openProject(name: string, token: string | undefined): Promise<Project> {
  return (await (await ask({ path: pathOf(name), token })).json()) as Project;
}

export async function explain(
  project: string,
  question: { readonly sql: string },
  token: string | undefined,
  signal?: AbortSignal,
): Promise<Explanation> {
  const request = { path: pathOf(project, "explain"), body: question, token, ...(signal && { signal }) };
  return (await (await ask(request)).json()) as Explanation;
}
