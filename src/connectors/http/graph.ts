/** Sends single GraphQL documents (https://spec.graphql.org/October2021/#sec-Response-Format). */
import { ConnectorFailure } from "../failure.ts";
import { type HttpSource, request } from "./request.ts";

/** Limit for texts that appear in answers and logs; a server may send any amount. */
const MAX_TEXT = 4096;

/**
 * Resolves with the `data` of the response, of any type. Rejects with `ConnectorFailure`, or with any error once the signal has
 * fired.
 */
export async function queryGraph(
  source: HttpSource,
  url: string,
  authorization: string,
  question: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> | undefined },
  signal: AbortSignal,
): Promise<unknown> {
  const headers = { authorization, "content-type": "application/json", accept: "application/json" };
  const response = await request(source, url, { method: "POST", headers, body: JSON.stringify(question), signal });
  let answer: unknown;
  try {
    answer = await response.json();
  } catch (cause) {
    if (cause instanceof ConnectorFailure) throw cause;
    throw notGraph(cause);
  }
  if (typeof answer !== "object" || answer === null) throw notGraph();
  const { data, errors } = answer as { readonly data?: unknown; readonly errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) throw failureOf(errors[0]);
  if (typeof data !== "object" || data === null) throw notGraph();
  return data;
}

/** Error codes about authentication, as Apollo servers write them next to the message. */
const OF_WHO_ASKS: ReadonlySet<unknown> = new Set(["UNAUTHENTICATED", "FORBIDDEN"]);

function failureOf(error: unknown): ConnectorFailure {
  const { message, extensions } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly message?: unknown;
    readonly extensions?: { readonly code?: unknown } | null;
  };
  if (typeof message !== "string") return notGraph();
  const code = extensions?.code;
  return new ConnectorFailure(OF_WHO_ASKS.has(code) ? "AUTHENTICATION" : "SOURCE_ERROR", message.slice(0, MAX_TEXT), {
    ...(typeof code === "string" && { engineCode: code.slice(0, 63) }),
  });
}

function notGraph(cause?: unknown): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer is not that of GraphQL.", {
    hint: "Check the host, and proxies in front of it.",
    cause,
  });
}
