/** Connection of `mssql`: fields or URL, options, and the canonical form (docs/spec/contract.md#connections). */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";
import { type MsSqlOptions, readMsSqlOptions } from "./mssql-options.ts";
import {
  checkedServer,
  type GivenOption,
  memberOfUrl,
  optionsShape,
  portShape,
  type ServerParts,
} from "./server-fields.ts";
import { readMembers, withUrl, withWarnings } from "./unknown-members.ts";

export interface MsSqlConnection extends MsSqlOptions {
  readonly source: "mssql";
  /** Canonical (`guard/egress.ts`): the checked host is the dialled host. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
}

const options = once(() => ({
  driver: z.nullish(z.string()),
  TDS_Version: z.nullish(z.union([z.string(), z.number()])),
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
export const mssqlConnectionShape = once(() => z.union([fields(), url()]));

const MSSQL_PORT = 1433;

const SCHEMES: ReadonlySet<string> = new Set(["mssql", "sqlserver", "mssql+pyodbc", "mssql+pymssql"]);

/** The protocol limits the number of characters of each login field. */
const LONGEST = 128;

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseMsSqlConnection(raw: unknown): ParsedConnection<MsSqlConnection> {
  const alias = memberOfUrl(raw);
  if (alias === undefined) {
    const { given, tls, warnings } = readMembers(fields(), raw);
    return withWarnings(
      assemble(given, (field) => field, [...tls, ...optionsOf(given)]),
      warnings,
    );
  }
  const { given, tls, warnings } = readMembers(url(), withUrl(raw, alias), { overridden: fields() });
  const parts = parseConnectionUrl(given.connectionUrl, alias);
  if (!SCHEMES.has(parts.scheme)) throw invalidConnection(alias, "must begin with mssql://");
  if (parts.host === "") throw invalidConnection(alias, "names no host");
  if (!parts.user) throw invalidConnection(alias, "names no user");
  if (parts.path === "") throw invalidConnection(alias, "names no database");
  if (parts.path.includes("/")) throw invalidConnection(alias, "names more than a database");
  const fromQuery = [...parts.query].map(([name, value]) => ({ member: alias, name, value }));
  const { host, port = MSSQL_PORT, path: database, user, password } = parts;
  const options = [...fromQuery, ...tls, ...optionsOf(given)];
  return withWarnings(
    assemble({ host, port, database, user, password }, () => alias, options),
    warnings,
  );
}

/** `memberOf` gives the member that a part came from, for messages. */
function assemble(
  parts: ServerParts,
  memberOf: (field: keyof ServerParts) => string,
  given: readonly GivenOption[],
): ParsedConnection<MsSqlConnection> {
  if (parts.host.includes("\\")) {
    // The port of an instance is only known to the host's browser service, over UDP.
    const hint = "Give host and the TCP port of the instance, which SQL Server Configuration Manager shows.";
    throw invalidConnection(memberOf("host"), "names an instance", hint);
  }
  if (/^tcp:|,\d+$/i.test(parts.host.trim())) {
    throw invalidConnection(memberOf("host"), "is more than a host", "Leave out tcp: and the port, which is a member.");
  }
  for (const field of ["database", "user", "password"] as const) {
    if ((parts[field] ?? "").length <= LONGEST) continue;
    throw invalidConnection(memberOf(field), `must not be longer than ${LONGEST} characters`);
  }
  const server = checkedServer(parts, memberOf, "pipes");
  const { options, warnings } = readMsSqlOptions(given);
  const { database, user } = parts;
  const password = parts.password ? new Secret(parts.password) : undefined;
  return { info: { source: "mssql", ...server, database, user, password, ...options }, warnings };
}

interface GivenOptions {
  readonly driver?: string | null | undefined;
  readonly TDS_Version?: string | number | null | undefined;
  readonly kwargs?: Readonly<Record<string, string | number | boolean | null>> | null | undefined;
}

function optionsOf({ driver, TDS_Version, kwargs }: GivenOptions): GivenOption[] {
  const given = Object.entries(kwargs ?? {}).map(([name, value]) => ({ member: "kwargs", name, value }));
  const members = Object.entries({ driver, TDS_Version }).map(([name, value]) => ({ member: name, name, value }));
  return [...members, ...given].flatMap(({ value, ...option }) =>
    value === null || value === undefined || value === "" ? [] : [{ ...option, value: String(value) }],
  );
}

const ENCRYPT: Readonly<Record<MsSqlConnection["encryption"], string>> = {
  mandatory: "mandatory",
  strict: "strict",
  none: "no",
};

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalMsSqlConnection(connection: MsSqlConnection): CanonicalConnection {
  const { host, port, database, user, password, encryption, trustsCertificate } = connection;
  const { certificateName, readOnlyIntent, connectTimeoutMs } = connection;
  return {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password: password.reveal() }),
    kwargs: {
      Encrypt: ENCRYPT[encryption],
      ...(encryption === "mandatory" && { TrustServerCertificate: trustsCertificate }),
      ...(certificateName !== undefined && { HostNameInCertificate: certificateName }),
      ApplicationIntent: readOnlyIntent ? "ReadOnly" : "ReadWrite",
      ...(connectTimeoutMs !== undefined && { ConnectTimeout: connectTimeoutMs / 1000 }),
    },
  };
}
