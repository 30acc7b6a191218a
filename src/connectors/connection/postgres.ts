/** Connection of `postgres`: fields or URL, options, and the canonical form (docs/spec/contract.md#connections). */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";
import { canonicalPostgresOptions, type PostgresOptions, readPostgresOptions } from "./postgres-options.ts";
import {
  checkedServer,
  type GivenOption,
  memberOfUrl,
  optionsOf,
  optionsShape,
  portShape,
  type ServerParts,
} from "./server-fields.ts";
import { readMembers, withUrl, withWarnings } from "./unknown-members.ts";

export interface PostgresConnection extends PostgresOptions {
  readonly source: "postgres";
  /** Canonical (`guard/egress.ts`): the checked host is the dialled host. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
}

const fields = once(() =>
  z.object({
    host: z.string(),
    port: portShape(),
    database: z.string(),
    user: z.string(),
    password: z.nullish(z.string()),
    kwargs: optionsShape(),
  }),
);
const url = once(() => z.object({ connectionUrl: z.string(), kwargs: optionsShape() }));

/** The schema of `connectionInfo`, for the API's description. */
export const postgresConnectionShape = once(() => z.union([fields(), url()]));

const POSTGRES_PORT = 5432;

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parsePostgresConnection(raw: unknown): ParsedConnection<PostgresConnection> {
  const alias = memberOfUrl(raw);
  return alias === undefined ? fromFields(raw) : fromUrl(raw as Record<string, unknown>, alias);
}

function fromFields(raw: unknown): ParsedConnection<PostgresConnection> {
  const { given, tls, warnings } = readMembers(fields(), raw);
  return withWarnings(
    assemble(given, (field) => field, [...optionsOf(given.kwargs), ...tls]),
    warnings,
  );
}

function fromUrl(raw: Record<string, unknown>, member: string): ParsedConnection<PostgresConnection> {
  const { given, tls, warnings } = readMembers(url(), withUrl(raw, member), { overridden: fields() });
  const parts = parseConnectionUrl(given.connectionUrl, member);
  if (parts.scheme !== "postgres" && parts.scheme !== "postgresql") {
    throw invalidConnection(member, "must begin with postgresql:// or postgres://");
  }
  if (parts.host === "") throw invalidConnection(member, "names no host");
  if (!parts.user) throw invalidConnection(member, "names no user");
  const fromQuery = [...parts.query].map(([name, value]) => ({ member, name: name.toLowerCase(), value }));
  const { user } = parts;
  const parsed = assemble(
    // The default database is named after the user, as in libpq.
    {
      host: parts.host,
      port: parts.port ?? POSTGRES_PORT,
      database: parts.path || user,
      user,
      password: parts.password,
    },
    () => member,
    [...fromQuery, ...optionsOf(given.kwargs), ...tls],
  );
  return withWarnings(parsed, warnings);
}

/** Neon's SQL over HTTPS replaces only the standard port of its servers; another port means another service on that host. */
export function isServedByNeon({ host, port }: Pick<PostgresConnection, "host" | "port">): boolean {
  return host.endsWith(".neon.tech") && port === POSTGRES_PORT;
}

/** `memberOf` gives the member that a part came from, for messages. */
function assemble(
  parts: ServerParts,
  memberOf: (field: keyof ServerParts) => string,
  given: readonly GivenOption[],
): ParsedConnection<PostgresConnection> {
  const { host, port } = checkedServer(parts, memberOf, "socket directories");
  const { options, warnings } = readPostgresOptions(given, { overHttps: isServedByNeon({ host, port }) });
  const password = parts.password ? new Secret(parts.password) : undefined;
  return {
    info: { source: "postgres", host, port, database: parts.database, user: parts.user, password, ...options },
    warnings,
  };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalPostgresConnection(connection: PostgresConnection): CanonicalConnection {
  const { host, port, database, user, password } = connection;
  return {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password: password.reveal() }),
    kwargs: canonicalPostgresOptions(connection),
  };
}
