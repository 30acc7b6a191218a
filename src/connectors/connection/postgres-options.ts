/**
 * The options of a PostgreSQL connection, from the URL's query and from `kwargs`. Some are supported. Some are refused, because
 * they could redirect the connection. All others are reported as warnings (docs/decisions/0029-nothing-unknown-is-silent.md).
 */

import type { PlannerWarning, SessionSetting } from "../../planner/plan.ts";
import type { ConnectorFailure } from "../failure.ts";
import { pemOf } from "./certificate-authority.ts";
import { type CanonicalConnection, invalidConnection } from "./connection.ts";
import type { GivenOption } from "./server-fields.ts";
import { unknownOption } from "./unknown-members.ts";

/** `allow` is treated as `prefer`: encrypted if the server supports it, which `allow` permits and which is never less safe. */
export type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full";

export interface PostgresOptions {
  readonly tls: TlsMode;
  /** PEM of the only trusted authority. */
  readonly certificateAuthority: string | undefined;
  readonly connectTimeoutMs: number | undefined;
  readonly applicationName: string | undefined;
  /** From `options=-c name=value …`, in order. */
  readonly settings: readonly SessionSetting[];
}

type Fail = (problem: string, hint?: string) => ConnectorFailure;

const MEMBERS = "Host, port, user, password and database have members of their own.";
const NO_FILES = "Files of this process are not read; leave it out.";
const NO_CLIENT_CERTIFICATE = "Client certificates are not supported; give user and password.";
const NO_REVOCATION = "Revocation lists are not checked; leave it out if you can do without.";

/** Options that name a host, a user, a database or a file of this process, or change the protocol, with the remedy. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["host", MEMBERS],
  ["hostaddr", MEMBERS],
  ["port", MEMBERS],
  ["dbname", MEMBERS],
  ["database", MEMBERS],
  ["user", MEMBERS],
  ["password", MEMBERS],
  ["passfile", NO_FILES],
  ["service", NO_FILES],
  ["servicefile", NO_FILES],
  ["sslkeylogfile", NO_FILES],
  ["sslcert", NO_CLIENT_CERTIFICATE],
  ["sslkey", NO_CLIENT_CERTIFICATE],
  ["sslpassword", NO_CLIENT_CERTIFICATE],
  ["sslcrl", NO_REVOCATION],
  ["sslcrldir", NO_REVOCATION],
  ["requirepeer", "Servers are reached over the network only; leave it out."],
  ["replication", "Statements are read-only queries; leave it out."],
  ["load_balance_hosts", "Give one host."],
  ["scram_client_key", "Give the password itself."],
  ["scram_server_key", "Give the password itself."],
]);

/** libpq's defaults, or the existing behaviour: ignoring them loses nothing. An empty value is the default too. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ["client_encoding", ["utf8", "utf-8", "auto"]],
  ["target_session_attrs", ["any"]],
  ["gssencmode", ["disable", "prefer"]],
  ["gssdelegation", ["0"]],
  ["requiressl", ["0"]],
  ["require_auth", [""]],
  ["sslcertmode", ["disable", "allow"]],
  ["sslcompression", ["0"]],
  ["sslsni", ["1"]],
  ["sslnegotiation", ["postgres"]],
  // Both runtimes reject older versions.
  ["ssl_min_protocol_version", ["", "tlsv1", "tlsv1.1", "tlsv1.2"]],
  ["ssl_max_protocol_version", ["", "tlsv1.3"]],
  ["min_protocol_version", ["", "3.0"]],
  ["max_protocol_version", ["", "3.0", "3.2", "latest"]],
  ["channel_binding", ["disable", "prefer"]],
]);

/**
 * Options whose values, except those without effect, request more safety than the connection would have. Continuing with a
 * warning would weaken the caller's requirement. The list covers every parameter of libpq 18, and `ssl` and `requiressl` of older
 * clients.
 */
const DEMANDS: ReadonlyMap<string, string> = new Map([
  ["channel_binding", "Channels are not bound; leave it out, and set sslmode=verify-full instead."],
  ["require_auth", "The server chooses how the password is proven; leave it out, and set sslmode=verify-full instead."],
  ["gssencmode", "GSSAPI is not supported; use TLS (sslmode)."],
  ["sslcertmode", NO_CLIENT_CERTIFICATE],
  ["ssl_min_protocol_version", "TLS is of version 1.2 or later, and the server chooses; set it to TLSv1.2."],
  ["min_protocol_version", "The protocol spoken is 3.0; leave it out."],
  ["requiressl", "Set sslmode=require or, better, sslmode=verify-full."],
  ["ssl", "Set sslmode, which says how much is checked."],
]);

