/**
 * Runs statements that change tables, which the service's connectors refuse. It has a client for the protocols below; elsewhere the
 * owner of the account runs what `--tables` prints.
 */
import { createConnection } from "mysql2/promise";
import pg from "pg";
import type { ConnectionInfo } from "../../../src/connectors/connection/connection-info.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import type { Secret } from "../../../src/guard/secret.ts";
import type { Account } from "../../parity/own/account.ts";

export interface Writer {
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Undefined for sources without a client here. */
export async function openWriter({ source, connection }: Account): Promise<Writer | undefined> {
  const { info } = parseConnection(source, connection);
  switch (info.source) {
    case "postgres":
      return await postgresWriter(info);
    case "mysql":
    case "doris":
      return await mysqlWriter(info);
    case "clickhouse":
      return clickHouseWriter(info);
    case "trino":
      return trinoWriter(info);
    default:
      return undefined;
  }
}

type InfoOf<S extends ConnectionInfo["source"]> = Extract<ConnectionInfo, { source: S }>;

const textOf = (secret: Secret | undefined): string => secret?.reveal() ?? "";

const basic = (user: string, password: Secret | undefined): string =>
  `Basic ${Buffer.from(`${user}:${textOf(password)}`).toString("base64")}`;

/** The client's trust in the server, as strict as the connection's TLS mode. */
function trustOf(authority: string | undefined, verifies: boolean): { ca?: string; rejectUnauthorized: boolean } {
  return { ...(authority !== undefined && { ca: authority }), rejectUnauthorized: verifies };
}

async function postgresWriter(info: InfoOf<"postgres">): Promise<Writer> {
  const { host, port, user, database, tls, certificateAuthority, password } = info;
  const ssl = tls === "disable" ? false : trustOf(certificateAuthority, tls !== "require");
  const client = new pg.Client({ host, port, user, database, password: textOf(password), ssl });
  await client.connect();
  return { run: async (sql) => void (await client.query(sql)), close: () => client.end() };
}

async function mysqlWriter(info: InfoOf<"mysql" | "doris">): Promise<Writer> {
  const { host, port, user, database, tls, certificateAuthority, password } = info;
  const ssl = tls === "disable" ? {} : { ssl: trustOf(certificateAuthority, tls !== "require") };
  const client = await createConnection({ host, port, user, database, password: textOf(password), ...ssl });
  return { run: async (sql) => void (await client.query(sql)), close: () => client.end() };
}

function clickHouseWriter({ isSecure, host, port, database, user, password }: InfoOf<"clickhouse">): Writer {
  const url = new URL(`${isSecure ? "https" : "http"}://${host}:${port}/`);
  url.searchParams.set("database", database);
  const headers = { authorization: basic(user, password) };
  const run = async (body: string): Promise<void> => {
    const response = await fetch(url, { method: "POST", headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  };
  return { run, close: () => Promise.resolve() };
}

interface TrinoAnswer {
  readonly nextUri?: string;
  readonly error?: { readonly message: string };
}

function trinoWriter({ isSecure, host, port, catalog, schema, user, password }: InfoOf<"trino">): Writer {
  const login = password && { authorization: basic(user, password) };
  const headers = { "x-trino-user": user, "x-trino-catalog": catalog, "x-trino-schema": schema, ...login };
  const run = async (body: string): Promise<void> => {
    let response = await fetch(`${isSecure ? "https" : "http"}://${host}:${port}/v1/statement`, {
      method: "POST",
      headers,
      body,
    });
    for (;;) {
      const { nextUri, error } = (await response.json()) as TrinoAnswer;
      if (error !== undefined) throw new Error(error.message);
      if (nextUri === undefined) return;
      response = await fetch(nextUri, { headers });
    }
  };
  return { run, close: () => Promise.resolve() };
}
