/** Connection of `snowflake`: fields, forms of accounts, options that are honoured, and the canonical form (contract §2.2). */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import type { PlannerWarning } from "../../planner/plan.ts";
import { type CanonicalConnection, checkShape, invalidConnection, type ParsedConnection } from "./connection.ts";
import { privateKeyOf } from "./private-key.ts";
import { type GivenOption, memberOfUrl, optionsOf, optionsShape } from "./server-fields.ts";

export interface SnowflakeConnection {
  readonly source: "snowflake";
  /** As the caller wrote it, in lower case and without the domain of hosts. */
  readonly account: string;
  readonly user: string;
  /** Base64 of PKCS#8. */
  readonly privateKey: Secret;
  /** Where the key is encrypted. */
  readonly passphrase: Secret | undefined;
  readonly database: string;
  readonly schema: string;
  /** The user's own default without. */
  readonly warehouse: string | undefined;
  readonly role: string | undefined;
  /** Of every statement, for whoever reads the history. */
  readonly queryTag: string | undefined;
}

/** What `connectionInfo` looks like, for the API's description. */
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
 * `org-account`, or the locator with what it takes of region and cloud (https://docs.snowflake.com/user-guide/admin-account-identifier);
 * behind either, `privatelink`.
 */
const ACCOUNT = /^[a-z\d](?:[a-z\d_-]{0,126}[a-z\d])?(?:\.[a-z\d](?:[a-z\d_-]{0,62}[a-z\d])?){0,3}$/;
const DOMAIN = ".snowflakecomputing.com";

/** Where the account answers. Names of hosts have no underscores. */
export function hostOf({ account }: Pick<SnowflakeConnection, "account">): string {
  return account.replaceAll("_", "-") + DOMAIN;
}

/** `raw` is `connectionInfo` as it came; unknown members are ignored. Throws `INVALID_CONNECTION`, naming members only. */
export function parseSnowflakeConnection(raw: unknown): ParsedConnection<SnowflakeConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const given = checkShape(snowflakeConnectionShape(), raw);
  if (!given.private_key) {
    throw invalidConnection(
      "private_key",
      given.password ? "is missing: logins by password are not served" : "is missing",
      "Give the user a key pair (ALTER USER … SET RSA_PUBLIC_KEY), and its private half here as PKCS#8.",
    );
  }
  const { options, warnings } = optionsIn(optionsOf(given.kwargs));
  const words = given.private_key_passphrase || options.passphrase;
  const { key, passphrase } = privateKeyOf("private_key", given.private_key, words ? new Secret(words) : undefined);
  return {
    info: {
      source: "snowflake",
      account: accountOf(given.account),
      user: named("user", given.user),
      privateKey: key,
      passphrase,
      database: named("database", given.database),
      schema: named("schema", given.schema),
      warehouse: given.warehouse ? named("warehouse", given.warehouse) : options.warehouse,
      role: options.role,
      queryTag: options.queryTag,
    },
    warnings,
  };
}

/** Also as an address, which is how people copy it. */
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

type Options = { -readonly [K in "role" | "warehouse" | "queryTag" | "passphrase"]: string | undefined };

/** Of the maker's Python driver (https://docs.snowflake.com/developer-guide/python-connector/python-connector-api#connect). */
function optionsIn(given: readonly GivenOption[]): {
  readonly options: Options;
  readonly warnings: readonly PlannerWarning[];
} {
  const options: Options = { role: undefined, warehouse: undefined, queryTag: undefined, passphrase: undefined };
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
      case "host":
      case "port":
      case "protocol":
      case "region":
      case "proxy_host":
      case "private_key_file":
        throw invalidConnection(member, `the option ${name} could lead elsewhere, and is not accepted`);
      default: {
        // Names are repeated only when they look like one.
        const described = /^[a-z][a-z_]{0,62}$/.test(name) ? `the option ${name}` : "one of its options";
        warnings.push({ code: "UNKNOWN_OPTION", message: `connectionInfo.kwargs: ${described} is not honoured` });
      }
    }
  }
  return { options, warnings };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalSnowflakeConnection(connection: SnowflakeConnection): CanonicalConnection {
  const { account, user, privateKey, passphrase, database, schema, warehouse, role, queryTag } = connection;
  const kwargs = { ...(role !== undefined && { role }), ...(queryTag !== undefined && { query_tag: queryTag }) };
  return {
    account,
    user,
    private_key: privateKey.reveal(),
    ...(passphrase !== undefined && { private_key_passphrase: passphrase.reveal() }),
    database,
    schema,
    ...(warehouse !== undefined && { warehouse }),
    ...(Object.keys(kwargs).length > 0 && { kwargs }),
  };
}
