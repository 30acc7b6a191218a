/** Errors of AWS's services, as the connectors' typed failures. What only one service says is told where it is asked. */
import { ConnectorFailure, type FailureReason } from "../failure.ts";

/** Texts end up in answers and logs. */
const MAX_TEXT = 4096;

/** https://docs.aws.amazon.com/athena/latest/APIReference/CommonErrors.html and STS's own. */
const REASONS: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  ["AccessDenied", "AUTHENTICATION"],
  ["AccessDeniedException", "AUTHENTICATION"],
  ["ExpiredToken", "AUTHENTICATION"],
  ["ExpiredTokenException", "AUTHENTICATION"],
  ["IncompleteSignature", "AUTHENTICATION"],
  ["InvalidClientTokenId", "AUTHENTICATION"],
  ["InvalidIdentityToken", "AUTHENTICATION"],
  ["InvalidIdentityTokenException", "AUTHENTICATION"],
  ["InvalidSignatureException", "AUTHENTICATION"],
  ["MissingAuthenticationToken", "AUTHENTICATION"],
  ["NotAuthorized", "AUTHENTICATION"],
  ["OptInRequired", "AUTHENTICATION"],
  ["SignatureDoesNotMatch", "AUTHENTICATION"],
  ["UnrecognizedClientException", "AUTHENTICATION"],
  ["RequestExpired", "AUTHENTICATION"],
  ["ServiceUnavailable", "OVERLOADED"],
  ["ThrottlingException", "OVERLOADED"],
  ["Throttling", "OVERLOADED"],
  ["TooManyRequestsException", "OVERLOADED"],
]);

/** Seconds; none of the services says one. */
const RETRY_AFTER = 5;

/** `others`: what else the service asked says, by the name of the error. Failures of ours are passed on. */
export function awsFailure(error: unknown, others?: ReadonlyMap<string, FailureReason>): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const { name = "", message = "" } = error as { readonly name?: string; readonly message?: string };
  const known = REASONS.get(name) ?? others?.get(name);
  // The SDK's own words for a body that it cannot read: it is not the service's.
  const isServices = (error as { readonly $fault?: unknown }).$fault !== undefined && name !== "";
  if (known === undefined && !isServices) {
    return new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer is not that of AWS's service.", { cause: error });
  }
  const reason = known ?? "SOURCE_ERROR";
  const text = message === "" ? "AWS refused the request." : message.slice(0, MAX_TEXT);
  return new ConnectorFailure(reason, text, {
    engineCode: name,
    ...(reason === "OVERLOADED" && { retryAfter: RETRY_AFTER }),
    cause: error,
  });
}
