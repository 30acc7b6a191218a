/** Authenticates a request and checks its rate before anything else is read. */
import type { Caller, CallerReason, CallerRefusal } from "../guard/caller.ts";
import { ServiceError } from "../service/failure.ts";
import type { Exchange } from "./exchange.ts";
import { resourceOf } from "./mcp/authorization.ts";

/** Stores the caller in the exchange. Throws `ServiceError`: 401, 403, 429, or 503 when authentication is unavailable. */
export async function admit(exchange: Exchange): Promise<void> {
  const { authenticator, requestRate, agents } = exchange.options;
  const audience = resourceOf(exchange.url.pathname, agents?.resource);
  const outcome = await exchange.phases.during("authenticate", () =>
    authenticator.authenticate(exchange.request, exchange.defer, audience),
  );
  if (!outcome.ok) throw errorOf(outcome.refusal);
  exchange.caller = outcome.caller;
  const retryAfter = await requestRate.waitOf(outcome.caller);
  if (retryAfter === undefined) return;
  throw errorOf({ reason: "RATE_LIMITED", message: "The caller asks more often than it may.", retryAfter });
}

/** The caller of an admitted request. */
export function callerOf({ caller }: Exchange): Caller {
  if (caller === undefined) throw new ServiceError("INTERNAL", "A request was not admitted.");
  return caller;
}

function errorOf({ reason, message, hint, retryAfter }: CallerRefusal): ServiceError {
  return new ServiceError(reason, message, {
    retryAfter,
    ownWords: true,
    ...(hint !== undefined && { metadata: { hint } }),
  });
}

/** `WWW-Authenticate` (RFC 6750 §3), which every 401 has, and a 403 for want of a scope. */
export function challengeOf(reason: string, parameters: string): Readonly<Record<string, string>> {
  const error = CHALLENGES[reason as keyof typeof CHALLENGES];
  return error === undefined ? {} : { "WWW-Authenticate": `Bearer realm="siskin"${error}${parameters}` };
}

const CHALLENGES: Readonly<Partial<Record<CallerReason | "SCOPE_REQUIRED", string>>> = {
  CREDENTIALS_MISSING: "",
  CREDENTIALS_INVALID: ', error="invalid_token"',
  SCOPE_REQUIRED: ', error="insufficient_scope"',
  CREDENTIALS_EXPIRED: ', error="invalid_token", error_description="expired"',
};
