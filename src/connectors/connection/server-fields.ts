/** What connections of servers have in common: a port as number or text, options of any scalar, a URL in place of fields. */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import { invalidConnection } from "./connection.ts";

/** As many clients write it, and not always as text. */
export const portShape = once(() => z.union([z.string(), z.number()]));

/** `kwargs`: options of the driver, by name. */
export const optionsShape = once(() =>
  z.nullish(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
);

/** The member of `connectionInfo` that holds a URL in place of all fields; undefined where none does. */
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
