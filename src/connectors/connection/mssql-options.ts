/**
 * The options of a SQL Server connection, from its members, the URL's query and `kwargs`, in the spellings of ODBC and JDBC
 * connection strings. Some are supported. Some are refused, because they could redirect the connection or change the user. All
 * others are reported as warnings (docs/decisions/0029-nothing-unknown-is-silent.md,
 * docs/decisions/0013-differences-from-the-specification.md).
 * https://learn.microsoft.com/en-us/sql/connect/odbc/dsn-connection-string-attribute
 */
import type { PlannerWarning } from "../../planner/plan.ts";
import type { ConnectorFailure } from "../failure.ts";
import { invalidConnection } from "./connection.ts";
import type { GivenOption } from "./server-fields.ts";
import { unknownOption } from "./unknown-members.ts";

/**
 * `mandatory`: TLS inside the protocol, or no connection. `strict`: TLS before the protocol (TDS 8.0), where certificates are
 * always verified. `none`: no TLS, and no connection to a server that requires it.
 */
export type MsSqlEncryption = "mandatory" | "strict" | "none";

export interface MsSqlOptions {
  readonly encryption: MsSqlEncryption;
  /** Accepts any certificate. */
  readonly trustsCertificate: boolean;
  /** The expected name in the certificate, if it differs from the host. */
  readonly certificateName: string | undefined;
  /** Listeners of availability groups, and Azure, route such a session to a readable secondary. */
  readonly readOnlyIntent: boolean;
  readonly connectTimeoutMs: number | undefined;
}

type Fail = (problem: string, hint?: string) => ConnectorFailure;

const MEMBERS = "Host, port, user, password and database have members of their own.";
const NO_FILES = "Files of this process are not read; leave it out.";
const BY_PASSWORD = "Logins are by user and password; leave it out.";
const ONE_HOST = "One server is reached, at the host of the connection; leave it out.";

const REFUSED: ReadonlyMap<string, string> = new Map([
  ...["server", "address", "addr", "networkaddress", "datasource", "host", "servername"].map((name) => [name, MEMBERS]),
  ...["port", "portnumber", "uid", "user", "userid", "username", "pwd", "password"].map((name) => [name, MEMBERS]),
  ...["database", "databasename", "initialcatalog"].map((name) => [name, MEMBERS]),
  ...["dsn", "filedsn", "savefile", "attachdbfilename", "extendedproperties"].map((name) => [name, NO_FILES]),
  ...["servercertificate", "clientcertificate", "clientkey", "truststore", "keystorelocation"].map((name) => [
    name,
    "Files of this process are not read. Give the sidecar the authority by NODE_EXTRA_CA_CERTS.",
  ]),
  ...["failoverpartner", "proxy", "socketfactoryclass", "instancename"].map((name) => [name, ONE_HOST]),
  ...["accesstoken", "authenticationscheme", "accesstokencallbackclass"].map((name) => [name, BY_PASSWORD]),
] as [string, string][]);

const YES: readonly string[] = ["yes", "true", "1"];
const NO: readonly string[] = ["no", "false", "0"];

/** Values that request the existing behaviour. Any other value is refused for options in `TRAPS`, and otherwise reported. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ["trustedconnection", NO],
  ["integratedsecurity", NO],
  ["authentication", ["sqlpassword", "notspecified"]],
  ["marsconnection", NO],
  ["multipleactiveresultsets", NO],
  ["multisubnetfailover", [...YES, ...NO]],
  ["ansinpw", YES],
  ["quotedid", YES],
  ["columnencryption", ["disabled"]],
]);

const TRAPS: ReadonlyMap<string, string> = new Map([
  ["trustedconnection", BY_PASSWORD],
  ["integratedsecurity", BY_PASSWORD],
  ["authentication", BY_PASSWORD],
  ["ansinpw", "Statements mean what the standard says; leave it out."],
  ["quotedid", "Statements mean what the standard says; leave it out."],
]);

const ENCRYPTIONS: ReadonlyMap<string, MsSqlEncryption> = new Map<string, MsSqlEncryption>([
  ...[...YES, "mandatory"].map((word) => [word, "mandatory"] as const),
  ...[...NO, "optional"].map((word) => [word, "none"] as const),
  ["strict", "strict"],
]);

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["logintimeout", "connecttimeout"],
  ["connectiontimeout", "connecttimeout"],
  ["timeout", "connecttimeout"],
]);

const KNOWN: readonly string[] = [
  ...[
    "Encrypt",
    "TrustServerCertificate",
    "HostNameInCertificate",
    "ApplicationIntent",
    "ConnectTimeout",
    "Authentication",
  ],
];
const TLS_HINT = "The options of TLS are Encrypt, TrustServerCertificate and HostNameInCertificate.";

/** Protocol versions without TLS. */
const WITHOUT_TLS: ReadonlySet<string> = new Set(["4.2", "4.6", "5.0", "7.0"]);

