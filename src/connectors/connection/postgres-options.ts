/**
 * The options of a PostgreSQL connection, from the URL's query and from `kwargs`: which are honoured, which are refused
 * because they could move the connection elsewhere, and everything else, which is reported (decisions C7).
 */
import type { PlannerWarning, SessionSetting } from "../../planner/plan.ts";
import type { ConnectorFailure } from "../failure.ts";
import { invalidConnection } from "./connection.ts";

/** `allow` is read as `prefer`: encrypted where the server can, which is what it permits and never less safe. */
export type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full";

export interface PostgresOptions {
  readonly tls: TlsMode;
  /** PEM of the only authority to trust. */
  readonly certificateAuthority: string | undefined;
  readonly connectTimeoutMs: number | undefined;
  readonly applicationName: string | undefined;
  /** From `options=-c name=value …`, in order. */
  readonly settings: readonly SessionSetting[];
}

/** One option as it came: the member of `connectionInfo` that holds it, for messages; the name in lower case. */
export interface GivenOption {
  readonly member: string;
  readonly name: string;
  readonly value: string;
}

type Fail = (problem: string, hint?: string) => ConnectorFailure;

/** These name a host, a user, a database or a file of this process, or change the protocol. */
const REFUSED: ReadonlySet<string> = new Set([
  "host",
  "hostaddr",
  "port",
  "dbname",
  "database",
  "user",
  "password",
  "passfile",
  "service",
  "servicefile",
  "sslcert",
  "sslkey",
  "sslpassword",
  "sslcrl",
  "sslcrldir",
  "sslkeylogfile",
  "requirepeer",
  "replication",
  "load_balance_hosts",
]);

/** libpq's defaults, or what we do anyway: nothing is lost by not acting on them. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ["client_encoding", ["utf8", "utf-8", "auto"]],
  ["target_session_attrs", ["any"]],
  ["gssencmode", ["disable", "prefer"]],
  ["sslcompression", ["0"]],
  ["sslsni", ["1"]],
  ["sslnegotiation", ["postgres"]],
  ["channel_binding", ["disable", "prefer"]],
]);

/** Server settings that change how long, under which role or where by default a statement runs, never where it connects. */
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

/** Later options win over earlier ones of the same name. Throws `INVALID_CONNECTION`. */
export function readPostgresOptions(given: readonly GivenOption[]): {
  readonly options: PostgresOptions;
  readonly warnings: readonly PlannerWarning[];
} {
  const warnings: PlannerWarning[] = [];
  const byName = new Map(given.map((option) => [option.name, option]));
  let tls: TlsMode | undefined;
  let authority: string | undefined;
  let connectTimeoutMs: number | undefined;
  let applicationName: string | undefined;
  let settings: readonly SessionSetting[] = [];

  for (const { member, name, value } of byName.values()) {
    const described = describeOption(name);
    const fail: Fail = (problem, hint) => invalidConnection(member, `${described} ${problem}`, hint);
    if (REFUSED.has(name)) {
      throw fail("is not accepted", "Host, port, user, password and database have members of their own.");
    }
    switch (name) {
      case "sslmode":
        tls = tlsMode(value) ?? raise(fail(`must be one of ${TLS_MODES.join(", ")}`));
        break;
      case "sslrootcert":
        authority = readAuthority(value, fail);
        break;
      case "connect_timeout":
        connectTimeoutMs = milliseconds(value) ?? raise(fail("must be a whole number of seconds"));
        break;
      case "application_name":
        applicationName = printable(value) ?? raise(fail("must be 1 to 63 printable ASCII characters"));
        break;
      case "fallback_application_name":
        if (!byName.has("application_name")) applicationName = printable(value);
        break;
      case "options":
        settings = serverSettings(value, fail);
        break;
      default:
        if (name === "ssl" && value.toLowerCase() === "true") {
          // As libpq reads it, for URLs written for JDBC.
          if (!byName.has("sslmode")) tls = "require";
        } else if (!WITHOUT_EFFECT.get(name)?.includes(value.toLowerCase())) {
          warnings.push({ code: "UNKNOWN_OPTION", message: `connectionInfo.${member}: ${described} is not honoured` });
        }
    }
  }
  return {
    options: {
      ...withAuthority(tls, authority, (problem, hint) =>
        invalidConnection(byName.get("sslrootcert")?.member ?? "", `the option sslrootcert ${problem}`, hint),
      ),
      // libpq: 0 is "no limit of mine", and then the deployment's holds.
      connectTimeoutMs: connectTimeoutMs === 0 ? undefined : connectTimeoutMs,
      applicationName,
      settings,
    },
    warnings,
  };
}

