/** Binds a connection that passes session properties on to the source to the session of one request. */
import type { Connector, Statement } from "../connectors/connector.ts";
import { propertyToPass } from "../planner/index.ts";
import type { SessionSetting } from "../planner/plan.ts";
import type { PreparedConnection } from "./services.ts";

/**
 * Every statement over the connection carries the settings, and the connection's identity their values: no answer, flight or engine is
 * shared between callers whose values differ.
 */
export function inSession(connection: PreparedConnection, session: ReadonlyMap<string, string>): PreparedConnection {
  const { passes = [] } = connection;
  if (passes.length === 0) return connection;
  let known: readonly SessionSetting[] | undefined;
  const sessionSettings = (): readonly SessionSetting[] => {
    known ??= passes.map(({ property, setting }) => ({
      name: setting,
      value: propertyToPass(property, session),
      ofCaller: true,
    }));
    return known;
  };
  return {
    ...connection,
    sessionSettings,
    identity: () => {
      const values = passes.map(({ property, setting }) => [setting, session.get(property) ?? null]);
      return JSON.stringify([connection.identity(), values]);
    },
    open: async (options) => withSettings(await connection.open(options), sessionSettings),
  };
}

function withSettings(connector: Connector, sessionSettings: () => readonly SessionSetting[]): Connector {
  const withAll = (statement: Statement): Statement => {
    const others = statement.session.filter(({ ofCaller }) => ofCaller !== true);
    return { ...statement, session: [...others, ...sessionSettings()] };
  };
  return {
    capabilities: connector.capabilities,
    query: async (statement, options) => connector.query(withAll(statement), options),
    dryRun: async (statement, options) => connector.dryRun(withAll(statement), options),
    catalog: (request, options) => connector.catalog(request, options),
    close: () => connector.close(),
  };
}
