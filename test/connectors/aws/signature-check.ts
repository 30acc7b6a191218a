/** AWS's Signature Version 4 from the verifier's side, written from its description, to check what the SDK sends through us. */
import { createHash, createHmac } from "node:crypto";

export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
export function isSignedBy(secret: string, { method, url, headers, body }: SignedRequest): boolean {
  const [, scope = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      String(headers["authorization"]),
    ) ?? [];
  const [date = "", region = "", service = ""] = scope.split("/");
  const canonical = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    hash(body),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash(canonical)].join("\n");
  const key = [date, region, service, "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return signature === hmac(key, text).toString("hex");
}