/** Names are repeated only when they look like one: a URL split in the wrong place puts parts of a password there. */
function describeOption(name: string): string {
  return /^[a-z][a-z_]{0,62}$/.test(name) ? `the option ${name}` : "one of its options";
}

/** An authority to trust says that certificates are to be checked; modes that do not check them contradict it. */
function withAuthority(
  mode: TlsMode | undefined,
  authority: string | undefined,
  fail: Fail,
): Pick<PostgresOptions, "tls" | "certificateAuthority"> {
  if (authority === undefined) return { tls: mode ?? "prefer", certificateAuthority: undefined };
  const checked = mode ?? "verify-full";
  if (authority === PUBLIC_AUTHORITIES) {
    if (checked !== "verify-full") throw fail("is system, which needs sslmode=verify-full");
    return { tls: checked, certificateAuthority: undefined };
  }
  if (checked === "disable" || checked === "prefer") throw fail("needs sslmode=verify-full or verify-ca");
  // As libpq: with an authority given, require means verify-ca.
  return { tls: checked === "require" ? "verify-ca" : checked, certificateAuthority: authority };
}

const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
const PUBLIC_AUTHORITIES = "system";

function tlsMode(value: string): TlsMode | undefined {
  const mode = TLS_MODES.find((known) => known === value.trim().toLowerCase());
  return mode === "allow" ? "prefer" : mode;
}

/** PEM text, base64 of PEM text, or `system`. A path would read a file of this process for the caller. */
function readAuthority(value: string, fail: Fail): string {
  if (value === PUBLIC_AUTHORITIES) return value;
  const pem = isPem(value) ? value : decodeBase64(value);
  if (pem === undefined || !isPem(pem)) {
    throw fail("must be a certificate in PEM form, or system", "Paths are not read; send the certificate itself.");
  }
  return pem;
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN CERTIFICATE-----");
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replaceAll(/\s/g, ""));
  } catch {
    return undefined;
  }
}

function milliseconds(value: string): number | undefined {
  return /^\s*\d{1,6}\s*$/.test(value) ? Number(value) * 1000 : undefined;
}

function printable(value: string): string | undefined {
  return /^[\x20-\x7e]{1,63}$/.test(value) ? value : undefined;
}

/**
 * `-c name=value`, `-cname=value` and `--name=value`, separated by blanks; a backslash escapes the next character, as in
 * the server. Names with a dot are the application's own settings (row security policies read them).
 */
function serverSettings(text: string, fail: Fail): SessionSetting[] {
  const words = splitWords(text);
  const settings: SessionSetting[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const assignment = word === "-c" ? words[++i] : (/^(?:-c|--)(.+)$/s.exec(word)?.[1] ?? undefined);
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(assignment ?? "") ?? [];
    if (name === undefined || value === undefined) throw fail("may only hold settings of the form -c name=value");
    const setting = name.toLowerCase().replaceAll("-", "_");
    if (!SETTINGS.has(setting) && !/^[a-z_][a-z0-9_$]*(\.[a-z_][a-z0-9_$]*)+$/.test(setting)) {
      throw fail(
        "sets something that is not accepted here",
        `Accepted: ${[...SETTINGS].join(", ")}, and names with a dot.`,
      );
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
