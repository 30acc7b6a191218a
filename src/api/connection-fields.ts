/** `connectionInfo` or `connectionFilePath`: one of them is needed wherever a source is asked (contract §1.4). */
import { ServiceError } from "../service/failure.ts";
import type { Operation } from "../service/operations.ts";

export interface ConnectionFields {
  readonly connectionInfo?: Readonly<Record<string, unknown>> | null | undefined;
  readonly connectionFilePath?: string | null | undefined;
}

/** When both are given the file wins, as in the reference; a Worker has none, and says so rather than use the other. */
export function connectionInfoOf(fields: ConnectionFields, operation: Operation): Readonly<Record<string, unknown>> {
  if (fields.connectionFilePath !== undefined && fields.connectionFilePath !== null) {
    const message =
      "connectionFilePath cannot be used: the environment variable CONNECTION_FILE_ROOT must be set, " +
      "and this deployment has no connection files.";
    const metadata = { hint: "Send connectionInfo instead." };
    throw new ServiceError("CONNECTION_FILE_UNAVAILABLE", message, { operation, metadata });
  }
  if (fields.connectionInfo === undefined || fields.connectionInfo === null) {
    const message = "Either connectionInfo or connectionFilePath must be provided.";
    throw new ServiceError("CONNECTION_MISSING", message, { operation });
  }
  return fields.connectionInfo;
}
