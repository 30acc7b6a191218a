/**
 * Converts refusals of S3 and compatible services to typed failures
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html).
 */
import { inside, valueOf } from "../../aws/xml.ts";
import { ConnectorFailure, type FailureReason } from "../../failure.ts";
import { byteLimited } from "../../http/byte-limit.ts";
import { retryAfterOf } from "../../http/request.ts";

/** `<Error><Code>…` in a response with an error status. */
export interface StoreRefusal {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
  /** The region of the bucket, if the service reports it. */
  readonly region: string | undefined;
  readonly retryAfter: number;
}

/** Maximum bytes of a refusal, which may come from a proxy. */
const MAX_REFUSAL = 16 * 1024;
const MAX_TEXT = 1024;

/** Never throws the body's errors: a truncated response is parsed as far as it arrived. */
export async function refusalIn(response: Pick<Response, "status" | "headers" | "body">): Promise<StoreRefusal> {
  const { status, headers } = response;
  const text = await new Response(byteLimited(response.body, MAX_REFUSAL)).text().catch(() => "");
  const error = inside(text, "Error") ?? "";
  return {
    status,
    code: /^\w{1,64}$/.exec(valueOf(error, "Code") ?? "")?.[0],
    message: (valueOf(error, "Message") ?? "").slice(0, MAX_TEXT),
    region: headers.get("x-amz-bucket-region") ?? valueOf(error, "Region"),
    retryAfter: retryAfterOf(headers),
  };
}

const CLOCK_HINT = "Set the clock of the machine that asks by NTP.";

const REASONS: ReadonlyMap<string, readonly [reason: FailureReason, hint?: string]> = new Map<
  string,
  readonly [FailureReason, string?]
>([
  [
    "AccessDenied",
    ["AUTHENTICATION", "The key needs s3:GetObject on the objects, and s3:ListBucket for patterns and metadata."],
  ],
  ["AllAccessDisabled", ["AUTHENTICATION"]],
  ["AccountProblem", ["AUTHENTICATION"]],
  ["ExpiredToken", ["AUTHENTICATION"]],
  ["InvalidAccessKeyId", ["AUTHENTICATION"]],
  ["InvalidObjectState", ["SOURCE_ERROR", "The object is archived: restore it first."]],
  ["InvalidSecurity", ["AUTHENTICATION"]],
  ["InvalidToken", ["AUTHENTICATION"]],
  ["NoSuchBucket", ["AUTHENTICATION", "Check the bucket's name, its region and the endpoint."]],
  ["NotSignedUp", ["AUTHENTICATION"]],
  ["RequestExpired", ["AUTHENTICATION", CLOCK_HINT]],
  ["RequestTimeTooSkewed", ["AUTHENTICATION", CLOCK_HINT]],
  ["SignatureDoesNotMatch", ["AUTHENTICATION", "The secret key is another than that of the access key."]],
  ["UnauthorizedAccess", ["AUTHENTICATION"]],
  ["AuthorizationHeaderMalformed", ["AUTHENTICATION", "Check the region."]],
  ["PermanentRedirect", ["AUTHENTICATION", "The bucket is in another region: give that one."]],
  ["TemporaryRedirect", ["AUTHENTICATION", "The bucket is in another region: give that one."]],
  ["IllegalLocationConstraintException", ["AUTHENTICATION", "Check the region."]],
  ["BandwidthLimitExceeded", ["OVERLOADED"]],
  ["InternalError", ["OVERLOADED"]],
  ["RequestLimitExceeded", ["OVERLOADED"]],
  ["ServiceUnavailable", ["OVERLOADED"]],
  ["SlowDown", ["OVERLOADED"]],
  ["TooManyRequests", ["OVERLOADED"]],
]);

/** `about` is the requested object, such as `s3://bucket/key`. */
export function storeFailure({ status, code, message, retryAfter }: StoreRefusal, about: string): ConnectorFailure {
  if (code === undefined) return withoutCode(status, about, retryAfter);
  const [reason = "SOURCE_ERROR", hint] = REASONS.get(code) ?? [];
  const text = `${about}: ${message === "" ? code : message}`;
  return new ConnectorFailure(reason, text, {
    engineCode: code,
    ...(hint !== undefined && { hint }),
    ...(reason === "OVERLOADED" && { retryAfter }),
  });
}

/** A response to HEAD has no body, and proxies have their own texts, which are not passed on. */
function withoutCode(status: number, about: string, retryAfter: number): ConnectorFailure {
  const message = `${about}: HTTP status ${status}, and not in the words of an object store.`;
  if (status === 401 || status === 403) return new ConnectorFailure("AUTHENTICATION", message);
  if (status === 429 || (status >= 502 && status <= 504)) {
    return new ConnectorFailure("OVERLOADED", message, { retryAfter });
  }
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message, {
    hint: "Check the endpoint: the server that answers is not an object store, or a proxy is in front of it.",
  });
}

export function changed(about: string): ConnectorFailure {
  return new ConnectorFailure("OBJECT_CHANGED", `${about} changed while it was being read.`, {
    hint: "Ask again. Writers that put new objects beside the old ones do not disturb readers.",
  });
}
