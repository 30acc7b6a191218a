/** Connection of `oracle`: fields, dsn or URL, options, and the canonical form (docs/spec/contract.md#connections). */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";
import { type OracleDatabase, readOracleDsn } from "./oracle-dsn.ts";
import { type OracleOptions, readOracleOptions } from "./oracle-options.ts";
import { checkedServer, type GivenOption, memberOfUrl, optionsOf, optionsShape, portShape } from "./server-fields.ts";
import { notUsed, readMembers, withUrl, withWarnings } from "./unknown-members.ts";

export interface OracleConnection extends OracleOptions {
  readonly source: "oracle";
  /** Canonical (`guard/egress.ts`): the checked host is the dialled host. */
  readonly host: string;
  readonly port: number;
  readonly database: OracleDatabase;
  readonly user: string;
  /** Absent where the request gives none: opening a session fails then, because this client logs in by password only. */
  readonly password: Secret | undefined;
}

const user = once(() => ({ user: z.string(), password: z.nullish(z.string()), kwargs: optionsShape() }));
const fields = once(() =>
  z.object({
    ...user(),
    host: z.nullish(z.string()),
    port: z.nullish(portShape()),
    database: z.nullish(z.string()),
    dsn: z.nullish(z.string()),
  }),
);
const url = once(() => z.object({ connectionUrl: z.string(), kwargs: optionsShape() }));

/** The schema of `connectionInfo`, for the API's description. */
export const oracleConnectionShape = once(() => z.union([fields(), url()]));

const SCHEMES: ReadonlySet<string> = new Set(["oracle", "oracle+oracledb", "oracle+cx_oracle"]);

const PORTS = { tcp: 1521, tcps: 2484 } as const;

/** The member that a part came from, for messages: one member for all parts, or one for each. */
type MemberOf = (field: "host" | "port" | "database" | "user" | "password") => string;

interface Parts {
  readonly host: string;
  readonly port: string | number | undefined;
  readonly database: OracleDatabase;
  readonly user: string;
  readonly password: string | null | undefined;
  readonly options: readonly GivenOption[];
}

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseOracleConnection(raw: unknown): ParsedConnection<OracleConnection> {
  const alias = memberOfUrl(raw);
  if (alias !== undefined) return parseUrl(raw, alias);
  const { given: read, tls, warnings } = readMembers(fields(), raw);
  const { dsn, kwargs, user, password, ...given } = read;
  if (dsn == null || dsn.trim() === "") {
    const { host, port, database } = given;
    const service = { by: "service", name: database ?? "orcl", instance: undefined } as const;
    const options = [...optionsOf(kwargs), ...tls];
    const parts = { host: host ?? "localhost", port: port ?? undefined, database: service, user, password, options };
    return withWarnings(
      assemble(parts, (field) => field),
      warnings,
    );
  }
  // The dsn wins over host, port and database.
  const { options, ...place } = readOracleDsn(dsn);
  const parsed = assemble({ ...place, user, password, options: [...options, ...optionsOf(kwargs), ...tls] }, (field) =>
    field === "user" || field === "password" ? field : "dsn",
  );
  const unused = (["host", "port", "database"] as const).filter((name) => given[name] != null && given[name] !== "");
  return withWarnings(parsed, [...warnings, ...unused.map((name) => notUsed(name, "a dsn"))]);
}

function parseUrl(raw: unknown, alias: "connectionUrl" | "connection_url"): ParsedConnection<OracleConnection> {
  const { given, tls, warnings } = readMembers(url(), withUrl(raw, alias), { overridden: fields() });
  const { scheme, host, port, path, user, password, query } = parseConnectionUrl(given.connectionUrl, alias);
  if (!SCHEMES.has(scheme)) throw invalidConnection(alias, "must begin with oracle://");
  if (host === "") throw invalidConnection(alias, "names no host");
  if (!user) throw invalidConnection(alias, "names no user");
  const named = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]));
  const sid = named.get("sid");
  const service = named.get("service_name") ?? (path === "" ? undefined : path);
  if (sid !== undefined && service !== undefined) throw invalidConnection(alias, "names a service and a SID");
  if (sid === undefined && service === undefined) throw invalidConnection(alias, "names no database");
  if (named.has("service_name") && path !== "" && path !== service) {
    throw invalidConnection(alias, "names two databases");
  }
  named.delete("sid");
  named.delete("service_name");
  const fromQuery = [...named].map(([name, value]) => ({ member: alias, name, value }));
  const database: OracleDatabase =
    sid === undefined
      ? { by: "service", name: service ?? "", instance: undefined }
      : { by: "sid", name: sid, instance: undefined };
  const options = [...fromQuery, ...optionsOf(given.kwargs), ...tls];
  return withWarnings(
    assemble({ host, port, database, user, password, options }, () => alias),
    warnings,
  );
}

/** Characters of a service or instance name that need no escapes in a descriptor. */
const NAME = /^[A-Za-z0-9](?:[\w.$#-]{0,254})$/;

/** Keys and credentials of a login are measured in bytes; a login accepts no longer ones. */
const LONGEST = 1024;

function assemble(parts: Parts, memberOf: MemberOf): ParsedConnection<OracleConnection> {
  const { options, warnings } = readOracleOptions(parts.options);
  const { database, user, password } = parts;
  for (const name of [database.name, database.instance]) {
    if (name === undefined || NAME.test(name)) continue;
    throw invalidConnection(
      memberOf("database"),
      "must be the name of a service",
      "Letters, digits and . _ $ # - are taken.",
    );
  }
  for (const [member, value] of [
    ["user", user],
    ["password", password ?? ""],
  ] as const) {
    if (value.length > LONGEST)
      throw invalidConnection(memberOf(member), `must not be longer than ${LONGEST} characters`);
  }
  const server = checkedServer(
    {
      host: parts.host,
      port: parts.port ?? PORTS[options.isEncrypted ? "tcps" : "tcp"],
      database: database.name,
      user,
      password,
    },
    memberOf,
    "sockets",
  );
  // A canonical host may contain characters of a descriptor's syntax.
  if (!/^[a-z0-9._:-]+$/.test(server.host))
    throw invalidConnection(memberOf("host"), "names no host that can be dialled");
  return {
    info: {
      source: "oracle",
      ...server,
      database,
      user,
      password: password ? new Secret(password) : undefined,
      ...options,
    },
    warnings,
  };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalOracleConnection(connection: OracleConnection): CanonicalConnection {
  const { host, port, database, user, password, isEncrypted, matchesName, certificateDn, connectTimeoutMs } =
    connection;
  const target = database.by === "sid" ? `(SID=${database.name})` : `(SERVICE_NAME=${database.name})`;
  const instance = database.instance === undefined ? "" : `(INSTANCE_NAME=${database.instance})`;
  return {
    user,
    ...(password !== undefined && { password: password.reveal() }),
    dsn: `(DESCRIPTION=(ADDRESS=(PROTOCOL=${isEncrypted ? "tcps" : "tcp"})(HOST=${host})(PORT=${port}))(CONNECT_DATA=${target}${instance}))`,
    kwargs: {
      ssl_server_dn_match: matchesName,
      ...(certificateDn !== undefined && { ssl_server_cert_dn: certificateDn }),
      ...(connectTimeoutMs !== undefined && { connect_timeout: `${connectTimeoutMs} ms` }),
    },
  };
}
