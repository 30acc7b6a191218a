/** Connection of `mysql`: fields or URL, options, and the canonical form (contract §2). */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import { type CanonicalConnection, checkShape, invalidConnection, type ParsedConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";
import { type MySqlOptions, readMySqlOptions } from "./mysql-options.ts";
import {
  checkedServer,
  type GivenOption,
  memberOfUrl,
  optionsShape,
  portShape,
  type ServerParts,
} from "./server-fields.ts";

export interface MySqlConnection extends MySqlOptions {
  readonly source: "mysql";
  /** Canonical (`guard/egress.ts`): what is judged is what is dialled. */
  readonly host: string;
  /** What the certificate must be for: the host as it was named. */
  readonly serverName: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
}

const options = once(() => ({
  sslMode: z.nullish(z.string()),
  sslCA: z.nullish(z.string()),
  kwargs: optionsShape(),
}));
const fields = once(() =>
  z.object({
    host: z.string(),
    port: portShape(),
    database: z.string(),
    user: z.string(),
    password: z.nullish(z.string()),
    ...options(),
  }),
);
const url = once(() => z.object({ connectionUrl: z.string(), ...options() }));

/** What `connectionInfo` looks like, for the API's description. */
export const mysqlConnectionShape = once(() => z.union([fields(), url()]));

const MYSQL_PORT = 3306;

/** Its clients mean a socket file by it; the network is meant here, and servers listen on this address first. */
const LOCALHOST = "localhost";
const LOOPBACK = "127.0.0.1";

/** `raw` is `connectionInfo` as it came; unknown members are ignored. Throws `INVALID_CONNECTION`, naming members only. */
export function parseMySqlConnection(raw: unknown): ParsedConnection<MySqlConnection> {
  const alias = memberOfUrl(raw);
  return alias === undefined ? fromFields(raw) : fromUrl(raw as Record<string, unknown>, alias);
}

function fromFields(raw: unknown): ParsedConnection<MySqlConnection> {
  const given = checkShape(fields(), raw);
  return assemble(given, (field) => field, optionsOf(given));
}

function fromUrl(raw: Record<string, unknown>, member: string): ParsedConnection<MySqlConnection> {
  const given = checkShape(url(), { ...raw, connectionUrl: raw[member] });
  const parts = parseConnectionUrl(given.connectionUrl, member);
  if (parts.scheme !== "mysql" && parts.scheme !== "mariadb") {
    throw invalidConnection(member, "must begin with mysql:// or mariadb://");
  }
  if (parts.host === "") throw invalidConnection(member, "names no host");
  if (!parts.user) throw invalidConnection(member, "names no user");
  if (parts.path === "") throw invalidConnection(member, "names no database");
  const fromQuery = [...parts.query].map(([name, value]) => ({ member, name, value }));
  return assemble(
    {
      host: parts.host,
      port: parts.port ?? MYSQL_PORT,
      database: parts.path,
      user: parts.user,
      password: parts.password,
    },
    () => member,
    [...fromQuery, ...optionsOf(given)],
  );
}

/** PlanetScale's servers are spoken to over HTTPS. */
export function isServedByPlanetScale({ host }: Pick<MySqlConnection, "host">): boolean {
  return host.endsWith(".psdb.cloud");
}

/** `memberOf` gives the member that a part came from, for messages. */
function assemble(
  parts: ServerParts,
  memberOf: (field: keyof ServerParts) => string,
  given: readonly GivenOption[],
): ParsedConnection<MySqlConnection> {
  const { host: serverName, port } = checkedServer(parts, memberOf, "socket files");
  const { options, warnings } = readMySqlOptions(given);
  const { database, user } = parts;
  const password = parts.password ? new Secret(parts.password) : undefined;
  const host = serverName === LOCALHOST ? LOOPBACK : serverName;
  return { info: { source: "mysql", host, serverName, port, database, user, password, ...options }, warnings };
}

interface GivenOptions {
  readonly sslMode?: string | null | undefined;
  readonly sslCA?: string | null | undefined;
  readonly kwargs?: Readonly<Record<string, string | number | boolean | null>> | null | undefined;
}

/** Members win over `kwargs`. */
function optionsOf({ sslMode, sslCA, kwargs }: GivenOptions): GivenOption[] {
  const given = Object.entries(kwargs ?? {}).map(([name, value]) => ({ member: "kwargs", name, value }));
  const members = Object.entries({ sslMode, sslCA }).map(([name, value]) => ({ member: name, name, value }));
  return [...given, ...members].flatMap(({ value, ...option }) =>
    value === null || value === undefined || value === "" ? [] : [{ ...option, value: String(value) }],
  );
}

const MODE_NAMES: Readonly<Record<MySqlOptions["tls"], string>> = {
  disable: "DISABLED",
  prefer: "PREFERRED",
  require: "REQUIRED",
  "verify-ca": "VERIFY_CA",
  "verify-identity": "VERIFY_IDENTITY",
};

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalMySqlConnection(connection: MySqlConnection): CanonicalConnection {
  const { serverName, port, database, user, password, tls, certificateAuthority } = connection;
  const { trustsServerKey, connectTimeoutMs } = connection;
  return {
    host: serverName,
    port,
    database,
    user,
    ...(password !== undefined && { password: password.reveal() }),
    sslMode: MODE_NAMES[tls],
    ...(certificateAuthority !== undefined && { sslCA: certificateAuthority }),
    kwargs: {
      allowPublicKeyRetrieval: trustsServerKey,
      ...(connectTimeoutMs !== undefined && { connectTimeout: connectTimeoutMs }),
    },
  };
}