/** Values of those options that require nothing, or nothing important enough to refuse. */
function isLeftToWarn(name: string, value: string, overHttps: boolean): boolean {
  if (name === "ssl") return ["false", "0", "no", "off"].includes(value.trim().toLowerCase());
  // Neon's console writes it into every connection string. Over HTTPS the certificate is always verified, by name.
  return name === "channel_binding" && overHttps;
}

/** Server settings that change time limits, role or default schemas of a statement, and never the server. */
const SETTINGS: ReadonlySet<string> = new Set([
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "search_path",
  "role",
  "work_mem",
  "jit",
  "max_parallel_workers_per_gather",
]);

const KNOWN: readonly string[] = [
  ...["sslmode", "sslrootcert", "connect_timeout", "application_name", "fallback_application_name", "options"],
  ...WITHOUT_EFFECT.keys(),
];
const TLS_HINT = "The options of TLS are sslmode, and sslrootcert for an authority of your own.";

/** Spellings of other clients and sources; separators are ignored. */
const TLS_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ["sslmode", "sslmode"],
  ["sslrootcert", "sslrootcert"],
  ["sslca", "sslrootcert"],
  ["usessl", "ssl"],
]);

function canonicalName(name: string): string {
  const lower = name.toLowerCase();
  return TLS_SPELLINGS.get(lower.replaceAll(/[-_]/g, "")) ?? lower;
}

interface OptionRules {
  readonly overHttps: boolean;
  /** Without `sslmode` and without an authority. */
  readonly defaultTls?: TlsMode;
  /** Names that `options` may set; by default PostgreSQL's. */
  readonly settable?: ReadonlySet<string>;
}

/** Later options win over earlier ones of the same name. Throws `INVALID_CONNECTION`. */
export function readPostgresOptions(
  given: readonly GivenOption[],
  { overHttps, defaultTls = "prefer", settable = SETTINGS }: OptionRules,
): {
  readonly options: PostgresOptions;
  readonly warnings: readonly PlannerWarning[];
} {
  const warnings: PlannerWarning[] = [];
  const byName = new Map(given.map((option) => [canonicalName(option.name), option]));
  let tls: TlsMode | undefined;
  let authority: string | undefined;
  let connectTimeoutMs: number | undefined;
  let applicationName: string | undefined;
  let settings: readonly SessionSetting[] = [];

  for (const [name, { member, name: spelled, value }] of byName) {
    const described = describeOption(spelled);
    const fail: Fail = (problem, hint) => invalidConnection(member, `${described} ${problem}`, hint);
    const refused = REFUSED.get(name);
    if (refused !== undefined) throw fail("is not accepted", refused);
    switch (name) {
      case "sslmode":
        tls = tlsMode(value) ?? raise(fail(`must be one of ${TLS_MODES.join(", ")}`));
        break;
      case "sslrootcert":
        authority = readAuthority(value, fail);
        break;
      case "connect_timeout":
        connectTimeoutMs = milliseconds(value) ?? raise(fail("must be an integer of seconds"));
        break;
      case "application_name":
        applicationName = printable(value) ?? raise(fail("must be 1 to 63 printable ASCII characters"));
        break;
      case "fallback_application_name":
        if (!byName.has("application_name")) applicationName = printable(value);
        break;
      case "options":
        settings = serverSettings(value, settable, fail);
        break;
      default:
        if (name === "ssl" && value.toLowerCase() === "true") {
          // libpq's meaning, for URLs written for JDBC.
          const mode = byName.get("sslmode");
          if (mode === undefined) tls = "require";
          else if (!isEncrypted(tlsMode(mode.value) ?? "disable")) throw fail("is true, which contradicts sslmode");
        } else if (!WITHOUT_EFFECT.get(name)?.includes(value.trim().toLowerCase())) {
          const demand = isLeftToWarn(name, value, overHttps) ? undefined : DEMANDS.get(name);
          if (demand !== undefined) throw fail("asks for more safety than this connection has", demand);
          const isKnown = WITHOUT_EFFECT.has(name) || name === "ssl";
          warnings.push(
            isKnown
              ? { code: "UNKNOWN_OPTION", message: `connectionInfo.${member}: ${described} is not honoured` }
              : unknownOption({ member, name: spelled, value }, KNOWN, TLS_HINT, described),
          );
        }
    }
  }
  const negotiation = byName.get("sslnegotiation");
  // libpq does the same: direct negotiation has no use if encryption is optional.
  if (
    negotiation?.value.trim().toLowerCase() === "direct" &&
    !isEncrypted(tls ?? (authority === undefined ? defaultTls : "verify-full"))
  ) {
    throw invalidConnection(
      negotiation.member,
      "the option sslnegotiation is direct, which needs sslmode=require or more",
    );
  }
  return {
    options: {
      ...withAuthority(tls, authority, defaultTls, (problem, hint) =>
        invalidConnection(byName.get("sslrootcert")?.member ?? "", `the option sslrootcert ${problem}`, hint),
      ),
      // In libpq, 0 means "no limit"; then the deployment's limit applies.
      connectTimeoutMs: connectTimeoutMs === 0 ? undefined : connectTimeoutMs,
      applicationName,
      settings,
    },
    warnings,
  };
}

