/**
 * Connection of `snowflake`: fields, forms of accounts, supported options, and the canonical form
 * (docs/spec/contract.md#connections).
 */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import type { PlannerWarning } from "../../planner/plan.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { privateKeyOf } from "./private-key.ts";
import { type GivenOption, memberOfUrl, optionsOf, optionsShape } from "./server-fields.ts";
import { readMembersWithoutTls, unknownOption, withWarnings } from "./unknown-members.ts";

export interface SnowflakeConnection {
  readonly source: "snowflake";
  /** The caller's account in lower case, without the domain of hosts. */
  readonly account: string;
  readonly user: string;
  readonly login: KeyPairLogin | TokenLogin | PasswordLogin;
  readonly database: string;
  readonly schema: string;
  /** Defaults to the user's own. */
  readonly warehouse: string | undefined;
  readonly role: string | undefined;
  /** Tag of every statement in the query history. */
  readonly queryTag: string | undefined;
}

export interface KeyPairLogin {
  readonly by: "keyPair";
  /** Base64 of PKCS#8. */
  readonly privateKey: Secret;
  /** Present if the key is encrypted. */
  readonly passphrase: Secret | undefined;
}

/** A token that another system has issued to the user. */
export interface TokenLogin {
  readonly by: "token";
  readonly type: "OAUTH" | "PROGRAMMATIC_ACCESS_TOKEN";
  readonly token: Secret;
}

export interface PasswordLogin {
  readonly by: "password";
  readonly password: Secret;
}

/** The schema of `connectionInfo`, for the API's description. */
export const snowflakeConnectionShape = once(() =>
  z.object({
    user: z.string(),
    account: z.string(),
    database: z.string(),
    schema: z.string(),
    password: z.nullish(z.string()),
    private_key: z.nullish(z.string()),
    private_key_passphrase: z.nullish(z.string()),
    warehouse: z.nullish(z.string()),
    kwargs: optionsShape(),
  }),
);

/**
 * `org-account`, or the locator with its region and cloud (https://docs.snowflake.com/user-guide/admin-account-identifier);
 * either may be followed by `privatelink`.
 */
const ACCOUNT = /^[a-z\d](?:[a-z\d_-]{0,126}[a-z\d])?(?:\.[a-z\d](?:[a-z\d_-]{0,62}[a-z\d])?){0,3}$/;
const DOMAIN = ".snowflakecomputing.com";

/** The account's host. Host names have no underscores. */
export function hostOf({ account }: Pick<SnowflakeConnection, "account">): string {
  return account.replaceAll("_", "-") + DOMAIN;
}

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseSnowflakeConnection(raw: unknown): ParsedConnection<SnowflakeConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const { given, warnings: unknown } = readMembersWithoutTls(snowflakeConnectionShape(), raw, { hint: TLS_HINT });
  const { options, warnings } = optionsIn(optionsOf(given.kwargs));
  const parsed: ParsedConnection<SnowflakeConnection> = {
    info: {
      source: "snowflake",
      account: accountOf(given.account),
      user: named("user", given.user),
      login: loginOf(given, options),
      database: named("database", given.database),
      schema: named("schema", given.schema),
      warehouse: given.warehouse ? named("warehouse", given.warehouse) : options.warehouse,
      role: options.role,
      queryTag: options.queryTag,
    },
    warnings,
  };
  return withWarnings(parsed, unknown);
}

type Given = z.infer<ReturnType<typeof snowflakeConnectionShape>>;

/**
 * Chosen by `authenticator`, with the names of Snowflake's drivers; otherwise by the given credentials, a key before a password.
 */
function loginOf(given: Given, options: Options): SnowflakeConnection["login"] {
  const { authenticator } = options;
  switch (authenticator ?? (given.private_key ? "snowflake_jwt" : given.password ? "snowflake" : undefined)) {
    case "snowflake_jwt":
      return keyPairOf(given, options);
    case "snowflake":
      return { by: "password", password: proof("password", given.password) };
    case "oauth":
      return { by: "token", type: "OAUTH", token: tokenOf("kwargs.token", options.token) };
    case "programmatic_access_token": {
      const [member, token] = options.token ? ["kwargs.token", options.token] : ["password", given.password];
      return { by: "token", type: "PROGRAMMATIC_ACCESS_TOKEN", token: tokenOf(member ?? "", token) };
    }
    case undefined:
      throw invalidConnection(
        "private_key",
        "is missing, and so is password",
        "Give the user a key pair (ALTER USER … SET RSA_PUBLIC_KEY), and write its private key as PKCS#8 into the connection.",
      );
    default:
      throw invalidConnection(
        "kwargs",
        "the authenticator waits for a person or asks other hosts, which the service cannot do",
        "Give private_key, or authenticator PROGRAMMATIC_ACCESS_TOKEN or OAUTH and a token, or a password of a user who logs in without a second factor.",
      );
  }
}

