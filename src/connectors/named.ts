/**
 * Connections that the operator has configured (decisions C8): callers refer to them by name and never see what is in them.
 * Read once, when an isolate starts; whatever is wrong is told then, by name and member and never with a value.
 */
import type { DataSource } from "../planner/plan.ts";
import type { CanonicalConnection, ConnectionInfo } from "./connection/connection.ts";
import { ConnectorFailure } from "./failure.ts";
import { type PlacementRules, placement } from "./placement.ts";
import { canonicalConnection, isImplemented, parseConnection } from "./sources.ts";

export interface NamedConnection {
  readonly source: DataSource;
  readonly info: ConnectionInfo;
  /** Where it is dialled: wherever its host belongs, or at a Hyperdrive binding of this Worker. */
  readonly by: "placement" | "hyperdrive";
  /** What no text may show to those who know the name only. */
  readonly hidden: unknown;
}

export type NamedConnections = ReadonlyMap<string, NamedConnection>;

export type NamedConnectionsOutcome =
  | { readonly ok: true; readonly connections: NamedConnections }
  /** Sentences that name the connection and the member. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** `text` is the setting `CONNECTIONS`; `bindings` are the Worker's, for those that name a Hyperdrive. */
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

const MEMBERS: ReadonlySet<string> = new Set(["dataSource", "connectionInfo", "hyperdrive"]);

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
  if ((connectionInfo === undefined) === (hyperdrive === undefined)) {
    throw wrong("has one of connectionInfo and hyperdrive");
  }
  if (hyperdrive !== undefined) return throughHyperdrive(source, hyperdrive, bindings);
  const info = parse(source, connectionInfo);
  const where = placement(info, rules);
  if (where.place === "refused") throw new ConnectorFailure(where.reason, where.message, { hint: where.hint });
  return { source, info, by: "placement", hidden: hiddenOf(info, connectionInfo) };
}

/**
 * Hyperdrive stands in the same data centre and speaks plain PostgreSQL to the Worker; TLS, if any, is between it and the
 * database. It lends a session for one transaction, in which every statement of ours brings its settings along.
 */
function throughHyperdrive(
  source: DataSource,
  hyperdrive: unknown,
  bindings: Readonly<Record<string, unknown>>,
): NamedConnection {
  if (source !== "postgres") throw wrong("hyperdrive serves dataSource postgres only");
  const binding = typeof hyperdrive === "string" && Object.hasOwn(bindings, hyperdrive) && bindings[hyperdrive];
  if (typeof binding !== "object" || binding === null || !("connectionString" in binding)) {
    throw wrong("hyperdrive does not name a Hyperdrive binding of the Worker");
  }
  // Not its connection string, in which a password stands as it is, slashes and all.
  const { host, port, database, user, password } = binding as Readonly<Record<string, unknown>>;
  const raw = { host, port, database, user, password, kwargs: { sslmode: "disable" } };
  const info = parse(source, raw);
  return { source, info, by: "hyperdrive", hidden: hiddenOf(info, raw) };
}

function parse(source: DataSource, raw: unknown): ConnectionInfo {
  const { info, warnings } = parseConnection(source, raw);
  // A caller is warned; an operator has time to put it right.
  if (warnings.length > 0) throw wrong(warnings.map(({ message }) => message).join(" "));
  return info;
}

/** Besides the secrets: where and as whom. */
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
