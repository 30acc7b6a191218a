/** What the sidecar's machine may do on AWS: its environment, its profile, or the role that its platform gives it. */
import type { AwsIdentity } from "../src/connectors/aws/credentials.ts";
import { ConnectorFailure } from "../src/connectors/failure.ts";

let provider: Promise<() => Promise<AwsIdentity>> | undefined;

/** The maker's chain of places; it keeps what it found until that runs out. Fails with `AUTHENTICATION`. */
export async function machinesAwsCredentials(): Promise<AwsIdentity> {
  provider ??= import("@aws-sdk/credential-provider-node").then(({ defaultProvider }) => defaultProvider());
  try {
    const { accessKeyId, secretAccessKey, sessionToken } = await (await provider)();
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  } catch (cause) {
    throw new ConnectorFailure("AUTHENTICATION", "The sidecar's machine has no credentials for AWS.", { cause });
  }
}
