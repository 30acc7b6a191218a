/** Functions and limits that the runtime passes to connectors. */
import type { AwsIdentity } from "./aws/credentials.ts";
import type { ConnectionPool } from "./pooling.ts";
import type { Dial } from "./socket/wire.ts";

export interface ConnectorHost {
  readonly dial: Dial;
  readonly fetch: typeof fetch;
  /** Limit for connecting, encrypting and authenticating, unless the connection has its own. */
  readonly connectTimeoutMs: number;
  /** Keeps connections for later requests, if the runtime can. */
  readonly pool?: ConnectionPool;
  /** AWS credentials of the machine, if its operator allows callers to use them. */
  readonly awsCredentials?: (() => Promise<AwsIdentity>) | undefined;
}
