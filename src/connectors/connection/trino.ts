/** Connection of `trino`: fields or URL, options, and the canonical form (docs/spec/contract.md#connections). */
import * as z from "zod/mini";
import { canonicalHost } from "../../guard/egress.ts";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import type { PlannerWarning, SessionSetting } from "../../planner/plan.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { parseConnectionUrl } from "./connection-url.ts";
import { type GivenOption, memberOfUrl, optionsShape, portNumber, portShape } from "./server-fields.ts";
import { readMembers, takenTls, unknownOption, withUrl, withWarnings } from "./unknown-members.ts";

export interface TrinoConnection {
  readonly source: "trino";
  /** Canonical (`guard/egress.ts`): the checked host is the requested host. */
  readonly host: string;
  readonly port: number;
  /** HTTPS; secrets are sent only over HTTPS. */
  readonly isSecure: boolean;
  readonly catalog: string;
  readonly schema: string;
  readonly user: string;
  readonly password: Secret | undefined;
  /** A JSON Web Token, instead of the password. */
  readonly accessToken: Secret | undefined;
  /** The name of queries on the server. */
  readonly applicationName: string | undefined;
  /** Session properties, by name and in order. */
  readonly settings: readonly SessionSetting[];
}

const fields = once(() =>
  z.object({
    host: z.string(),
    port: z.nullish(portShape()),
    catalog: z.string(),
    schema: z.string(),
    user: z.nullish(z.string()),
    password: z.nullish(z.string()),
    kwargs: optionsShape(),
  }),
);
const url = once(() => z.object({ connectionUrl: z.string(), kwargs: optionsShape() }));

/** The schema of `connectionInfo`, for the API's description. */
export const trinoConnectionShape = once(() => z.union([fields(), url()]));

const TRINO_PORT = 8080;
const HTTPS_PORT = 443;
/** Servers reject requests without a user. */
const NOBODY = "siskin";

/** `https://host:port`: the start of the server's addresses. */
export function originOf({ host, port, isSecure }: Pick<TrinoConnection, "host" | "port" | "isSecure">): string {
  const authority = host.includes(":") ? `[${host}]` : host;
  // The URL parser omits a scheme's default port.
  return new URL(`${isSecure ? "https" : "http"}://${authority}:${port}`).origin;
}

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseTrinoConnection(raw: unknown): ParsedConnection<TrinoConnection> {
  const alias = memberOfUrl(raw);
  if (alias === undefined) {
    const { given, tls, warnings } = readMembers(fields(), raw);
    return withWarnings(
      assemble(given, (field) => field, withTls(given.kwargs, tls)),
      warnings,
    );
  }
  const { given: checked, tls, warnings } = readMembers(url(), withUrl(raw, alias), { overridden: fields() });
  const parts = parseConnectionUrl(checked.connectionUrl, alias);
  if (parts.scheme !== "trino") throw invalidConnection(alias, "must begin with trino://");
  const [catalog = "", schema = "", ...more] = parts.path.split("/");
  if (more.length > 0) throw invalidConnection(alias, "names more than a catalog and a schema");
  const { host, port, user, password } = parts;
  const parsed = assemble(
    { host, port: port ?? null, catalog, schema, user: user ?? null, password: password ?? null },
    () => alias,
    withTls({ ...Object.fromEntries(parts.query), ...checked.kwargs }, tls),
  );
  return withWarnings(parsed, warnings);
}

type Kwargs = z.infer<ReturnType<typeof fields>>["kwargs"];

function withTls(kwargs: Kwargs, tls: readonly GivenOption[]): Kwargs {
  return { ...kwargs, ...takenTls(tls, ["ssl", "httpscheme", "verify", "sslverification"], TLS_HINT) };
}

type Parts = Omit<z.infer<ReturnType<typeof fields>>, "kwargs">;

