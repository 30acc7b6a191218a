/**
 * `connectionInfo` or `connectionFilePath`: every operation on a source requires one of them
 * (docs/spec/contract.md#request-bodies).
 */
import { ServiceError } from "../service/failure.ts";
import type { Operation } from "../service/operations.ts";
import type { Services } from "../service/services.ts";

export interface ConnectionFields {
  readonly connectionInfo?: Readonly<Record<string, unknown>> | null | undefined;
  readonly connectionFilePath?: string | null | undefined;
}

/**
 * If both are given, `connectionFilePath` wins, as in the reference. The service reads no connection files: the path is the name
 * of one of the operator's connections, and the result is the reference to it that `connectionInfo` could contain.
 */
export function connectionInfoOf(
  { connectionInfo, connectionFilePath }: ConnectionFields,
  operation: Operation,
  { connections }: Pick<Services, "connections">,
): Readonly<Record<string, unknown>> {
  if (connectionFilePath !== undefined && connectionFilePath !== null) {
    if (connections.size > 0) return { name: connectionFilePath };
    const message =
      "connectionFilePath cannot be used: the environment variable CONNECTION_FILE_ROOT must be set, " +
      "and this deployment has no connection files.";
    const metadata = { hint: "Send connectionInfo instead." };
    throw new ServiceError("CONNECTION_FILE_UNAVAILABLE", message, { operation, metadata });
  }
  if (connectionInfo === undefined || connectionInfo === null) {
    const message = "Either connectionInfo or connectionFilePath must be provided.";
    throw new ServiceError("CONNECTION_MISSING", message, { operation });
  }
  return connectionInfo;
}
