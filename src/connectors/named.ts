/**
 * Connections that the operator has configured (docs/decisions/0030-named-connections.md): callers refer to them by name and never
 * see their contents. They are read once, when an isolate starts; errors name connection and member, and never contain a value.
 */
import type { DataSource } from "../planner/plan.ts";
import type { CanonicalConnection } from "./connection/connection.ts";
import type { ConnectionInfo } from "./connection/connection-info.ts";
import { ConnectorFailure } from "./failure.ts";
import { hyperdriveConnection } from "./hyperdrive.ts";
import type { PlacementRules } from "./placement.ts";
import { type PassedProperty, passedProperties, SESSION_SETTINGS } from "./session-properties.ts";
import { canonicalConnection, isImplemented, parseConnection, placement } from "./sources.ts";

export interface NamedConnection {
  readonly source: DataSource;
  readonly info: ConnectionInfo;
  /** The Hyperdrive binding that dials it, in place of placement by its host. */
  readonly hyperdrive: string | undefined;
  /** Session properties that its statements pass on to the source's session. */
  readonly passes: readonly PassedProperty[];
  /** Values that must be hidden from callers who know only the name. */
  readonly hidden: unknown;
}

export type NamedConnections = ReadonlyMap<string, NamedConnection>;

export type NamedConnectionsOutcome =
  | { readonly ok: true; readonly connections: NamedConnections }
  /** Sentences that name the connection and the member. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** `text` is the setting `CONNECTIONS`; `bindings` are the Worker's, for connections that name a Hyperdrive. */
export function readNamedConnections(
  text: string | undefined,
  bindings: Readonly<Record<string, unknown>>,
  rules: PlacementRules,
): NamedConnectionsOutcome {
  const connections = new Map<string, NamedConnection>();
  if (text === undefined) return { ok: true, connections };
  const json = parseJson(text);
  if (!isRecord(json)) return { ok: false, problems: ["CONNECTIONS: must be a JSON object of name → connection"] };
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(json)) {
    const told = `CONNECTIONS: ${JSON.stringify(name)}`;
    try {
      if (!isName(name)) throw wrong("a name has 1 to 200 characters, none of them a control character");
      connections.set(name, readEntry(entry, bindings, rules));
    } catch (error) {
      if (!(error instanceof ConnectorFailure)) throw error;
      problems.push(`${told}: ${error.message}${error.hint === undefined ? "" : ` (${error.hint})`}`);
    }
  }
  return problems.length === 0 ? { ok: true, connections } : { ok: false, problems };
}

const MEMBERS: ReadonlySet<string> = new Set(["dataSource", "connectionInfo", "hyperdrive", SESSION_SETTINGS]);

function readEntry(
  entry: unknown,
  bindings: Readonly<Record<string, unknown>>,
  rules: PlacementRules,
): NamedConnection {
  if (!isRecord(entry)) throw wrong("must be an object of dataSource and connectionInfo");
  for (const member of Object.keys(entry)) if (!MEMBERS.has(member)) throw wrong(`${member} is not a member`);
  const { dataSource: source, connectionInfo, hyperdrive } = entry;
  if (typeof source !== "string") throw wrong("dataSource is missing, or not a text");
  if (!isImplemented(source)) throw wrong("dataSource is not one that is served");
  const passes = passedProperties(source, entry[SESSION_SETTINGS]);
  if ((connectionInfo === undefined) === (hyperdrive === undefined)) {
    throw wrong("has one of connectionInfo and hyperdrive");
  }
  if (hyperdrive !== undefined) {
    const info = hyperdriveConnection(source, hyperdrive, bindings);
    return { source, info, hyperdrive: String(hyperdrive), passes, hidden: hiddenOf(info, canonicalConnection(info)) };
  }
  const info = parse(source, connectionInfo);
  const where = placement(info, rules);
  if (where.place === "refused") throw new ConnectorFailure(where.reason, where.message, { hint: where.hint });
  return { source, info, hyperdrive: undefined, passes, hidden: hiddenOf(info, connectionInfo) };
}

function parse(source: DataSource, raw: unknown): ConnectionInfo {
  const { info, warnings } = parseConnection(source, raw);
  // A caller gets a warning, but an operator can fix the setting.
  if (warnings.length > 0) throw wrong(warnings.map(({ message }) => message).join(" "));
  return info;
}

/** Host and user, in addition to the secrets. */
function hiddenOf(info: ConnectionInfo, raw: unknown): unknown {
  const { host, user }: CanonicalConnection = canonicalConnection(info);
  return { raw, whereAndWho: [host, user].filter((value) => value !== undefined) };
}

function isName(name: string): boolean {
  return name.length > 0 && name.length <= 200 && !/\p{Cc}/u.test(name);
}

function wrong(problem: string): ConnectorFailure {
  return new ConnectorFailure("INVALID_CONNECTION", problem);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