/** Options in `kwargs` win over those in the URL. Throws `INVALID_CONNECTION` for refused and contradictory options. */
export function readMsSqlOptions(given: readonly GivenOption[]): {
  readonly options: MsSqlOptions;
  readonly warnings: readonly PlannerWarning[];
} {
  const warnings: PlannerWarning[] = [];
  let encryption: MsSqlEncryption | undefined;
  let trustsCertificate: boolean | undefined;
  let certificateName: string | undefined;
  let readOnlyIntent = false;
  let connectTimeoutMs: number | undefined;
  let oldProtocol: Fail | undefined;
  for (const [name, { member, name: spelled, value }] of byName(given)) {
    const described = describeOption(spelled, member);
    const fail: Fail = (problem, hint) => invalidConnection(member, `${described} ${problem}`, hint);
    const refused = REFUSED.get(name);
    if (refused !== undefined) throw fail("is not accepted", refused);
    const plain = value.trim().toLowerCase();
    switch (name) {
      case "encrypt":
        encryption = ENCRYPTIONS.get(plain);
        if (encryption === undefined) throw fail("must be yes, no, mandatory, optional or strict");
        break;
      case "trustservercertificate":
        trustsCertificate = YES.includes(plain);
        if (!trustsCertificate && !NO.includes(plain)) throw fail("must be yes or no");
        break;
      case "hostnameincertificate":
        if (!/^[a-z0-9._-]{1,253}$/i.test(value)) throw fail("must be the name of a host");
        certificateName = value.toLowerCase();
        break;
      case "applicationintent":
        readOnlyIntent = plain === "readonly";
        if (!readOnlyIntent && plain !== "readwrite") throw fail("must be ReadOnly or ReadWrite");
        break;
      case "connecttimeout":
        if (!/^\d{1,6}$/.test(plain)) throw fail("must be an integer of seconds");
        connectTimeoutMs = Number(plain) === 0 ? undefined : Number(plain) * 1000;
        break;
      default:
        if (name === "tdsversion" && WITHOUT_TLS.has(plain)) oldProtocol = fail;
        if (WITHOUT_EFFECT.get(name)?.includes(plain)) break;
        if (TRAPS.has(name)) throw fail("is not accepted", TRAPS.get(name));
        warnings.push(
          WITHOUT_EFFECT.has(name)
            ? { code: "UNKNOWN_OPTION", message: `connectionInfo.${member}: ${described} is not honoured` }
            : unknownOption({ member, name: spelled, value }, KNOWN, TLS_HINT, described),
        );
    }
  }
  // The default of ODBC driver 18: encrypted and verified.
  const tls = encryption ?? "mandatory";
  if (oldProtocol !== undefined && tls !== "none") {
    throw oldProtocol("has no TLS, which is asked for", "Leave it out, or set Encrypt to no if the network is safe.");
  }
  if (tls === "strict" && trustsCertificate) {
    const hint = "With Encrypt=strict the certificate is always verified: leave TrustServerCertificate out.";
    throw invalidConnection("kwargs", "the options Encrypt and TrustServerCertificate contradict each other", hint);
  }
  return {
    options: {
      encryption: tls,
      trustsCertificate: tls !== "none" && trustsCertificate === true,
      certificateName: tls === "none" ? undefined : certificateName,
      readOnlyIntent,
      connectTimeoutMs,
    },
    warnings,
  };
}

/** Groups options by name, ignoring case and separators. Different values for one option are an error. */
function byName(given: readonly GivenOption[]): ReadonlyMap<string, GivenOption> {
  const found = new Map<string, GivenOption>();
  for (const option of given) {
    const name = plainName(option.name);
    const before = found.get(name);
    if (before?.member === option.member && before.value.toLowerCase() !== option.value.toLowerCase()) {
      throw invalidConnection(option.member, `${describeOption(option.name, option.member)} has two values`);
    }
    found.set(name, option);
  }
  return found;
}

/** `Trust Server Certificate`, `trust_server_certificate` and `TrustServerCertificate` are the same option. */
function plainName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, "");
  return SYNONYMS.get(plain) ?? plain;
}

/** Repeats a name only if it looks like one: a URL that was split in the wrong place may contain parts of a password. */
function describeOption(name: string, member: string): string {
  if (name === member) return "it";
  return /^[a-z][a-z_ -]{0,62}$/i.test(name) ? `the option ${name}` : "one of its options";
}
