/**
 * Connection of `canner`: fields or URL, options, and the canonical form (docs/spec/contract.md#connections). Queries use
 * PostgreSQL's protocol, with the workspace as the database and a personal access token as the password; metadata uses GraphQL at
 * the same host.
 */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import type { PlannerWarning } from "../../planner/plan.ts";
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

export interface CannerConnection extends Omit<PostgresOptions, "settings"> {
  readonly source: "canner";
  /** Canonical (`guard/egress.ts`): the checked host is the dialled host. */
  readonly host: string;
  /** Port of PostgreSQL's protocol; GraphQL uses the default port of its scheme. */
  readonly port: number;
  readonly user: string;
  readonly token: Secret;
  /** The workspace's name in SQL. */
  readonly workspace: string;
  /** Whether GraphQL uses HTTPS. */
  readonly isSecure: boolean;
}

const fields = once(() =>
  z.object({
    host: z.string(),
    port: portShape(),
    user: z.string(),
    pat: z.string(),
    workspace: z.string(),
    enableSSL: z.nullish(z.boolean()),
    kwargs: optionsShape(),
  }),
);
const url = once(() =>
  z.object({ connectionUrl: z.string(), enableSSL: z.nullish(z.boolean()), kwargs: optionsShape() }),
);

/** The schema of `connectionInfo`, for the API's description. */
export const cannerConnectionShape = once(() => z.union([fields(), url()]));

const CANNER_PORT = 7432;

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseCannerConnection(raw: unknown): ParsedConnection<CannerConnection> {
  const alias = memberOfUrl(raw);
  return alias === undefined ? fromFields(raw) : fromUrl(raw as Record<string, unknown>, alias);
}

const MEMBERS: Readonly<Partial<Record<keyof ServerParts, string>>> = { database: "workspace", password: "pat" };

function fromFields(raw: unknown): ParsedConnection<CannerConnection> {
  const { given, tls, warnings } = readMembers(fields(), raw);
  const { host, port, user, pat, workspace, enableSSL, kwargs } = given;
  const parts = { host, port, user, database: workspace, password: pat };
  const options = [...optionsOf(kwargs), ...tls];
  return withWarnings(
    assemble(parts, (part) => MEMBERS[part] ?? part, options, enableSSL),
    warnings,
  );
}

function fromUrl(raw: Record<string, unknown>, member: string): ParsedConnection<CannerConnection> {
  const { given: checked, tls, warnings } = readMembers(url(), withUrl(raw, member), { overridden: fields() });
  const parts = parseConnectionUrl(checked.connectionUrl, member);
  if (parts.scheme !== "postgres" && parts.scheme !== "postgresql") {
    throw invalidConnection(member, "must begin with postgres:// or postgresql://");
  }
  if (parts.host === "") throw invalidConnection(member, "names no host");
  if (!parts.user) throw invalidConnection(member, "names no user");
  if (parts.path === "") throw invalidConnection(member, "names no workspace");
  const fromQuery = [...parts.query].map(([name, value]) => ({ member, name: name.toLowerCase(), value }));
  const { host, port = CANNER_PORT, user, password, path: database } = parts;
  const options = [...fromQuery, ...optionsOf(checked.kwargs), ...tls];
  const named = { host, port, user, database, password };
  return withWarnings(
    assemble(named, () => member, options, checked.enableSSL),
    warnings,
  );
}

/** `memberOf` gives the member that a part came from, for messages. */
function assemble(
  parts: ServerParts,
  memberOf: (field: keyof ServerParts) => string,
  given: readonly GivenOption[],
  enableSSL: boolean | null | undefined,
): ParsedConnection<CannerConnection> {
  const { host, port } = checkedServer(parts, memberOf, "socket directories");
  if (!parts.password) throw invalidConnection(memberOf("password"), "must hold a personal access token");
  const [settings, others] = [given.filter(isOfServer), given.filter((option) => !isOfServer(option))];
  const { options, warnings } = readPostgresOptions(others, {
    overHttps: false,
    // A caller who wants the token encrypted for GraphQL does not expect it to be sent unencrypted, or to an unverified server,
    // over the other protocol.
    defaultTls: enableSSL === true ? "verify-full" : "prefer",
  });
  const { settings: _none, ...tls } = options;
  return {
    info: {
      source: "canner",
      host,
      port,
      user: parts.user,
      token: new Secret(parts.password),
      workspace: parts.database,
      isSecure: enableSSL ?? (tls.tls !== "disable" && tls.tls !== "prefer"),
      ...tls,
    },
    warnings: [...warnings, ...settings.map(notHonoured)],
  };
}

/** Settings of a PostgreSQL server, which Canner is not. */
const isOfServer = ({ name }: GivenOption): boolean => name === "options";

function notHonoured({ member }: GivenOption): PlannerWarning {
  return { code: "UNKNOWN_OPTION", message: `connectionInfo.${member}: the option options is not honoured` };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalCannerConnection(connection: CannerConnection): CanonicalConnection {
  const { host, port, user, token, workspace, isSecure } = connection;
  return {
    host,
    port,
    user,
    pat: token.reveal(),
    workspace,
    enableSSL: isSecure,
    kwargs: canonicalPostgresOptions({ ...connection, settings: [] }),
  };
}
