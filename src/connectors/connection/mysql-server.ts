/**
 * Connection to a server with MySQL's protocol: fields or URL, options, and the canonical form (docs/spec/contract.md#connections).
 */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import type { PlannerWarning } from "../../planner/plan.ts";
import { type CanonicalConnection, invalidConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";
import { type MySqlOptions, type MySqlTlsMode, readMySqlOptions } from "./mysql-options.ts";
import {
  checkedServer,
  type GivenOption,
  memberOfUrl,
  optionsShape,
  portShape,
  type ServerParts,
} from "./server-fields.ts";
import { readMembers, withUrl, withWarnings } from "./unknown-members.ts";

export interface MySqlServer extends MySqlOptions {
  /** Canonical (`guard/egress.ts`): the checked host is the dialled host. */
  readonly host: string;
  /** The expected name in the certificate: the host as given. */
  readonly serverName: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
}

interface ParsedServer {
  readonly info: MySqlServer;
  readonly warnings: readonly PlannerWarning[];
}

/** Differences between sources. */
export interface MySqlServerForm {
  /** Schemes of URLs, without `://`. */
  readonly schemes: readonly string[];
  readonly port: number;
  /** The default mode. */
  readonly tls: MySqlTlsMode;
}

const options = once(() => ({
  sslMode: z.nullish(z.string()),
  sslCA: z.nullish(z.string()),
  sslCa: z.nullish(z.string()),
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

/** The schema of `connectionInfo`, for the API's description. */
export const mysqlServerShape = once(() => z.union([fields(), url()]));

/**
 * MySQL clients connect to a socket file for this name. This service uses the network, and servers listen on this address by
 * default.
 */
const LOCALHOST = "localhost";
const LOOPBACK = "127.0.0.1";

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseMySqlServer(raw: unknown, form: MySqlServerForm): ParsedServer {
  const alias = memberOfUrl(raw);
  return alias === undefined ? fromFields(raw, form) : fromUrl(raw as Record<string, unknown>, alias, form);
}

function fromFields(raw: unknown, form: MySqlServerForm): ParsedServer {
  const { given, tls, warnings } = readMembers(fields(), raw);
  return withWarnings(
    assemble(given, (field) => field, [...optionsOf(given), ...tls], form),
    warnings,
  );
}

function fromUrl(raw: Record<string, unknown>, member: string, form: MySqlServerForm): ParsedServer {
  const { given, tls, warnings } = readMembers(url(), withUrl(raw, member), { overridden: fields() });
  const parts = parseConnectionUrl(given.connectionUrl, member);
  if (!form.schemes.includes(parts.scheme)) {
    throw invalidConnection(member, `must begin with ${form.schemes.map((scheme) => `${scheme}://`).join(" or ")}`);
  }
  if (parts.host === "") throw invalidConnection(member, "names no host");
  if (!parts.user) throw invalidConnection(member, "names no user");
  if (parts.path === "") throw invalidConnection(member, "names no database");
  const fromQuery = [...parts.query].map(([name, value]) => ({ member, name, value }));
  const parsed = assemble(
    {
      host: parts.host,
      port: parts.port ?? form.port,
      database: parts.path,
      user: parts.user,
      password: parts.password,
    },
    () => member,
    [...fromQuery, ...optionsOf(given), ...tls],
    form,
  );
  return withWarnings(parsed, warnings);
}

/** `memberOf` gives the member that a part came from, for messages. */
function assemble(
  parts: ServerParts,
  memberOf: (field: keyof ServerParts) => string,
  given: readonly GivenOption[],
  form: MySqlServerForm,
): ParsedServer {
  const { host: serverName, port } = checkedServer(parts, memberOf, "socket files");
  const { options, warnings } = readMySqlOptions(given, form.tls);
  const { database, user } = parts;
  const password = parts.password ? new Secret(parts.password) : undefined;
  const host = serverName === LOCALHOST ? LOOPBACK : serverName;
  return { info: { host, serverName, port, database, user, password, ...options }, warnings };
}

interface GivenOptions {
  readonly sslMode?: string | null | undefined;
  readonly sslCA?: string | null | undefined;
  /** An alternative spelling of `sslCA`. */
  readonly sslCa?: string | null | undefined;
  readonly kwargs?: Readonly<Record<string, string | number | boolean | null>> | null | undefined;
}

/** Members win over `kwargs`. */
function optionsOf({ sslMode, sslCA, sslCa, kwargs }: GivenOptions): GivenOption[] {
  const given = Object.entries(kwargs ?? {}).map(([name, value]) => ({ member: "kwargs", name, value }));
  const members = Object.entries({ sslMode, sslCA, sslCa }).map(([name, value]) => ({ member: name, name, value }));
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
export function canonicalMySqlServer(connection: MySqlServer): CanonicalConnection {
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