/** Repeats a name only if it looks like one: a URL that was split in the wrong place may contain parts of a password. */
function describeOption(name: string): string {
  return /^[a-z][a-z_]{0,62}$/i.test(name) ? `the option ${name}` : "one of its options";
}

/** A trusted authority implies that certificates are checked; modes without checks contradict it. */
function withAuthority(
  mode: TlsMode | undefined,
  authority: string | undefined,
  defaultTls: TlsMode,
  fail: Fail,
): Pick<PostgresOptions, "tls" | "certificateAuthority"> {
  if (authority === undefined) return { tls: mode ?? defaultTls, certificateAuthority: undefined };
  const checked = mode ?? "verify-full";
  if (authority === PUBLIC_AUTHORITIES) {
    if (checked !== "verify-full") throw fail("is system, which needs sslmode=verify-full");
    return { tls: checked, certificateAuthority: undefined };
  }
  if (checked === "disable" || checked === "prefer") throw fail("needs sslmode=verify-full or verify-ca");
  // With an authority, require means verify-ca, as in libpq.
  return { tls: checked === "require" ? "verify-ca" : checked, certificateAuthority: authority };
}

function isEncrypted(mode: TlsMode): boolean {
  return mode !== "disable" && mode !== "prefer";
}

const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
const PUBLIC_AUTHORITIES = "system";

function tlsMode(value: string): TlsMode | undefined {
  const mode = TLS_MODES.find((known) => known === value.trim().toLowerCase());
  return mode === "allow" ? "prefer" : mode;
}

/** PEM text, base64 of PEM text, or `system`. */
function readAuthority(value: string, fail: Fail): string {
  if (value === PUBLIC_AUTHORITIES) return value;
  const pem = pemOf(value);
  if (pem === undefined) {
    throw fail("must be a certificate in PEM form, or system", "Paths are not read; send the certificate itself.");
  }
  return pem;
}

function milliseconds(value: string): number | undefined {
  return /^\s*\d{1,6}\s*$/.test(value) ? Number(value) * 1000 : undefined;
}

function printable(value: string): string | undefined {
  return /^[\x20-\x7e]{1,63}$/.test(value) ? value : undefined;
}

/**
 * `-c name=value`, `-cname=value` and `--name=value`, separated by blanks; a backslash escapes the next character, as in the
 * server. Names with a dot are the application's own settings, which row security policies read.
 */
function serverSettings(text: string, settable: ReadonlySet<string>, fail: Fail): SessionSetting[] {
  const words = splitWords(text);
  const settings: SessionSetting[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const assignment = word === "-c" ? words[++i] : (/^(?:-c|--)(.+)$/s.exec(word)?.[1] ?? undefined);
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(assignment ?? "") ?? [];
    if (name === undefined || value === undefined) throw fail("may only hold settings of the form -c name=value");
    const setting = name.toLowerCase().replaceAll("-", "_");
    if (!settable.has(setting) && !/^[a-z_][a-z0-9_$]*(\.[a-z_][a-z0-9_$]*)+$/.test(setting)) {
      throw fail("sets an option that is not accepted", `Accepted: ${[...settable].join(", ")}, and names with a dot.`);
    }
    settings.push({ name: setting, value });
  }
  return settings;
}

function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:\\.|[^\s\\])+/gs)].map(([word]) => word.replaceAll(/\\(.)/gs, "$1"));
}

function raise(error: ConnectorFailure): never {
  throw error;
}

/** Options as `kwargs` that parse back into the same options. */
export function canonicalPostgresOptions(options: PostgresOptions): CanonicalConnection {
  const { tls, certificateAuthority, connectTimeoutMs, applicationName, settings } = options;
  return {
    sslmode: tls,
    ...(certificateAuthority !== undefined && { sslrootcert: certificateAuthority }),
    ...(connectTimeoutMs !== undefined && { connect_timeout: connectTimeoutMs / 1000 }),
    ...(applicationName !== undefined && { application_name: applicationName }),
    ...(settings.length > 0 && {
      options: settings.map(({ name, value }) => `-c ${name}=${value.replaceAll(/[\s\\]/g, "\\$&")}`).join(" "),
    }),
  };
}
