/**
 * Authentication at a workspace: the connection's own token, or a token for a service principal
 * (https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m), which Microsoft issues if the connection has a tenant. It is
 * used as long as the connector, which lasts for one request.
 */
import { Secret } from "../../guard/secret.ts";
import { type DatabricksConnection, type DatabricksCredentials, originOf } from "../connection/databricks.ts";
import { ConnectorFailure } from "../failure.ts";
import { request } from "../http/request.ts";
import { isDatabricks, jsonOf, MAX_TEXT } from "./answers.ts";

type ServicePrincipal = Extract<DatabricksCredentials, { by: "service principal" }>;

const MAX_ANSWER = 64 * 1024;
/** The id of Databricks in Microsoft's directories (https://learn.microsoft.com/azure/databricks/dev-tools/auth/). */
const AZURE_SCOPE = "2ff814a6-3304-4ab8-8cfa-cb0e4f79dd03/.default";
/** The login address of a workspace's cloud, by the suffix of its host. */
const AZURE_LOGINS = [
  [".databricks.azure.us", "https://login.microsoftonline.us"],
  [".databricks.azure.cn", "https://login.chinacloudapi.cn"],
  ["", "https://login.microsoftonline.com"],
] as const;

/** Sends nothing if the connection contains a token. Rejects with `ConnectorFailure`. */
export async function accessToken(
  connection: DatabricksConnection,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Secret> {
  const { credentials, host } = connection;
  if (credentials.by === "token") return credentials.token;
  const { origin, path, scope } = issuerFor(connection, credentials);
  const isAnswer = (status: number): boolean => status === 200 || status === 400 || status === 401;
  const source = { fetch, origins: [origin], maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: false };
  const response = await request(source, origin + path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: credentials.clientId.reveal(),
      client_secret: credentials.clientSecret.reveal(),
      scope,
    }).toString(),
    signal,
  });
  const { access_token: token, error, error_description: description } = (await jsonOf(response)) as TokenAnswer;
  if (response.status === 200 && typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return new Secret(token);
  if (response.status === 200 || typeof error !== "string") {
    throw new ConnectorFailure("UPSTREAM_PROTOCOL", `${new URL(origin).hostname} did not answer with an access token.`);
  }
  const isKnown = credentials.azureTenant !== undefined || isDatabricks(host);
  const said = isKnown && typeof description === "string" ? `: ${description.slice(0, MAX_TEXT)}` : ".";
  throw new ConnectorFailure("AUTHENTICATION", `No access token was given for the service principal${said}`, {
    ...(/^\w{1,64}$/.test(error) && { engineCode: error }),
    hint: "Check clientId, clientSecret and azureTenantId.",
  });
}

interface TokenAnswer {
  readonly access_token?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

function issuerFor(connection: DatabricksConnection, { azureTenant }: ServicePrincipal) {
  if (azureTenant === undefined) return { origin: originOf(connection), path: "/oidc/v1/token", scope: "all-apis" };
  const [, origin = ""] = AZURE_LOGINS.find(([end]) => connection.host.endsWith(end)) ?? [];
  return { origin, path: `/${azureTenant}/oauth2/v2.0/token`, scope: AZURE_SCOPE };
}
