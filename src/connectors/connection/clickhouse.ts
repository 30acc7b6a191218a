/**
 * Connection of `clickhouse`: fields or URL, settings, options, and the canonical form (docs/spec/contract.md#connections).
 */
import * as z from "zod/mini";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import type { PlannerWarning, SessionSetting } from "../../planner/plan.ts";
import { isHonoured, valueForAll } from "../clickhouse/settings.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";
import { checkedServer, type GivenOption, memberOfUrl, optionsShape, portShape } from "./server-fields.ts";
import { readMembers, takenTls, unknownOption, withUrl, withWarnings } from "./unknown-members.ts";

export interface ClickHouseConnection {
  readonly source: "clickhouse";
  /** Canonical (`guard/egress.ts`): the checked host is the requested host. */
  readonly host: string;
  /** Port of the HTTP interface. */
  readonly port: number;
  readonly isSecure: boolean;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
  /** A JSON Web Token of ClickHouse Cloud, instead of user and password; only over HTTPS. */
  readonly accessToken: Secret | undefined;
  /** The name of requests on the server. */
  readonly applicationName: string | undefined;
  /** Supported settings, by name. */
  readonly settings: readonly SessionSetting[];
}

const scalar = once(() => z.union([z.string(), z.number(), z.boolean(), z.null()]));
const settingsShape = once(() => z.nullish(z.record(z.string(), scalar())));

const fields = once(() =>
  z.object({
    host: z.string(),
    port: portShape(),
    database: z.string(),
    user: z.string(),
    password: z.nullish(z.string()),
    secure: z.nullish(z.union([z.boolean(), z.string(), z.number()])),
    settings: settingsShape(),
    kwargs: optionsShape(),
  }),
);
const url = once(() => z.object({ connectionUrl: z.string(), settings: settingsShape(), kwargs: optionsShape() }));

/** The schema of `connectionInfo`, for the API's description. */
export const clickHouseConnectionShape = once(() => z.union([fields(), url()]));

const HTTP_PORT = 8123;
const SECURE_PORT = 8443;
const HTTPS_PORT = 443;
/** The server's name of the default database and user. */
const DEFAULT = "default";

/** `https://host:port`: the start of the server's addresses. */
export function originOf({ host, port, isSecure }: Pick<ClickHouseConnection, "host" | "port" | "isSecure">): string {
  const authority = host.includes(":") ? `[${host}]` : host;
  // The URL parser omits a scheme's default port.
  return new URL(`${isSecure ? "https" : "http"}://${authority}:${port}`).origin;
}

type Scalars = z.infer<ReturnType<typeof settingsShape>>;
type Parts = Omit<z.infer<ReturnType<typeof fields>>, "kwargs" | "settings" | "port"> & {
  readonly port: string | number | undefined;
};

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseClickHouseConnection(raw: unknown): ParsedConnection<ClickHouseConnection> {
  const alias = memberOfUrl(raw);
  if (alias === undefined) {
    const { given: read, tls, warnings } = readMembers(fields(), raw);
    const { settings, kwargs, ...given } = read;
    return withWarnings(
      assemble(given, (field) => field, settings, withTls(kwargs, tls)),
      warnings,
    );
  }
  const { given: checked, tls, warnings } = readMembers(url(), withUrl(raw, alias), { overridden: fields() });
  const parts = parseConnectionUrl(checked.connectionUrl, alias);
  if (parts.scheme !== "clickhouse") throw invalidConnection(alias, "must begin with clickhouse://");
  if (parts.path.includes("/")) throw invalidConnection(alias, "names more than a database");
  const { secure, ...query } = Object.fromEntries(parts.query);
  const { host, port, path, user, password } = parts;
  const named = { host, port, database: path || DEFAULT, user: user || DEFAULT, password, secure };
  const options = withTls({ ...query, ...checked.kwargs }, tls);
  return withWarnings(
    assemble(named, () => alias, checked.settings, options),
    warnings,
  );
}

function withTls(kwargs: Scalars, tls: readonly GivenOption[]): Scalars {
  return { ...kwargs, ...takenTls(tls, ["verify"], TLS_HINT) };
}

/** `memberOf` gives the member that a part came from, for messages. */
function assemble(
  parts: Parts,
  memberOf: (field: keyof Parts) => string,
  settings: Scalars,
  kwargs: Scalars,
): ParsedConnection<ClickHouseConnection> {
  // The console of ClickHouse Cloud shows hosts with a scheme.
  const [, scheme, named = ""] = /^(?:(https?):\/\/)?(.*?)\/?$/is.exec(parts.host.trim()) ?? [];
  const options = readOptions(kwargs);
  const { database, user, password } = parts;
  const asked =
    parts.secure == null
      ? (scheme && /^https$/i.test(scheme)) || options.isSecure
      : isTrue(parts.secure, memberOf("secure"));
  const port = parts.port ?? (asked === true || isCloud(named) ? SECURE_PORT : HTTP_PORT);
  const isSecure = asked ?? (isCloud(named) || [SECURE_PORT, HTTPS_PORT].includes(Number(port)));
  const server = checkedServer({ host: named, port, database, user, password }, memberOf, "paths");
  if (password && user.includes(":")) {
    throw invalidConnection(memberOf("user"), "the user must not contain a colon: the password would begin behind it");
  }
  if (options.accessToken !== undefined && !isSecure) {
    throw invalidConnection("kwargs", "the option access_token is sent over HTTPS alone", "Set secure to true.");
  }
  const read = readSettings(settings);
  const { accessToken, applicationName } = options;
  return {
    info: {
      source: "clickhouse",
      ...server,
      isSecure,
      database,
      user,
      password: password ? new Secret(password) : undefined,
      accessToken,
      applicationName,
      settings: read.settings,
    },
    warnings: [...options.warnings, ...read.warnings],
  };
}

