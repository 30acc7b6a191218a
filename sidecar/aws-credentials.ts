/** AWS credentials of the sidecar's machine: from its environment, its profile, or its platform's role. */
import type { AwsIdentity } from "../src/connectors/aws/credentials.ts";
import { ConnectorFailure } from "../src/connectors/failure.ts";

let provider: Promise<() => Promise<AwsIdentity>> | undefined;

/** AWS's default credential chain, which caches credentials until they expire. Fails with `AUTHENTICATION`. */
export async function machinesAwsCredentials(): Promise<AwsIdentity> {
  provider ??= import("@aws-sdk/credential-provider-node").then(({ defaultProvider }) => defaultProvider());
  try {
    const { accessKeyId, secretAccessKey, sessionToken } = await (await provider)();
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  } catch (cause) {
    throw new ConnectorFailure("AUTHENTICATION", "The sidecar's machine has no credentials for AWS.", { cause });
  }
}
