/**
 * The options of a MySQL connection, from its members, the URL's query and `kwargs`, in the spellings of MySQL's own programs, of
 * mysqlclient and of JDBC. Some are supported. Some are refused, because they could redirect the connection or make it less safe.
 * All others are reported as warnings (docs/decisions/0029-nothing-unknown-is-silent.md).
 */

import type { PlannerWarning } from "../../planner/plan.ts";
import type { ConnectorFailure } from "../failure.ts";
import { pemOf } from "./certificate-authority.ts";
import { invalidConnection } from "./connection.ts";
import type { GivenOption } from "./server-fields.ts";
import { unknownOption } from "./unknown-members.ts";

/**
 * The checks before the password is sent. Only `prefer` continues without TLS if the server offers none; `require` checks no
 * certificate.
 */
export type MySqlTlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-identity";

export interface MySqlOptions {
  readonly tls: MySqlTlsMode;
  /** PEM of the only trusted authority. */
  readonly certificateAuthority: string | undefined;
  /** Without TLS: accepts the server's RSA key, which encrypts the password, without verification. */
  readonly trustsServerKey: boolean;
  readonly connectTimeoutMs: number | undefined;
}

type Fail = (problem: string, hint?: string) => ConnectorFailure;

const MEMBERS = "Host, port, user, password and database have members of their own.";
const NO_FILES = "Files of this process are not read; leave it out.";
const NO_CLIENT_CERTIFICATE = "Client certificates are not supported; give user and password.";
const NO_STATEMENTS = "Only the statement that is asked for runs; leave it out.";

/** Options that name a host, a user, a database or a file of this process, or make the server do more than requested. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["host", MEMBERS],
  ["port", MEMBERS],
  ["user", MEMBERS],
  ["password", MEMBERS],
  ["passwd", MEMBERS],
  ["database", MEMBERS],
  ["db", MEMBERS],
  ["unixsocket", "Servers are reached over the network only; leave it out."],
  ["socket", "Servers are reached over the network only; leave it out."],
  ["readdefaultfile", NO_FILES],
  ["readdefaultgroup", NO_FILES],
  ["defaultsfile", NO_FILES],
  ["plugindir", NO_FILES],
  ["sslkey", NO_CLIENT_CERTIFICATE],
  ["sslcert", NO_CLIENT_CERTIFICATE],
  ["ssl", "Set sslMode, and sslCA for an authority of your own."],
  ["sslcapath", NO_FILES],
  ["initcommand", NO_STATEMENTS],
  ["initsql", NO_STATEMENTS],
  ["sessionvariables", NO_STATEMENTS],
]);

const YES: readonly string[] = ["true", "1", "yes", "on"];
const NO: readonly string[] = ["false", "0", "no", "off"];

/** Values that request the existing behaviour, or nothing. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ["charset", ["utf8mb4", "utf8"]],
  ["characterencoding", ["utf8", "utf-8", "utf8mb4"]],
  ["useunicode", YES],
  ["autocommit", YES],
  ["localinfile", NO],
  ["allowlocalinfile", NO],
  ["allowloadlocalinfile", NO],
  ["allowmultiqueries", NO],
  ["multistatements", NO],
  ["servertimezone", ["utc", "+00:00", "z"]],
  ["compress", NO],
]);

/** Options whose values, except those without effect, would disable a protection. */
const TRAPS: ReadonlyMap<string, string> = new Map([
  ["localinfile", "A server could ask for files of this process; leave it out."],
  ["allowlocalinfile", "A server could ask for files of this process; leave it out."],
  ["allowloadlocalinfile", "A server could ask for files of this process; leave it out."],
  ["allowmultiqueries", "One statement runs at a time; leave it out."],
  ["multistatements", "One statement runs at a time; leave it out."],
]);

/** The modes of this module by name; MySQL's own names are in upper case (docs/spec/contract.md#mysqls-tls-modes). */
const TLS_MODES: ReadonlyMap<string, MySqlTlsMode> = new Map([
  ["DISABLED", "disable"],
  ["PREFERRED", "prefer"],
  ["REQUIRED", "require"],
  ["VERIFY_CA", "verify-ca"],
  ["VERIFY_IDENTITY", "verify-identity"],
  ["ENABLED", "require"],
]);

const KNOWN: readonly string[] = [
  "sslMode",
  "sslCA",
  "allowPublicKeyRetrieval",
  "connect_timeout",
  ...WITHOUT_EFFECT.keys(),
];
const TLS_HINT = "The options of TLS are sslMode, and sslCA for an authority of your own.";

const MODE_NAMES = [...TLS_MODES.keys()].join(", ");

