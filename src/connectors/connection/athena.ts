/**
 * Connection of `athena`: its fields, its kinds of credentials (docs/spec/contract.md#connections,
 * docs/decisions/0035-roles-of-aws.md), and the canonical form.
 */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import { AWS_REGION, type AwsKeys, keysOf } from "./aws-keys.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { memberOfUrl } from "./server-fields.ts";
import { readMembersWithoutTls } from "./unknown-members.ts";

export interface AthenaConnection {
  readonly source: "athena";
  /** Part of the host names of requests, so it must have the format of a region. */
  readonly region: string;
  /** `s3://bucket/prefix/`, where Athena writes query results. */
  readonly outputLocation: string;
  /** Database of the Glue catalogue. */
  readonly schema: string;
  /** Defaults to Athena's own, `AwsDataCatalog`. */
  readonly catalog: string | undefined;
  readonly workgroup: string | undefined;
  readonly credentials: AwsCredentials;
}

/** The credentials of a request. */
export type AwsCredentials =
  | ({ readonly by: "keys" } & AwsKeys)
  /** The keys assume the role. */
  | ({ readonly by: "role"; readonly role: AwsRole } & AwsKeys)
  | { readonly by: "web identity"; readonly role: AwsRole; readonly token: Secret }
  /** The credentials of the sidecar's machine, if its operator allows them. */
  | { readonly by: "host" };

export interface AwsRole {
  readonly arn: string;
  readonly sessionName: string;
}

/** The schema of `connectionInfo`, for the API's description. */
export const athenaConnectionShape = once(() =>
  z.object({
    s3_staging_dir: z.string(),
    region_name: z.nullish(z.string()),
    schema_name: z.nullish(z.string()),
    catalog_name: z.nullish(z.string()),
    work_group: z.nullish(z.string()),
    aws_access_key_id: z.nullish(z.string()),
    aws_secret_access_key: z.nullish(z.string()),
    aws_session_token: z.nullish(z.string()),
    web_identity_token: z.nullish(z.string()),
    role_arn: z.nullish(z.string()),
    role_session_name: z.nullish(z.string()),
  }),
);

type Fields = z.infer<ReturnType<typeof athenaConnectionShape>>;

const DEFAULT_SCHEMA = "default";
/** The region that AWS's older clients use without one. A connection has no machine whose configuration could name another. */
const DEFAULT_REGION = "us-east-1";
/** The session name that the roles of existing clients trust (docs/spec/contract.md#connections). */
const DEFAULT_SESSION = "wren-oidc-session";

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const LOCATION = /^s3:\/\/[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?(?:\/\P{Cc}*)?$/u;
/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
const ROLE = /^arn:aws[a-z-]*:iam::\d{1,12}:role\/[\w+=,.@/-]{1,512}$/;
const SESSION = /^[\w+=,.@-]{2,64}$/;
const WORKGROUP = /^[\w.-]{1,128}$/;

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseAthenaConnection(raw: unknown): ParsedConnection<AthenaConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const { given, warnings } = readMembersWithoutTls(athenaConnectionShape(), raw, {
    hint: "Leave it out: AWS is asked over HTTPS, and certificates are verified.",
  });
  const region = matching(given, "region_name", AWS_REGION, "is not the name of a region") ?? DEFAULT_REGION;
  const outputLocation = matching(given, "s3_staging_dir", LOCATION, "must be of the form s3://bucket/prefix/") ?? "";
  const workgroup = matching(given, "work_group", WORKGROUP, "is not the name of a workgroup");
  return {
    info: {
      source: "athena",
      region,
      outputLocation,
      schema: given.schema_name || DEFAULT_SCHEMA,
      catalog: given.catalog_name || undefined,
      workgroup,
      credentials: credentialsOf(given),
    },
    warnings,
  };
}

function credentialsOf(given: Fields): AwsCredentials {
  const arn = matching(given, "role_arn", ROLE, "is not the ARN of a role");
  const name = matching(
    given,
    "role_session_name",
    SESSION,
    "must be of 2 to 64 letters, digits and characters of =,.@-",
  );
  const role = arn === undefined ? undefined : { arn, sessionName: name ?? DEFAULT_SESSION };
  const token = given.web_identity_token || undefined;
  const keys = keysOf(given, {
    id: "aws_access_key_id",
    secret: "aws_secret_access_key",
    session: "aws_session_token",
  });
  if (token !== undefined) {
    if (role === undefined)
      throw invalidConnection("role_arn", "is missing: web_identity_token proves who takes on a role");
    return { by: "web identity", role, token: new Secret(token) };
  }
  if (keys === undefined) {
    if (role === undefined) return { by: "host" };
    throw invalidConnection("aws_access_key_id", "is missing: role_arn is taken on with keys or web_identity_token");
  }
  return role === undefined ? { by: "keys", ...keys } : { by: "role", role, ...keys };
}

function matching(given: Fields, member: keyof Fields, form: RegExp, problem: string): string | undefined {
  const value = given[member];
  if (!value) {
    if (value === "" && (member === "region_name" || member === "s3_staging_dir"))
      throw invalidConnection(member, problem);
    return undefined;
  }
  if (!form.test(value)) throw invalidConnection(member, problem);
  return value;
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalAthenaConnection(connection: AthenaConnection): CanonicalConnection {
  const { region, outputLocation, schema, catalog, workgroup, credentials } = connection;
  return {
    region_name: region,
    s3_staging_dir: outputLocation,
    schema_name: schema,
    ...(catalog !== undefined && { catalog_name: catalog }),
    ...(workgroup !== undefined && { work_group: workgroup }),
    ...((credentials.by === "keys" || credentials.by === "role") && {
      aws_access_key_id: credentials.accessKeyId.reveal(),
      aws_secret_access_key: credentials.secretAccessKey.reveal(),
      ...(credentials.sessionToken !== undefined && { aws_session_token: credentials.sessionToken.reveal() }),
    }),
    ...(credentials.by === "web identity" && { web_identity_token: credentials.token.reveal() }),
    ...((credentials.by === "role" || credentials.by === "web identity") && {
      role_arn: credentials.role.arn,
      role_session_name: credentials.role.sessionName,
    }),
  };
}
