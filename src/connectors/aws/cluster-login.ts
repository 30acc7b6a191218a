/**
 * Gets the address of a Redshift cluster and a temporary password from AWS
 * (https://docs.aws.amazon.com/redshift/latest/APIReference/API_GetClusterCredentials.html), by two requests of its Query API.
 */
import { AwsV4Signer } from "aws4fetch";
import { canonicalHost, hostScope } from "../../guard/egress.ts";
import { Secret } from "../../guard/secret.ts";
import type { IamLogin, RedshiftConnection } from "../connection/redshift.ts";
import { ConnectorFailure, type FailureReason } from "../failure.ts";
import { type HttpSource, request } from "../http/request.ts";
import { identityOf } from "./credentials.ts";
import { endpointOf } from "./endpoints.ts";
import { awsFailure } from "./failures.ts";
import { inside, valueOf } from "./xml.ts";

export interface ClusterLogin {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret;
}

const VERSION = "2012-12-01";
const MAX_ANSWER = 1024 * 1024;

/** https://docs.aws.amazon.com/redshift/latest/APIReference/CommonErrors.html and the errors of the two actions. */
const REASONS: ReadonlyMap<string, FailureReason> = new Map<string, FailureReason>([
  ["ClusterNotFound", "HOST_UNREACHABLE"],
  ["NotAuthorizedException", "AUTHENTICATION"],
  ["UnauthorizedOperation", "AUTHENTICATION"],
  ["UnsupportedOperation", "AUTHENTICATION"],
  ["InvalidClientTokenId", "AUTHENTICATION"],
]);

/** Rejects with `ConnectorFailure`. Nothing is cached: the password belongs to the session that is opened with it. */
export async function clusterLogin(
  { database, user }: Pick<RedshiftConnection, "database" | "user">,
  login: IamLogin,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<ClusterLogin> {
  const ask = (action: string, parameters: Readonly<Record<string, string>>) =>
    answerOf(action, parameters, login, fetch, signal);
  const [clusters, credentials] = await Promise.all([
    ask("DescribeClusters", { ClusterIdentifier: login.cluster }),
    ask("GetClusterCredentials", {
      ClusterIdentifier: login.cluster,
      DbName: database,
      DbUser: user,
      AutoCreate: "false",
    }),
  ]);
  return { ...endpointIn(clusters), ...credentialsIn(credentials) };
}

async function answerOf(
  action: string,
  parameters: Readonly<Record<string, string>>,
  login: IamLogin,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<string> {
  const origin = endpointOf("redshift", login.region);
  const source: HttpSource = {
    fetch,
    origins: [origin],
    maxBytes: MAX_ANSWER,
    // Refusals are responses whose body contains the reason; other statuses do not come from the service.
    isAnswer: (status) => status === 200 || status === 400 || status === 403 || status === 404,
    quotesRefusals: false,
  };
  const signed = await new AwsV4Signer({
    ...identityOf(login),
    service: "redshift",
    region: login.region,
    method: "POST",
    url: `${origin}/`,
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    body: new URLSearchParams({ Action: action, Version: VERSION, ...parameters }).toString(),
  }).sign();
  const answer = await request(source, signed.url.href, {
    method: signed.method,
    headers: signed.headers,
    body: signed.body ?? null,
    signal,
  });
  const text = await answer.text();
  if (answer.status === 200 && text.includes(`<${action}Result>`)) return text;
  throw refusalIn(text);
}

/** `<ErrorResponse><Error><Type>Sender</Type><Code>ClusterNotFound</Code><Message>…` */
function refusalIn(text: string): ConnectorFailure {
  const error = inside(text, "Error");
  const name = error && valueOf(error, "Code");
  if (!error || !name) return awsFailure(new Error("not an answer of the service"));
  return awsFailure({ name, message: valueOf(error, "Message") ?? "", $fault: "client" }, REASONS);
}

function endpointIn(text: string): Pick<ClusterLogin, "host" | "port"> {
  const endpoint = inside(text, "Endpoint") ?? "";
  const address = valueOf(endpoint, "Address");
  const port = Number(valueOf(endpoint, "Port"));
  const status = valueOf(text, "ClusterStatus") ?? "unknown";
  if (address === undefined || status === "paused") {
    throw new ConnectorFailure(
      "HOST_UNREACHABLE",
      `The cluster cannot be reached: its status is ${statusWord(status)}.`,
      {
        hint: "Resume the cluster, or wait until it is available.",
      },
    );
  }
  const host = canonicalHost(address);
  // Only a host of AWS is accepted, whatever the response contains: a password is sent to it.
  if (host === undefined || hostScope(host) !== "public" || !/\.amazonaws\.com(?:\.cn)?$/.test(host))
    throw notAnEndpoint();
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw notAnEndpoint();
  return { host, port };
}

const statusWord = (status: string): string => (/^[a-z][a-z, -]{0,40}$/.test(status) ? status : "unknown");

function notAnEndpoint(): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "AWS answered with no address of a cluster.");
}

function credentialsIn(text: string): Pick<ClusterLogin, "user" | "password"> {
  const user = valueOf(text, "DbUser");
  const password = valueOf(text, "DbPassword");
  if (user && password) return { user, password: new Secret(password) };
  throw new ConnectorFailure("UPSTREAM_PROTOCOL", "AWS answered without a password for the cluster.");
}
