/** Connection of `databricks`: fields of both kinds, credentials (docs/spec/contract.md#connections), and the canonical form. */
import * as z from "zod/mini";
import { canonicalHost } from "../../guard/egress.ts";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { memberOfUrl, portNumber } from "./server-fields.ts";
import { readMembersWithoutTls } from "./unknown-members.ts";

export interface DatabricksConnection {
  readonly source: "databricks";
  /** Host of the workspace; canonical (`guard/egress.ts`): the checked host is the requested host. */
  readonly host: string;
  readonly port: number;
  /** Databricks is only reached over HTTPS. */
  readonly isSecure: true;
  readonly warehouse: string;
  readonly credentials: DatabricksCredentials;
}

/** The credentials of a request. */
export type DatabricksCredentials =
  /** A personal access token, or an OAuth token. */
  | { readonly by: "token"; readonly token: Secret }
  /**
   * A service principal of Databricks, or with a Microsoft tenant (https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m).
   */
  | {
      readonly by: "service principal";
      readonly clientId: Secret;
      readonly clientSecret: Secret;
      readonly azureTenant: string | undefined;
    };

const tokenFields = once(() =>
  z.object({
    databricks_type: z.nullish(z.literal("token")),
    serverHostname: z.string(),
    httpPath: z.string(),
    accessToken: z.string(),
  }),
);
const principalFields = once(() =>
  z.object({
    databricks_type: z.literal("service_principal"),
    serverHostname: z.string(),
    httpPath: z.string(),
    clientId: z.string(),
    clientSecret: z.string(),
    azureTenantId: z.nullish(z.string()),
  }),
);

/** The schema of `connectionInfo`, for the API's description. */
export const databricksConnectionShape = once(() => z.union([tokenFields(), principalFields()]));

const HTTPS_PORT = 443;
/** `endpoints` is the old name of warehouses. Azure clients append the workspace (`?o=…`). */
const WAREHOUSE = /^\/?sql\/1\.0\/(?:warehouses|endpoints)\/([\w-]{1,64})\/?(?:\?o=\d+)?$/;
const CLUSTER = /^\/?sql\/protocolv1\/o\//;
/** The tenant's id or domain, which is part of the address for tokens. */
const TENANT = /^[0-9a-z](?:[0-9a-z.-]{0,126}[0-9a-z])?$/i;
const PRINTABLE = /^[\x21-\x7e]+$/;

/** `https://host:port`: the start of the workspace's addresses. */
export function originOf({ host, port }: Pick<DatabricksConnection, "host" | "port">): string {
  // The URL parser omits a scheme's default port.
  return new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`).origin;
}

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseDatabricksConnection(raw: unknown): ParsedConnection<DatabricksConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const kind = (raw as { readonly databricks_type?: unknown } | null)?.databricks_type ?? "token";
  if (kind !== "token" && kind !== "service_principal") {
    throw invalidConnection("databricks_type", "must be token or service_principal");
  }
  const rules = { hint: "Leave it out: workspaces are asked over HTTPS, and certificates are verified." };
  const { given, warnings } =
    kind === "token"
      ? readMembersWithoutTls(tokenFields(), raw, rules)
      : readMembersWithoutTls(principalFields(), raw, rules);
  const server = serverOf(given.serverHostname);
  const warehouse = warehouseOf(given.httpPath);
  return { info: { source: "databricks", ...server, warehouse, credentials: credentialsOf(given) }, warnings };
}

/** A host, also with a scheme and a port, as people copy it. */
function serverOf(text: string): Pick<DatabricksConnection, "host" | "port" | "isSecure"> {
  const member = "serverHostname";
  const [, scheme = "https", named = "", port = HTTPS_PORT] =
    /^(?:(https?):\/\/)?(\[[^\]]*\]|[^:/]*)(?::(\d*))?\/?$/i.exec(text.trim()) ?? [];
  if (scheme.toLowerCase() !== "https") throw invalidConnection(member, "is asked over HTTPS alone");
  const host = canonicalHost(named);
  if (host === undefined) {
    throw invalidConnection(
      member,
      "names no host",
      "Give the host of the workspace, as in dbc-1.cloud.databricks.com.",
    );
  }
  return { host, port: portNumber(port, member), isSecure: true };
}

function warehouseOf(path: string): string {
  const [, warehouse] = WAREHOUSE.exec(path.trim()) ?? [];
  if (warehouse !== undefined) return warehouse;
  const hint = "Give the path of a SQL warehouse, /sql/1.0/warehouses/{id}: it stands with its connection details.";
  if (CLUSTER.test(path.trim())) {
    throw invalidConnection("httpPath", "names an all-purpose cluster, which statements are not sent to", hint);
  }
  throw invalidConnection("httpPath", "names no SQL warehouse", hint);
}

type Fields = z.infer<ReturnType<typeof tokenFields>> | z.infer<ReturnType<typeof principalFields>>;

function credentialsOf(given: Fields): DatabricksCredentials {
  if (given.databricks_type !== "service_principal") {
    return { by: "token", token: secret("accessToken", given.accessToken) };
  }
  const tenant = given.azureTenantId || undefined;
  if (tenant !== undefined && !TENANT.test(tenant)) throw invalidConnection("azureTenantId", "names no tenant");
  return {
    by: "service principal",
    clientId: secret("clientId", given.clientId),
    clientSecret: secret("clientSecret", given.clientSecret),
    azureTenant: tenant,
  };
}

/** The values are sent in headers. */
function secret(member: string, text: string): Secret {
  if (!PRINTABLE.test(text)) throw invalidConnection(member, "must be of printable ASCII characters, one at least");
  return new Secret(text);
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalDatabricksConnection(connection: DatabricksConnection): CanonicalConnection {
  const { host, port, warehouse, credentials } = connection;
  return {
    serverHostname: `${host.includes(":") ? `[${host}]` : host}:${port}`,
    httpPath: `/sql/1.0/warehouses/${warehouse}`,
    ...(credentials.by === "token"
      ? { databricks_type: "token", accessToken: credentials.token.reveal() }
      : {
          databricks_type: "service_principal",
          clientId: credentials.clientId.reveal(),
          clientSecret: credentials.clientSecret.reveal(),
          ...(credentials.azureTenant !== undefined && { azureTenantId: credentials.azureTenant }),
        }),
  };
}
