/** Connection of `redshift`: by password or by IAM (docs/spec/contract.md#connections), and the canonical form. */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import { AWS_REGION, type AwsKeys, keysOf } from "./aws-keys.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { canonicalPostgresOptions, type PostgresOptions, readPostgresOptions } from "./postgres-options.ts";
import { checkedServer, memberOfUrl, optionsOf, optionsShape, portShape } from "./server-fields.ts";
import { type ReadMembers, readMembers, withWarnings } from "./unknown-members.ts";

export interface RedshiftConnection extends PostgresOptions {
  readonly source: "redshift";
  readonly database: string;
  /** With IAM, the user without the prefix of the login name. */
  readonly user: string;
  readonly login: RedshiftLogin;
}

export type RedshiftLogin = PasswordLogin | IamLogin;

interface PasswordLogin {
  readonly by: "password";
  /** Canonical (`guard/egress.ts`): the checked host is the dialled host. */
  readonly host: string;
  readonly port: number;
  readonly password: Secret;
}

/** AWS reports the cluster's address, and gives a password that is valid for a quarter of an hour. */
export interface IamLogin extends AwsKeys {
  readonly by: "iam";
  readonly cluster: string;
  readonly region: string;
}

const TYPES = { password: "redshift", iam: "redshift_iam" } as const;

const byPassword = once(() =>
  z.object({
    redshift_type: z.nullish(z.string()),
    host: z.string(),
    port: portShape(),
    database: z.string(),
    user: z.string(),
    password: z.string(),
    kwargs: optionsShape(),
  }),
);
const byIam = once(() =>
  z.object({
    redshift_type: z.literal(TYPES.iam),
    cluster_identifier: z.string(),
    region: z.string(),
    database: z.string(),
    user: z.string(),
    access_key_id: z.string(),
    access_key_secret: z.string(),
    session_token: z.nullish(z.string()),
    kwargs: optionsShape(),
  }),
);

/** The schema of `connectionInfo`, for the API's description. */
export const redshiftConnectionShape = once(() => z.union([byIam(), byPassword()]));

/** https://docs.aws.amazon.com/redshift/latest/APIReference/API_CreateCluster.html */
const CLUSTER = /^[a-z](?:-?[a-z0-9]){0,62}$/;

/** The settings of https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html that callers may choose. */
const SETTABLE: ReadonlySet<string> = new Set([
  "statement_timeout",
  "search_path",
  "query_group",
  "wlm_query_slot_count",
  "enable_result_cache_for_session",
]);

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseRedshiftConnection(raw: unknown): ParsedConnection<RedshiftConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const type = (raw as { readonly redshift_type?: unknown } | null | undefined)?.redshift_type ?? TYPES.password;
  if (type === TYPES.iam) return fromIam(raw);
  if (type !== TYPES.password) throw invalidConnection("redshift_type", `must be ${TYPES.password} or ${TYPES.iam}`);
  return fromPassword(raw);
}

function fromPassword(raw: unknown): ParsedConnection<RedshiftConnection> {
  const members = readMembers(byPassword(), raw);
  const { given } = members;
  const { host, port } = checkedServer(given, (field) => field, "socket directories");
  if (given.password === "") throw invalidConnection("password", "must not be empty");
  return assembled(members, { by: "password", host, port, password: new Secret(given.password) });
}

function fromIam(raw: unknown): ParsedConnection<RedshiftConnection> {
  const members = readMembers(byIam(), raw);
  const { given } = members;
  const { region, cluster_identifier: cluster } = given;
  if (!AWS_REGION.test(region)) throw invalidConnection("region", "is not the name of a region");
  if (!CLUSTER.test(cluster)) throw invalidConnection("cluster_identifier", "is not the identifier of a cluster");
  for (const member of ["database", "user"] as const) {
    if (given[member] === "" || given[member].includes("\0"))
      throw invalidConnection(member, "must be a name that is not empty");
  }
  const keys = keysOf(given, { id: "access_key_id", secret: "access_key_secret", session: "session_token" });
  if (keys === undefined) throw invalidConnection("access_key_id", "must not be empty");
  return assembled(members, { by: "iam", cluster, region, ...keys });
}

interface Common {
  readonly database: string;
  readonly user: string;
  readonly kwargs?: Parameters<typeof optionsOf>[0];
}

/** The default is that of Redshift's clients: encrypt and check the authority. */
function assembled(
  { given: { database, user, kwargs }, tls, warnings: unknown }: ReadMembers<Common>,
  login: RedshiftLogin,
): ParsedConnection<RedshiftConnection> {
  const rules = { overHttps: false, defaultTls: "verify-ca", settable: SETTABLE } as const;
  const { options, warnings } = readPostgresOptions([...optionsOf(kwargs), ...tls], rules);
  return withWarnings({ info: { source: "redshift", database, user, login, ...options }, warnings }, unknown);
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalRedshiftConnection(connection: RedshiftConnection): CanonicalConnection {
  const { database, user, login } = connection;
  return {
    redshift_type: TYPES[login.by],
    database,
    user,
    ...(login.by === "password"
      ? { host: login.host, port: login.port, password: login.password.reveal() }
      : {
          cluster_identifier: login.cluster,
          region: login.region,
          access_key_id: login.accessKeyId.reveal(),
          access_key_secret: login.secretAccessKey.reveal(),
          ...(login.sessionToken !== undefined && { session_token: login.sessionToken.reveal() }),
        }),
    kwargs: canonicalPostgresOptions(connection),
  };
}
