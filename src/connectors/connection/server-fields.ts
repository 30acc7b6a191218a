/** Shared by connections to servers: a port as number or text, options of any scalar type, a URL in place of fields. */
import * as z from "zod/mini";
import { canonicalHost } from "../../guard/egress.ts";
import { once } from "../../once.ts";
import { invalidConnection } from "./connection.ts";

/** Clients send the port as text or as a number. */
export const portShape = once(() => z.union([z.string(), z.number()]));

/** `kwargs`: options of the driver, by name. */
export const optionsShape = once(() =>
  z.nullish(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
);

/** The member of `connectionInfo` that holds a URL in place of all fields; undefined if there is none. */
export function memberOfUrl(raw: unknown): "connectionUrl" | "connection_url" | undefined {
  const members = raw as Record<string, unknown> | null | undefined;
  return (["connectionUrl", "connection_url"] as const).find((name) => members?.[name] != null);
}

/** From 1 to 65535. Throws `INVALID_CONNECTION`. */
export function portNumber(port: string | number, member: string): number {
  const text = String(port).trim();
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 65_535) return value;
  throw invalidConnection(member, "the port must be a number from 1 to 65535");
}

/** Server and login, from fields or a URL. */
export interface ServerParts {
  readonly host: string;
  readonly port: string | number;
  readonly database: string;
  readonly user: string;
  readonly password?: string | null | undefined;
}

/**
 * The canonical host and the port, if a protocol can send all parts. `memberOf` gives the member that a part came from. `local`
 * names the alternatives to a host that clients of the source accept. Throws INVALID_CONNECTION.
 */
export function checkedServer(
  parts: ServerParts,
  memberOf: (field: keyof ServerParts) => string,
  local: string,
): { readonly host: string; readonly port: number } {
  for (const field of ["database", "user", "password"] as const) {
    const value = parts[field];
    // The protocol ends strings at NUL: the rest would be read as another field.
    if (value?.includes("\0")) throw invalidConnection(memberOf(field), "must not contain a NUL character");
    if (value === "" && field !== "password") throw invalidConnection(memberOf(field), "must not be empty");
  }
  const host = canonicalHost(parts.host.trim());
  if (host === undefined) {
    throw invalidConnection(
      memberOf("host"),
      "names no host that can be dialled",
      `Give one host name or address; ${local} and lists of hosts are not accepted.`,
    );
  }
  return { host, port: portNumber(parts.port, memberOf("port")) };
}

/** One option as received: the member of `connectionInfo` that holds it, for messages, and the name for lookups. */
export interface GivenOption {
  readonly member: string;
  readonly name: string;
  readonly value: string;
}

/** The options in `kwargs`, without those that are null. */
export function optionsOf(given: z.infer<ReturnType<typeof optionsShape>>): GivenOption[] {
  return Object.entries(given ?? {}).flatMap(([key, value]) =>
    value === null ? [] : [{ member: "kwargs", name: key.toLowerCase(), value: String(value) }],
  );
}
