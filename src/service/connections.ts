/**
 * Resolves `connectionInfo` to a connection: the caller's own, or a named one of the operator
 * (docs/decisions/0030-named-connections.md).
 */
import { nearestNames } from "../planner/index.ts";
import type { DataSource } from "../planner/plan.ts";
import { ServiceError } from "./failure.ts";
import { inSession } from "./passed-properties.ts";
import type { CallContext, PreparedConnection, Services } from "./services.ts";

type ConnectionInfo = Readonly<Record<string, unknown>>;

/** The name in `connectionInfo` if `name` is its only member. No connection has such a member of its own. */
export function connectionName(connectionInfo: unknown): string | undefined {
  if (typeof connectionInfo !== "object" || connectionInfo === null) return undefined;
  const { name, ...others } = connectionInfo as ConnectionInfo;
  return typeof name === "string" && Object.keys(others).length === 0 ? name : undefined;
}

/** Reads the connection's fields, or looks up the name; nothing is dialled yet. Throws `ServiceError` or `ConnectorFailure`. */
export function prepareConnection(
  services: Pick<Services, "sources" | "connections">,
  context: Pick<CallContext, "connections" | "ownConnections" | "session">,
  source: DataSource,
  connectionInfo: ConnectionInfo,
): PreparedConnection {
  const name = connectionName(connectionInfo);
  if (name === undefined) {
    if (context.ownConnections) return inSession(services.sources.prepare(source, connectionInfo), context.session);
    const hint = 'Refer to one by its name: "connectionInfo": {"name": "…"}.';
    const message = "You may use connections of the operator's only, and bring none of your own.";
    throw new ServiceError("CONNECTION_NOT_ALLOWED", message, { metadata: { hint }, ownWords: true });
  }
  const isUsable = (one: string): boolean => context.connections === "all" || context.connections.has(one);
  const found = isUsable(name) ? services.connections.get(name) : undefined;
  if (found === undefined) {
    const usable = [...services.connections.keys()].filter(isUsable);
    const suggestions = nearestNames(name, usable);
    const hint =
      suggestions.length > 0
        ? `Did you mean ${suggestions.map((one) => `"${one}"`).join(" or ")}?`
        : "Names are given by the operator of the service; or send the connection itself.";
    // The error does not repeat the name: the field may contain another value by mistake, even a password.
    const message = "There is no connection of that name that you may use.";
    throw new ServiceError("CONNECTION_NOT_FOUND", message, { metadata: { suggestions, hint }, ownWords: true });
  }
  if (found.source !== source) {
    const message = `The connection of that name is one of ${found.source}, and ${source} was asked for.`;
    const metadata = { hint: `Ask under the path of ${found.source}.` };
    throw new ServiceError("CONNECTION_OF_ANOTHER_SOURCE", message, { metadata, ownWords: true });
  }
  return inSession(found.prepared, context.session);
}
