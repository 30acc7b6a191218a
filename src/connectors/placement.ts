/** Decides where a connection is served (docs/decisions/0026-placement.md): pure functions of the connection and the settings. */
import { hostScope } from "../guard/egress.ts";
import type { AthenaConnection } from "./connection/athena.ts";
import type { CannerConnection } from "./connection/canner.ts";
import type { DorisConnection } from "./connection/doris.ts";
import { isServedByPlanetScale, type MySqlConnection } from "./connection/mysql.ts";
import type { MySqlServer } from "./connection/mysql-server.ts";
import type { BucketFields } from "./connection/object-store.ts";
import { isServedByNeon, type PostgresConnection } from "./connection/postgres.ts";
import type { RedshiftConnection } from "./connection/redshift.ts";
import type { SnowflakeConnection } from "./connection/snowflake.ts";
import type { FailureReason } from "./failure.ts";

export interface PlacementRules {
  /** A sidecar is configured. */
  readonly sidecar: boolean;
  /** The files Worker is bound. */
  readonly filesWorker?: boolean;
  /** The Worker itself may dial private hosts: local development. */
  readonly allowPrivateHosts: boolean;
}

export type Placement =
  | { readonly place: "worker" }
  | { readonly place: "sidecar" }
  /** The files Worker, and the sidecar for files that the files Worker cannot read. */
  | { readonly place: "files" }
  | {
      readonly place: "refused";
      readonly reason: FailureReason;
      readonly message: string;
      readonly hint: string;
    };

const WORKER: Placement = { place: "worker" };
const SIDECAR: Placement = { place: "sidecar" };

export function placeFiles(_connection: unknown, rules: PlacementRules): Placement {
  return sidecarOr(
    rules,
    "Files are read by the sidecar, and none is configured.",
    "Start the sidecar with FILE_ROOT set to the directory of the files, and set SIDECAR_URL and SIDECAR_SECRET.",
  );
}

/**
 * A store at a public host over HTTPS is served by the files Worker, if there is one, and any other store by the sidecar. In
 * local development, the files Worker reaches every store.
 */
export function placeBucket(
  { endpoint, certificateAuthority }: Pick<BucketFields, "endpoint" | "certificateAuthority">,
  rules: PlacementRules,
): Placement {
  if (endpoint !== undefined && hostScope(endpoint.host) === "metadata") return placeHost(endpoint.host, rules);
  if (certificateAuthority !== undefined) return needsAuthority("sslrootcert", rules);
  const isPublic = endpoint === undefined || (endpoint.isSecure && hostScope(endpoint.host) === "public");
  if (rules.filesWorker === true && (isPublic || rules.allowPrivateHosts)) return { place: "files" };
  return sidecarOr(
    rules,
    "Files in buckets are read by the files Worker and the sidecar, and neither is there for this store.",
    "Start a sidecar whose ALLOWED_HOSTS has the store's host, and set SIDECAR_URL and SIDECAR_SECRET.",
  );
}

export function placePostgres(connection: PostgresConnection, rules: PlacementRules): Placement {
  const host = placeHost(connection.host, rules);
  if (host !== WORKER) return host;
  // Over HTTPS the platform verifies the certificate, which is stricter than any sslmode.
  if (isServedByNeon(connection))
    return connection.certificateAuthority === undefined ? WORKER : needsAuthority("sslrootcert", rules);
  return placeByTls(connection, rules);
}

/** Only AWS knows a cluster's host, and by default it can only be reached from its own network. */
export function placeRedshift(connection: RedshiftConnection, rules: PlacementRules): Placement {
  const { login } = connection;
  if (login.by === "iam") return rules.sidecar ? SIDECAR : placeByTls(connection, rules);
  const host = placeHost(login.host, rules);
  return host === WORKER ? placeByTls(connection, rules) : host;
}

/** Queries use the socket. Metadata over plain HTTP is only allowed from a sidecar. */
export function placeCanner(connection: CannerConnection, rules: PlacementRules): Placement {
  const host = placeHost(connection.host, rules);
  if (host !== WORKER) return host;
  return !connection.isSecure && rules.sidecar ? SIDECAR : placeByTls(connection, rules);
}

function placeByTls(
  { tls, certificateAuthority }: Pick<PostgresConnection, "tls" | "certificateAuthority">,
  rules: PlacementRules,
): Placement {
  if (certificateAuthority !== undefined) return needsAuthority("sslrootcert", rules);
  if (tls === "require") {
    return sidecarOr(
      rules,
      "sslmode=require asks for TLS without checking the certificate, which a Worker cannot do.",
      "Set sslmode=verify-full if the server's certificate is from a public authority, or configure a sidecar (SIDECAR_URL).",
    );
  }
  // Without sslmode: verified TLS first; `sources.ts` handles its failure.
  return WORKER;
}