/** Later options win over earlier ones of the same name; `usual` is the default mode. Throws `INVALID_CONNECTION`. */
export function readMySqlOptions(
  given: readonly GivenOption[],
  usual: MySqlTlsMode,
): {
  readonly options: MySqlOptions;
  readonly warnings: readonly PlannerWarning[];
} {
  const warnings: PlannerWarning[] = [];
  const byName = optionsByName(given);
  let mode: MySqlTlsMode | undefined;
  let authority: { readonly pem: string; readonly member: string } | undefined;
  let trustsServerKey: boolean | undefined;
  let connectTimeoutMs: number | undefined;
  for (const [name, { member, name: spelled, value }] of byName) {
    const described = describeOption(spelled, member);
    const fail: Fail = (problem, hint) => invalidConnection(member, `${described} ${problem}`, hint);
    const refused = REFUSED.get(name);
    if (refused !== undefined) throw fail("is not accepted", refused);
    const plain = value.trim().toLowerCase();
    switch (name) {
      case "sslmode":
        mode = TLS_MODES.get(plain.toUpperCase().replaceAll(/[- ]/g, "_"));
        if (mode === undefined) throw fail(`must be one of ${MODE_NAMES}`);
        break;
      case "sslca":
        if (plain !== "") authority = { pem: readAuthority(value, fail), member };
        break;
      case "allowpublickeyretrieval":
        trustsServerKey = yesOrNo(plain) ?? raise(fail("must be true or false"));
        break;
      // mysqlclient's option is in seconds, JDBC's connectTimeout in milliseconds.
      case "connecttimeout":
        connectTimeoutMs = milliseconds(plain, spelled.includes("_") ? 1000 : 1) ?? raise(fail("must be an integer"));
        break;
      default:
        if (WITHOUT_EFFECT.get(name)?.includes(plain)) break;
        if (TRAPS.has(name)) throw fail("is not accepted", TRAPS.get(name));
        warnings.push(unknownOption({ member, name: spelled, value }, KNOWN, TLS_HINT, described));
    }
  }
  const tls = withAuthority(mode ?? usual, authority !== undefined);
  if (tls === "verify-ca" && authority === undefined) {
    // The text of the reference, which clients match.
    throw invalidConnection("sslCA", "SSL CA must be provided when SSL mode is VERIFY CA");
  }
  if (tls === "disable" && authority !== undefined) {
    const message = `connectionInfo.${authority.member}: the authority is not honoured, since sslMode is DISABLED`;
    warnings.push({ code: "UNKNOWN_OPTION", message });
  }
  return {
    options: {
      tls,
      certificateAuthority: tls === "disable" ? undefined : authority?.pem,
      // A man in the middle could present a key of his own: the default accepts that only if the caller has disabled TLS.
      trustsServerKey: trustsServerKey ?? tls === "disable",
      connectTimeoutMs: connectTimeoutMs === 0 ? undefined : connectTimeoutMs,
    },
    warnings,
  };
}

/** Two members of `connectionInfo` that differ only in spelling must not have different values. */
function optionsByName(given: readonly GivenOption[]): ReadonlyMap<string, GivenOption> {
  const byName = new Map<string, GivenOption>();
  for (const option of given) {
    const name = plainName(option.name);
    const before = byName.get(name);
    const areMembers = before?.member === before?.name && option.member === option.name;
    if (before !== undefined && areMembers && before.value !== option.value) {
      throw invalidConnection(option.member, `has another value than ${before.member}, which means the same`);
    }
    byName.set(name, option);
  }
  return byName;
}

/** `ssl-mode`, `ssl_mode` and `sslMode` are the same option. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

/** Repeats a name only if it looks like one: a URL that was split in the wrong place may contain parts of a password. */
function describeOption(name: string, member: string): string {
  if (name === member) return "it";
  return /^[a-z][a-z_-]{0,62}$/i.test(name) ? `the option ${name}` : "one of its options";
}

/** A trusted authority implies that certificates are checked. */
function withAuthority(asked: MySqlTlsMode, hasAuthority: boolean): MySqlTlsMode {
  return hasAuthority && (asked === "require" || asked === "prefer") ? "verify-ca" : asked;
}

/** PEM text or base64 of PEM text. */
function readAuthority(value: string, fail: Fail): string {
  const pem = pemOf(value);
  if (pem === undefined) {
    throw fail(
      "must be a certificate in PEM form, or base64 of one",
      "Paths are not read; send the certificate itself.",
    );
  }
  return pem;
}

function yesOrNo(text: string): boolean | undefined {
  if (YES.includes(text)) return true;
  return NO.includes(text) ? false : undefined;
}

function milliseconds(text: string, unit: number): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) * unit : undefined;
}

function raise(error: ConnectorFailure): never {
  throw error;
}
