/**
 * The options of an Oracle connection, from a dsn, a URL's query and `kwargs`, in the names of Easy Connect and descriptors. Some
 * are supported. Some are refused, because they could redirect the connection, read files or change the user. All others are
 * reported as warnings (docs/decisions/0029-nothing-unknown-is-silent.md,
 * docs/decisions/0013-differences-from-the-specification.md).
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/netrf/local-naming-parameters-in-tns-ora-file.html
 */
import type { PlannerWarning } from "../../planner/plan.ts";
import { invalidConnection } from "./connection.ts";
import type { GivenOption } from "./server-fields.ts";
import { unknownOption } from "./unknown-members.ts";

export interface OracleOptions {
  /** TLS from the first byte (`tcps`). */
  readonly isEncrypted: boolean;
  /** Over TLS: the certificate must match the host. Its chain is always verified. */
  readonly matchesName: boolean;
  /** The expected distinguished name of the certificate, if it is not for the host. */
  readonly certificateDn: string | undefined;
  readonly connectTimeoutMs: number | undefined;
}

const NO_FILES = "Files of this process are not read. Give the sidecar the authority by NODE_EXTRA_CA_CERTS.";
const BY_PASSWORD = "Logins are by user and password; leave it out.";
const ONE_HOST = "One server is reached, at the host of the connection; leave it out.";
const MEMBERS = "Host, port, user, password and database have members of their own.";

const REFUSED: ReadonlyMap<string, string> = new Map([
  ...["wallet_location", "my_wallet_directory", "wallet_password", "wallet_content", "config_dir", "tns_admin"].map(
    (name) => [name, NO_FILES] as const,
  ),
  ...["https_proxy", "https_proxy_port", "source_route", "dsn", "connect_string"].map(
    (name) => [name, ONE_HOST] as const,
  ),
  ...["token_auth", "token_location", "access_token", "externalauth", "privilege", "mode"].map(
    (name) => [name, BY_PASSWORD] as const,
  ),
  ...["host", "port", "user", "password", "database", "service_name", "sid", "instance_name"].map(
    (name) => [name, MEMBERS] as const,
  ),
]);

const YES: readonly string[] = ["yes", "on", "true", "1"];
const NO: readonly string[] = ["no", "off", "false", "0"];

/** Values that request the existing behaviour. */
const WITHOUT_EFFECT: ReadonlyMap<string, readonly string[]> = new Map([
  ["server", ["dedicated", "shared"]],
  ["wallet_location", ["system"]],
  ["load_balance", [...YES, ...NO]],
  ["failover", [...YES, ...NO]],
  ["retry_count", ["0"]],
]);

const KNOWN: readonly string[] = [
  ...[
    "protocol",
    "server",
    "ssl_server_dn_match",
    "ssl_server_cert_dn",
    "connect_timeout",
    "transport_connect_timeout",
  ],
];
const TLS_HINT = "TLS is the protocol tcps of the dsn; its options are ssl_server_dn_match and ssl_server_cert_dn.";

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, "": 1000, sec: 1000, min: 60_000, hr: 3_600_000 };

/** Later options win. Throws `INVALID_CONNECTION` for refused options. */
export function readOracleOptions(given: readonly GivenOption[]): {
  readonly options: OracleOptions;
  readonly warnings: readonly PlannerWarning[];
} {
  const warnings: PlannerWarning[] = [];
  let isEncrypted = false;
  let matchesName = true;
  let certificateDn: string | undefined;
  let connectTimeoutMs: number | undefined;
  for (const { member, name: spelled, value } of given) {
    const name = spelled.toLowerCase();
    const described = /^\w{1,40}$/.test(spelled) ? `the option ${spelled}` : "an option";
    const fail = (problem: string, hint?: string) => invalidConnection(member, `${described} ${problem}`, hint);
    const plain = value.trim().toLowerCase();
    if (WITHOUT_EFFECT.get(name)?.includes(plain)) continue;
    const refused = REFUSED.get(name);
    if (refused !== undefined) throw fail("is not accepted", refused);
    switch (name) {
      case "protocol":
        if (plain !== "tcp" && plain !== "tcps") throw fail("must be tcp or tcps");
        isEncrypted = plain === "tcps";
        break;
      case "server":
        throw fail(
          "must be dedicated or shared",
          "Sessions of the server's own pool are not reset as they have to be.",
        );
      case "ssl_server_dn_match":
        matchesName = YES.includes(plain);
        if (!matchesName && !NO.includes(plain)) throw fail("must be yes or no");
        break;
      case "ssl_server_cert_dn":
        if (!/^[^\n\r"()]{1,1024}$/.test(value)) throw fail("must be a distinguished name");
        certificateDn = value.trim();
        break;
      case "connect_timeout":
      case "transport_connect_timeout":
      case "tcp_connect_timeout": {
        const [, count, unit = ""] = /^(\d{1,8})\s*(ms|sec|min|hr)?$/.exec(plain) ?? [];
        if (count === undefined) throw fail("must be a number of seconds");
        connectTimeoutMs = Number(count) * (MILLISECONDS[unit] ?? 1) || undefined;
        break;
      }
      default:
        warnings.push(unknownOption({ member, name: spelled, value }, KNOWN, TLS_HINT, described));
    }
  }
  if (certificateDn !== undefined && !matchesName) {
    throw invalidConnection("kwargs", "ssl_server_cert_dn and ssl_server_dn_match contradict each other");
  }
  return { options: { isEncrypted, matchesName, certificateDn, connectTimeoutMs }, warnings };
}