function keyPairOf(given: Given, options: Options): KeyPairLogin {
  if (!given.private_key) throw invalidConnection("private_key", "is missing", "Give it as PKCS#8 in PEM form.");
  const words = given.private_key_passphrase || options.passphrase;
  const { key, passphrase } = privateKeyOf("private_key", given.private_key, words ? new Secret(words) : undefined);
  return { by: "keyPair", privateKey: key, passphrase };
}

const MAX_PASSWORD = 1024;

function proof(member: string, text: string | null | undefined): Secret {
  if (text && text.length <= MAX_PASSWORD && text.isWellFormed()) return new Secret(text);
  throw invalidConnection(member, `must be of 1 to ${MAX_PASSWORD} characters`);
}

/** The token becomes part of a header. */
function tokenOf(member: string, text: string | null | undefined): Secret {
  if (text && /^[\x21-\x7e]{1,16384}$/.test(text)) return new Secret(text);
  throw invalidConnection(member, "must be a token", "Give it without spaces and line ends.");
}

/** Also accepts an address, as people copy it. */
function accountOf(text: string): string {
  const written = text.trim().toLowerCase();
  const host = written.replace(/^https:\/\//, "").replace(/\/$/, "");
  const account = host.endsWith(DOMAIN) ? host.slice(0, -DOMAIN.length) : host;
  if (ACCOUNT.test(account)) return account;
  throw invalidConnection(
    "account",
    "does not name an account",
    "Give the account's identifier, as in myorg-account1 or ab12345.eu-west-1.",
  );
}

const MAX_NAME = 255;

function named(member: string, text: string): string {
  if (text !== "" && text.length <= MAX_NAME && text.isWellFormed() && !/\p{Cc}/u.test(text)) return text;
  throw invalidConnection(member, `must be of 1 to ${MAX_NAME} characters, none of which controls`);
}

const OPTIONS: readonly string[] = [
  "role",
  "warehouse",
  "query_tag",
  "private_key_passphrase",
  "authenticator",
  "token",
];
const TLS_HINT = "Leave it out: accounts are asked over HTTPS, and certificates are verified.";

type OptionName = "role" | "warehouse" | "queryTag" | "passphrase" | "authenticator" | "token";
type Options = { -readonly [K in OptionName]?: string };

/**
 * Options of Snowflake's Python driver
 * (https://docs.snowflake.com/developer-guide/python-connector/python-connector-api#connect).
 */
function optionsIn(given: readonly GivenOption[]): {
  readonly options: Options;
  readonly warnings: readonly PlannerWarning[];
} {
  const options: Options = {};
  const warnings: PlannerWarning[] = [];
  for (const { member, name, value } of given) {
    switch (name) {
      case "role":
      case "warehouse":
        options[name] = named(member, value);
        break;
      case "query_tag":
        options.queryTag = value.slice(0, 2000);
        break;
      case "private_key_passphrase":
        options.passphrase = value;
        break;
      case "authenticator":
        options.authenticator = value.trim().toLowerCase();
        break;
      case "token":
        options.token = value.trim();
        break;
      case "passcode":
      case "passcode_in_password":
        throw invalidConnection(
          member,
          `the option ${name} is of one login, and every request is one`,
          "Give private_key, or authenticator PROGRAMMATIC_ACCESS_TOKEN and a token.",
        );
      case "host":
      case "port":
      case "protocol":
      case "region":
      case "proxy_host":
      case "private_key_file":
      case "token_file_path":
        throw invalidConnection(member, `the option ${name} could lead elsewhere, and is not accepted`);
      default:
        warnings.push(unknownOption({ member, name, value }, OPTIONS, TLS_HINT));
    }
  }
  return { options, warnings };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalSnowflakeConnection(connection: SnowflakeConnection): CanonicalConnection {
  const { account, user, login, database, schema, warehouse, role, queryTag } = connection;
  const { kwargs: loginOptions, ...proof } = canonicalLogin(login);
  const kwargs = {
    ...loginOptions,
    ...(role !== undefined && { role }),
    ...(queryTag !== undefined && { query_tag: queryTag }),
  };
  return {
    account,
    user,
    ...proof,
    database,
    schema,
    ...(warehouse !== undefined && { warehouse }),
    ...(Object.keys(kwargs).length > 0 && { kwargs }),
  };
}

interface LoginFields {
  readonly private_key?: string;
  readonly private_key_passphrase?: string;
  readonly password?: string;
  readonly kwargs?: Readonly<Record<string, string>>;
}

function canonicalLogin(login: SnowflakeConnection["login"]): LoginFields {
  switch (login.by) {
    case "keyPair": {
      const { privateKey, passphrase } = login;
      const words = passphrase?.reveal();
      return { private_key: privateKey.reveal(), ...(words !== undefined && { private_key_passphrase: words }) };
    }
    case "password":
      return { password: login.password.reveal() };
    case "token":
      return { kwargs: { authenticator: login.type, token: login.token.reveal() } };
    default:
      return login satisfies never;
  }
}