/** The servers of ClickHouse Cloud accept only TLS. */
function isCloud(host: string): boolean {
  return /\.clickhouse\.cloud$/i.test(host);
}

function isTrue(value: string | number | boolean, member: string): boolean {
  const text = String(value).toLowerCase();
  if (["true", "1"].includes(text)) return true;
  if (["false", "0", ""].includes(text)) return false;
  throw invalidConnection(member, "secure must be true or false");
}

interface Options extends Pick<ClickHouseConnection, "accessToken" | "applicationName"> {
  readonly isSecure: boolean | undefined;
  readonly warnings: readonly PlannerWarning[];
}

/** Each option would send the request to another host than the checked one. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...["host", "hostname", "port", "httpproxy", "httpsproxy", "serverhostname", "proxypath", "dsn"],
]);

const OPTIONS: readonly string[] = ["access_token", "client_name", "secure", "interface", "verify"];
const TLS_HINT = "Set secure to true: certificates are then verified, by the public authorities.";

const isVerified = (value: string): boolean => ["true", "1", "yes"].includes(value.toLowerCase());

/** Options have the names of `clickhouse-connect`; case and underscores are ignored. */
function readOptions(kwargs: Scalars): Options {
  let accessToken: Secret | undefined;
  let applicationName: string | undefined;
  let isSecure: boolean | undefined;
  const warnings: PlannerWarning[] = [];
  for (const [key, given] of Object.entries(kwargs ?? {})) {
    if (given === null) continue;
    const value = String(given);
    const isText = /^[\x20-\x7e]+$/.test(value);
    const name = key.toLowerCase().replaceAll("_", "");
    if (ELSEWHERE.has(name)) throw invalidConnection("kwargs", "one of its options names another host");
    switch (name) {
      case "accesstoken":
        if (!isText) throw invalidConnection("kwargs", "the option access_token is not a token");
        accessToken = new Secret(value);
        break;
      case "clientname":
        if (!isText) throw invalidConnection("kwargs", "the option client_name must be of printable ASCII characters");
        applicationName = value;
        break;
      case "secure":
        isSecure = isTrue(value, "kwargs");
        break;
      case "interface":
        if (!/^https?$/i.test(value)) throw invalidConnection("kwargs", "the option interface must be http or https");
        isSecure = value.toLowerCase() === "https";
        break;
      case "verify":
        // Certificates are always verified.
        if (!isVerified(value)) warnings.push(notHonoured("kwargs", "option", key));
        break;
      default:
        warnings.push(unknownOption({ member: "kwargs", name: key, value }, OPTIONS, TLS_HINT));
    }
  }
  return { accessToken, applicationName, isSecure, warnings };
}

/** Repeats a name only if it looks like one: a URL that was split in the wrong place may contain parts of a password. */
function notHonoured(member: string, what: string, name: string): PlannerWarning {
  const described = /^[A-Za-z][A-Za-z_0-9]{0,62}$/.test(name) ? `the ${what} ${name}` : `one of its ${what}s`;
  return { code: "UNKNOWN_OPTION", message: `connectionInfo.${member}: ${described} is not honoured` };
}

function readSettings(given: Scalars): Pick<ClickHouseConnection, "settings"> & Pick<Options, "warnings"> {
  const settings: SessionSetting[] = [];
  const warnings: PlannerWarning[] = [];
  for (const [name, scalar] of Object.entries(given ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (scalar === null) continue;
    const value = typeof scalar === "boolean" ? String(Number(scalar)) : String(scalar);
    const ours = valueForAll(name);
    if (ours !== undefined && ours !== value) {
      throw invalidConnection("settings", `the setting ${name} is ${ours} for every statement, and cannot be another`);
    }
    if (isHonoured(name) && !/[\0\r\n]/.test(value)) settings.push({ name, value });
    else if (ours === undefined) warnings.push(notHonoured("settings", "setting", name));
  }
  return { settings, warnings };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalClickHouseConnection(connection: ClickHouseConnection): CanonicalConnection {
  const { host, port, isSecure, database, user, password, accessToken, applicationName, settings } = connection;
  return {
    host,
    port,
    secure: isSecure,
    database,
    user,
    ...(password !== undefined && { password: password.reveal() }),
    settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    kwargs: {
      ...(accessToken !== undefined && { access_token: accessToken.reveal() }),
      ...(applicationName !== undefined && { client_name: applicationName }),
    },
  };
}