export function placeMySql(connection: MySqlConnection, rules: PlacementRules): Placement {
  const host = placeHost(connection.host, rules);
  if (host !== WORKER) return host;
  // Over HTTPS the platform verifies the certificate, which is stricter than any sslMode.
  if (isServedByPlanetScale(connection))
    return connection.certificateAuthority === undefined ? WORKER : needsAuthority("sslCA", rules);
  return placeByMode(connection, rules, "sslMode ENABLED, which is the default,");
}

export function placeDoris(connection: DorisConnection, rules: PlacementRules): Placement {
  const host = placeHost(connection.host, rules);
  return host === WORKER ? placeByMode(connection, rules, "sslMode REQUIRED") : host;
}

function placeByMode({ tls, certificateAuthority }: MySqlServer, rules: PlacementRules, unchecked: string): Placement {
  if (certificateAuthority !== undefined) return needsAuthority("sslCA", rules);
  if (tls === "require") {
    return sidecarOr(
      rules,
      `${unchecked} asks for TLS without checking the certificate, which a Worker cannot do.`,
      "Set sslMode to VERIFY_IDENTITY, or configure a sidecar (SIDECAR_URL).",
    );
  }
  // PREFERRED: verified TLS first; `sources.ts` handles its failure.
  return WORKER;
}

/** Placement of an HTTP source. */
export function placeHttp(
  { host, isSecure }: { readonly host: string; readonly isSecure: boolean },
  rules: PlacementRules,
): Placement {
  const scope = placeHost(host, { ...rules, allowPrivateHosts: false });
  if (scope !== WORKER || isSecure) return scope;
  return sidecarOr(
    rules,
    "The connection is over plain HTTP, which a Worker does not send anything by.",
    "Write https:// before the host, or configure a sidecar in the network of the source (SIDECAR_URL).",
  );
}

/** AWS's hosts are public, but only the sidecar has a machine's credentials. */
export function placeAthena({ credentials }: AthenaConnection, rules: PlacementRules): Placement {
  if (credentials.by !== "host") return WORKER;
  return sidecarOr(
    rules,
    "The connection has no keys, and a Worker has none of its own.",
    "Give aws_access_key_id and aws_secret_access_key, or role_arn and web_identity_token.",
  );
}

/** Accounts have public hosts, except those that are reached by a private link. */
export function placeSnowflake({ account }: SnowflakeConnection, rules: PlacementRules): Placement {
  if (!account.endsWith(".privatelink")) return WORKER;
  return sidecarOr(
    rules,
    "The account answers in a private network, which a Worker does not reach.",
    "Configure a sidecar in that network (SIDECAR_URL).",
  );
}

/** In SQL Server's protocol, TLS starts inside the protocol's packets, and workerd only encrypts sockets. */
export function placeMsSql({ host }: { readonly host: string }, rules: PlacementRules): Placement {
  return placeInSidecar(host, rules, "SQL Server");
}

/** The driver starts TLS a second time on a socket, behind a listener, and reads its packets with Node's own streams. */
export function placeOracle({ host }: { readonly host: string }, rules: PlacementRules): Placement {
  return placeInSidecar(host, rules, "Oracle's protocol");
}

/** Google's hosts are public, and a connection cannot name another host. */
export function placeBigQuery(): Placement {
  return WORKER;
}

/** gRPC needs HTTP/2 to servers, which workerd does not support. */
export function placeSpark({ host }: { readonly host: string }, rules: PlacementRules): Placement {
  return placeInSidecar(host, rules, "Spark Connect");
}

function placeInSidecar(host: string, rules: PlacementRules, protocol: string): Placement {
  const scope = placeHost(host, { ...rules, allowPrivateHosts: true });
  if (scope !== WORKER) return scope;
  return sidecarOr(
    rules,
    `${protocol} is spoken by the sidecar, and none is configured.`,
    "Configure a sidecar in the network of the source (SIDECAR_URL).",
  );
}

function needsAuthority(member: string, rules: PlacementRules): Placement {
  return sidecarOr(
    rules,
    `A certificate authority of your own (${member}) cannot be added to a Worker.`,
    "Configure a sidecar (SIDECAR_URL), or use a server certificate from a public authority.",
  );
}

function placeHost(host: string, rules: PlacementRules): Placement {
  const scope = hostScope(host);
  switch (scope) {
    case "public":
      return WORKER;
    case "metadata":
      return {
        place: "refused",
        reason: "EGRESS_DENIED",
        message: "The host is a metadata service of a cloud platform.",
        hint: "Give the host of a data source.",
      };
    case "private":
      if (rules.sidecar) return SIDECAR;
      if (rules.allowPrivateHosts) return WORKER;
      return {
        place: "refused",
        reason: "EGRESS_DENIED",
        message: "The host is private: it cannot be reached from a Worker.",
        hint: "Configure a sidecar in that network (SIDECAR_URL); for local development set ALLOW_PRIVATE_HOSTS=true.",
      };
    default:
      return scope satisfies never;
  }
}

function sidecarOr(rules: PlacementRules, message: string, hint: string): Placement {
  return rules.sidecar ? SIDECAR : { place: "refused", reason: "NEEDS_SIDECAR", message, hint };
}
