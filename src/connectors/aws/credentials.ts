/** Credentials of a connector's requests: its keys, or the keys that STS issues for a role, requested once. */
import type { AwsCredentials } from "../connection/athena.ts";
import type { AwsKeys } from "../connection/aws-keys.ts";
import { ConnectorFailure } from "../failure.ts";
import { endpointOf } from "./endpoints.ts";
import { awsFailure } from "./failures.ts";
import { awsRequestHandler } from "./request-handler.ts";

/** Credentials in the SDK's form. */
export interface AwsIdentity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The shortest duration of STS: the keys are used for one request of a caller. */
const ROLE_SECONDS = 900;

export interface CredentialsHost {
  readonly fetch: typeof globalThis.fetch;
  /** Credentials of the machine, if its operator allows callers to use them. */
  readonly awsCredentials?: (() => Promise<AwsIdentity>) | undefined;
}

/** Rejects with `ConnectorFailure`. Nothing is cached: a role's keys belong to the request that needed them. */
export async function identityFor(
  credentials: AwsCredentials,
  region: string,
  { fetch, awsCredentials }: CredentialsHost,
  signal: AbortSignal,
): Promise<AwsIdentity> {
  switch (credentials.by) {
    case "keys":
      return identityOf(credentials);
    case "host":
      if (awsCredentials !== undefined) return awsCredentials();
      throw new ConnectorFailure(
        "AUTHENTICATION",
        "The connection has no keys, and the sidecar lends none of its own.",
        {
          hint: "Give aws_access_key_id and aws_secret_access_key, or role_arn and web_identity_token.",
        },
      );
    case "role":
    case "web identity":
      return await roleKeys(credentials, region, fetch, signal);
    default:
      return credentials satisfies never;
  }
}

/** The keys in clear text. */
export function identityOf({ accessKeyId, secretAccessKey, sessionToken }: AwsKeys): AwsIdentity {
  return {
    accessKeyId: accessKeyId.reveal(),
    secretAccessKey: secretAccessKey.reveal(),
    ...(sessionToken !== undefined && { sessionToken: sessionToken.reveal() }),
  };
}

async function roleKeys(
  credentials: Extract<AwsCredentials, { by: "role" | "web identity" }>,
  region: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<AwsIdentity> {
  const { AssumeRoleCommand, AssumeRoleWithWebIdentityCommand, STSClient } = await import("@aws-sdk/client-sts");
  const endpoint = endpointOf("sts", region);
  const client = new STSClient({
    region,
    endpoint,
    maxAttempts: 1,
    requestHandler: awsRequestHandler(fetch, [endpoint]),
    // The token itself is the proof, so the request is not signed.
    credentials: credentials.by === "role" ? identityOf(credentials) : { accessKeyId: "none", secretAccessKey: "none" },
  });
  const role = {
    RoleArn: credentials.role.arn,
    RoleSessionName: credentials.role.sessionName,
    DurationSeconds: ROLE_SECONDS,
  };
  try {
    const { Credentials: keys } =
      credentials.by === "role"
        ? await client.send(new AssumeRoleCommand(role), { abortSignal: signal })
        : await client.send(
            new AssumeRoleWithWebIdentityCommand({ ...role, WebIdentityToken: credentials.token.reveal() }),
            { abortSignal: signal },
          );
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = keys ?? {};
    if (!accessKeyId || !secretAccessKey || !sessionToken) {
      throw new ConnectorFailure("UPSTREAM_PROTOCOL", "AWS answered without the role's keys.");
    }
    return { accessKeyId, secretAccessKey, sessionToken };
  } catch (error) {
    throw awsFailure(error);
  }
}