/** `memberOf` gives the member that a part came from, for messages. */
function assemble(
  parts: Parts,
  memberOf: (field: keyof Parts) => string,
  kwargs: z.infer<ReturnType<typeof fields>>["kwargs"],
): ParsedConnection<TrinoConnection> {
  // Clients write the scheme before the host, because the fields have no member for it.
  const [, scheme, named = ""] = /^(?:(https?):\/\/)?(.*?)\/?$/is.exec(parts.host.trim()) ?? [];
  const host = canonicalHost(named);
  if (host === undefined) {
    throw invalidConnection(memberOf("host"), "names no host", "Give a host name or address, or https:// before it.");
  }
  const isHttps = scheme?.toLowerCase() === "https";
  const port = portNumber(parts.port ?? (isHttps ? HTTPS_PORT : TRINO_PORT), memberOf("port"));
  for (const field of ["catalog", "schema", "user"] as const) {
    const value = parts[field];
    if (field !== "user" && value === "") throw invalidConnection(memberOf(field), `names no ${field}`);
    // The values are sent in headers, for which Trino does not define other characters.
    if (value != null && !/^[\x20-\x7e]*$/.test(value)) {
      throw invalidConnection(memberOf(field), `the ${field} must be of printable ASCII characters`);
    }
  }
  const options = readOptions(kwargs);
  const isSecure = scheme === undefined ? (options.isSecure ?? port === HTTPS_PORT) : isHttps;
  const user = parts.user || NOBODY;
  const password = parts.password ? new Secret(parts.password) : undefined;
  if (password !== undefined && user.includes(":")) {
    throw invalidConnection(memberOf("user"), "the user must not contain a colon: the password would begin behind it");
  }
  const warnings = [...options.warnings];
  if (!isSecure && (password !== undefined || options.accessToken !== undefined)) {
    const message = "connectionInfo.host: neither password nor token is sent to it, since it is asked over plain HTTP";
    warnings.push({ code: "UNKNOWN_OPTION", message });
  }
  const { accessToken, applicationName, settings } = options;
  const { catalog, schema } = parts;
  return {
    info: {
      source: "trino",
      host,
      port,
      isSecure,
      catalog,
      schema,
      user,
      password,
      accessToken,
      applicationName,
      settings,
    },
    warnings,
  };
}

interface Options extends Pick<TrinoConnection, "accessToken" | "applicationName" | "settings"> {
  readonly isSecure: boolean | undefined;
  readonly warnings: readonly PlannerWarning[];
}

const OPTIONS: readonly string[] = ["accessToken", "source", "SSL", "http_scheme", "sessionProperties", "verify"];
const TLS_HINT =
  "Write https:// before the host, or set SSL to true: certificates are then verified, by the public authorities.";

/** Options have the names of Trino's JDBC driver and Python client; case and underscores are ignored. */
function readOptions(kwargs: Readonly<Record<string, string | number | boolean | null>> | null | undefined): Options {
  let accessToken: Secret | undefined;
  let applicationName: string | undefined;
  let isSecure: boolean | undefined;
  let settings: readonly SessionSetting[] = [];
  const warnings: PlannerWarning[] = [];
  for (const [key, given] of Object.entries(kwargs ?? {})) {
    if (given === null) continue;
    const value = String(given);
    const isText = /^[\x20-\x7e]+$/.test(value);
    switch (key.toLowerCase().replaceAll("_", "")) {
      case "accesstoken":
        if (!isText) throw invalidConnection("kwargs", "the option accessToken is not a token");
        accessToken = new Secret(value);
        break;
      case "source":
        if (!isText) throw invalidConnection("kwargs", "the option source must be of printable ASCII characters");
        applicationName = value;
        break;
      case "ssl":
        isSecure = trueOrFalse(value);
        break;
      case "httpscheme":
        if (!/^https?$/i.test(value)) throw invalidConnection("kwargs", "the option http_scheme must be http or https");
        isSecure = value.toLowerCase() === "https";
        break;
      case "verify":
      case "sslverification":
        // Certificates are always verified, including their name.
        if (!/^(?:true|1|full)$/i.test(value)) warnings.push(notHonoured(key));
        break;
      case "sessionproperties":
        settings = sessionProperties(value);
        break;
      default:
        warnings.push(unknownOption({ member: "kwargs", name: key, value }, OPTIONS, TLS_HINT));
    }
  }
  return { accessToken, applicationName, isSecure, settings, warnings };
}

function notHonoured(name: string): PlannerWarning {
  return { code: "UNKNOWN_OPTION", message: `connectionInfo.kwargs: the option ${name} is not honoured` };
}

function trueOrFalse(value: string): boolean {
  if (/^(?:true|1)$/i.test(value)) return true;
  if (/^(?:false|0|)$/i.test(value)) return false;
  throw invalidConnection("kwargs", "the option SSL must be true or false");
}

/** `name:value;catalog.name:value`, as in JDBC. */
function sessionProperties(text: string): SessionSetting[] {
  return text.split(";").map((property) => {
    const [, name, value] = /^([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?):(.*)$/is.exec(property.trim()) ?? [];
    if (name === undefined || value === undefined) {
      throw invalidConnection("kwargs", "the option sessionProperties must be of the form name:value;name:value");
    }
    return { name, value };
  });
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalTrinoConnection(connection: TrinoConnection): CanonicalConnection {
  const { host, port, isSecure, catalog, schema, user, password, accessToken, applicationName, settings } = connection;
  return {
    host: `${isSecure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}`,
    port,
    catalog,
    schema,
    user,
    ...(password !== undefined && { password: password.reveal() }),
    kwargs: {
      ...(accessToken !== undefined && { accessToken: accessToken.reveal() }),
      ...(applicationName !== undefined && { source: applicationName }),
      ...(settings.length > 0 && {
        sessionProperties: settings.map(({ name, value }) => `${name}:${value}`).join(";"),
      }),
    },
  };
}
