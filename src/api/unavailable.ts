/** Answers of a Worker with invalid settings: it serves nothing and gives the caller no details. */
import { correlationIdOf } from "../guard/correlation.ts";
import { NO_SECRETS } from "../guard/redactor.ts";
import { type Log, logRequest } from "../guard/request-log.ts";
import { logLine } from "../log-line.ts";
import { ServiceError } from "../service/failure.ts";
import type { App } from "./app.ts";
import { errorBody } from "./responses.ts";

/** Only the log names the settings, because the caller may be anybody. */
const notReady = (): Response =>
  new Response(JSON.stringify({ status: "not ready", parts: { settings: "wrong or missing; see the log" } }), {
    status: 503,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
  });

/** Writes `problems` to the log once; every answer is the same 503. */
export function createUnavailableApp(problems: readonly string[], log: Log): App {
  log(logLine({ level: "error", event: "invalid settings", problems }));
  return async (request) => {
    if (new URL(request.url).pathname === "/ready") return notReady();
    const error = new ServiceError("MISCONFIGURED", "The service is not configured; its log says what is missing.");
    const correlationId = correlationIdOf(request.headers.get("x-correlation-id"));
    const { status, code } = error.outcome;
    const record = { method: request.method, route: "none", status, milliseconds: 0, correlationId };
    logRequest(log, { ...record, errorCode: code, reason: error.reason });
    return new Response(
      JSON.stringify(
        errorBody(error, {
          correlationId,
          redactor: NO_SECRETS,
          dataSource: undefined,
          shownFailure: (failure) => failure,
        }),
      ),
      {
        status,
        headers: {
          "Content-Type": "application/json",
          "Cache-Control": "no-store",
          "X-Correlation-ID": correlationId,
          "X-Process-Time": "0.000000",
        },
      },
    );
  };
}
