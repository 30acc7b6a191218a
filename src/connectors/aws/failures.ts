/** Converts errors of AWS services to the connectors' typed failures. Each service adds its own errors. */
import { ConnectorFailure, type FailureReason } from "../failure.ts";

/** Limit for texts that appear in answers and logs. */
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

/** Seconds; none of the services reports a time. */
const RETRY_AFTER = 5;

/** `others`: further errors of the service, by name. Failures of type `ConnectorFailure` are returned unchanged. */
export function awsFailure(error: unknown, others?: ReadonlyMap<string, FailureReason>): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const { name = "", message = "" } = error as { readonly name?: string; readonly message?: string };
  const known = REASONS.get(name) ?? others?.get(name);
  // The SDK has this error for a body that it cannot read: the body does not come from the service.
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
