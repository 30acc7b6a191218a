/**
 * Parses an Oracle `dsn`: an Easy Connect string, or a connect descriptor with one address. It refuses names that must be looked
 * up in a file (tnsnames.ora), a directory or a configuration store. So the dialled address is known in advance, and no file of
 * this process is read. https://docs.oracle.com/en/database/oracle/oracle-database/19/netag/configuring-naming-methods.html
 */
import type { ConnectorFailure } from "../failure.ts";
import { invalidConnection } from "./connection.ts";
import { nameAndValue } from "./connection-url.ts";
import type { GivenOption } from "./server-fields.ts";

/** The database that a listener connects to. */
export interface OracleDatabase {
  readonly by: "service" | "sid";
  readonly name: string;
  readonly instance: string | undefined;
}

export interface OracleDsn {
  readonly host: string;
  readonly port: string | undefined;
  readonly database: OracleDatabase;
  readonly options: readonly GivenOption[];
}

const LONGEST = 8192;
const FORM = "Write host:port/service_name.";

const fail = (problem: string, hint: string = FORM): ConnectorFailure => invalidConnection("dsn", problem, hint);

const option = (name: string, value: string): GivenOption => ({ member: "dsn", name: name.toLowerCase(), value });

/** Throws `INVALID_CONNECTION`, whose message repeats no part of it. */
export function readOracleDsn(dsn: string): OracleDsn {
  const text = dsn.trim();
  if (text.length > LONGEST) throw fail("is too long");
  if (text.startsWith("(")) return readDescriptor(text);
  if (/^(?:config-|ldaps?:)/i.test(text)) throw fail("leads to a store of configurations or a directory");
  if (!/[:/]/.test(text)) throw fail("names an entry of tnsnames.ora, and files of this process are not read");
  return readEasyConnect(text);
}

/** `[tcp[s]:][//]host[:port]/[service][:server][/instance][?name=value&…]` */
function readEasyConnect(text: string): OracleDsn {
  const question = text.indexOf("?");
  const place = question < 0 ? text : text.slice(0, question);
  const [, protocol, authority = "", path = ""] = /^(?:([a-z]+):)?(?:\/\/)?([^/]*)(?:\/(.*))?$/is.exec(place) ?? [];
  const hasProtocol = protocol !== undefined && /^[a-z]+:\/\//i.test(place);
  // `db:1521/x`: the text before the colon is a host, unless `//` follows.
  const server = hasProtocol || protocol === undefined ? authority : `${protocol}:${authority}`;
  if (/[,;]/.test(server)) throw fail("names several hosts", "Give one host, or the name of the whole cluster (SCAN).");
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(server) ?? [];
  if (host === "") throw fail("names no host");
  const [, service = "", kind, instance] = /^([^:/]*)(?::([^/]*))?(?:\/(.*))?$/s.exec(path) ?? [];
  if (service === "") throw fail("names no service");
  const query = question < 0 ? [] : text.slice(question + 1).split("&");
  return {
    host,
    port: port === "" ? undefined : port,
    database: { by: "service", name: service, instance: instance || undefined },
    options: [
      ...(hasProtocol ? [option("protocol", protocol)] : []),
      ...(kind ? [option("server", kind)] : []),
      ...query
        .filter((pair) => pair !== "")
        .map((pair) => {
          const [name, value] = nameAndValue(pair);
          return option(name.trim(), value.trim().replace(/^"(.*)"$/s, "$1"));
        }),
    ],
  };
}

/** A name with a text, or with a list of pairs. */
interface Pair {
  readonly name: string;
  readonly value: string | readonly Pair[];
}

/** Members around the one address that is dialled. */
const LISTS: ReadonlySet<string> = new Set(["description", "description_list", "address_list", "security"]);

function readDescriptor(text: string): OracleDsn {
  const found = { host: "", port: "", service: "", sid: "", instance: "" };
  const options: GivenOption[] = [];
  let addresses = 0;
  const walk = ({ name, value }: Pair): void => {
    if (typeof value === "string") {
      options.push(option(name, value));
      return;
    }
    if (name === "address") addresses++;
    if (addresses > 1) throw fail("names several addresses", "Give one host, or the name of the whole cluster (SCAN).");
    if (name !== "address" && name !== "connect_data" && !LISTS.has(name)) throw fail(`has an unknown part`);
    for (const inner of value) {
      const known =
        name === "address" ? OF_ADDRESS.get(inner.name) : name === "connect_data" ? OF_DATA.get(inner.name) : undefined;
      if (known === undefined || typeof inner.value !== "string") walk(inner);
      else if (found[known] !== "") throw fail("says something twice");
      else found[known] = inner.value;
    }
  };
  walk(parsePairs(text));
  const { host, port, service, sid, instance } = found;
  if (host === "") throw fail("names no host");
  if (service !== "" && sid !== "") throw fail("names a service and a SID");
  if (service === "" && sid === "") throw fail("names no service");
  const by = sid === "" ? "service" : "sid";
  return {
    host,
    port: port === "" ? undefined : port,
    database: { by, name: sid === "" ? service : sid, instance: instance || undefined },
    options,
  };
}

const OF_ADDRESS: ReadonlyMap<string, "host" | "port"> = new Map([
  ["host", "host"],
  ["port", "port"],
]);
const OF_DATA: ReadonlyMap<string, "service" | "sid" | "instance"> = new Map([
  ["service_name", "service"],
  ["sid", "sid"],
  ["instance_name", "instance"],
]);

const DEEPEST = 8;

/** `(name=text)` or `(name=(…)(…))`, with optional spaces. */
function parsePairs(text: string): Pair {
  const wrong = () => fail("is no connect descriptor");
  let at = 0;
  const skip = (): void => {
    while (/\s/.test(text[at] ?? "")) at++;
  };
  const take = (sign: string): void => {
    skip();
    if (text[at] !== sign) throw wrong();
    at++;
    skip();
  };
  const pair = (depth: number): Pair => {
    if (depth > DEEPEST) throw wrong();
    take("(");
    const name = /^[\w.]+/.exec(text.slice(at, at + 64))?.[0] ?? "";
    if (name === "") throw wrong();
    at += name.length;
    take("=");
    let value: string | Pair[];
    if (text[at] === "(") {
      value = [];
      while (text[at] === "(") {
        value.push(pair(depth + 1));
        skip();
      }
    } else {
      const [whole = "", quoted, bare = ""] = /^(?:"([^"]*)"|([^()"=]*))/.exec(text.slice(at)) ?? [];
      at += whole.length;
      value = (quoted ?? bare).trim();
    }
    take(")");
    return { name: name.toLowerCase(), value };
  };
  const root = pair(0);
  if (at < text.length) throw wrong();
  return root;
}
