/**
 * Snowflake by its SQL API: a statement is sent and polled until it has ended, and its rows are fetched in partitions
 * (https://docs.snowflake.com/developer-guide/sql-api/intro). Every request contains the settings of a session.
 */
import type { Secret } from "../../guard/secret.ts";
import { hostOf, type KeyPairLogin, type SnowflakeConnection, type TokenLogin } from "../connection/snowflake.ts";
import { ConnectorFailure } from "../failure.ts";
import { batchesOfJson } from "../http/json-rows.ts";
import { type HttpSource, request } from "../http/request.ts";
import { ApiStatements, type StatementApi, type StatementStep } from "../http/statement-api.ts";
import {
  columnsOf,
  failureOfStatement,
  parametersOf,
  type ReadColumns,
  type Sent,
  type SnowflakeAccess,
} from "./access.ts";
import {
  errorIn,
  handleIn,
  isAnswer,
  jsonOf,
  MAX_ANSWER,
  notSnowflake,
  type ResultSet,
  resultSet,
  rowsIn,
} from "./answers.ts";
import { snowflakeFailure } from "./failures.ts";
import { keyPairToken } from "./key-pair-token.ts";

/** Signs a token if the connection contains none; sends nothing before the first statement. */
export async function openSqlApi(
  connection: SnowflakeConnection,
  login: KeyPairLogin | TokenLogin,
  fetch: typeof globalThis.fetch,
): Promise<SnowflakeAccess> {
  const statements = new ApiStatements();
  const account = new Account(connection, await tokenOf(connection, login), fetch);
  return {
    query: (sent, options) =>
      statements.query(new SnowflakeStatement(connection, account, sent, options.timeoutMs), options),
    close: () => statements.close(),
  };
}

interface Token {
  readonly type: "KEYPAIR_JWT" | TokenLogin["type"];
  readonly token: Secret;
}

async function tokenOf(connection: SnowflakeConnection, login: KeyPairLogin | TokenLogin): Promise<Token> {
  if (login.by === "token") return login;
  return { type: "KEYPAIR_JWT", token: await keyPairToken(connection, login) };
}

/** Requests to one account with one token. */
class Account {
  readonly #source: HttpSource;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #proof: string;

  constructor(connection: SnowflakeConnection, { type, token }: Token, fetch: typeof globalThis.fetch) {
    const origin = `https://${hostOf(connection)}`;
    this.#address = `${origin}/api/v2/statements`;
    this.#source = { fetch, origins: [origin], maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: false };
    this.#proof = type === "KEYPAIR_JWT" ? "private_key" : "token";
    this.#headers = {
      authorization: `Bearer ${token.reveal()}`,
      "x-snowflake-authorization-token-type": type,
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "siskin",
    };
  }

  /** `path` follows `/statements`. */
  async ask(path: string, init: RequestInit): Promise<{ readonly status: number; readonly json: object }> {
    const response = await request(this.#source, this.#address + path, { ...init, headers: this.#headers });
    const json = await jsonOf(response);
    if (response.status === 401 || response.status === 403) {
      const { message, hint, engineCode } = snowflakeFailure(errorIn(json), "", 0);
      throw new ConnectorFailure("AUTHENTICATION", message, {
        hint: hint ?? `Check account, user and ${this.#proof}.`,
        ...(engineCode !== undefined && { engineCode }),
      });
    }
    return { status: response.status, json };
  }
}

interface Asked {
  readonly handle: string;
  /** Index of the next partition; undefined while the statement runs. */
  readonly partition?: number;
}

class SnowflakeStatement implements StatementApi<Asked> {
  readonly #connection: SnowflakeConnection;
  readonly #account: Account;
  readonly #sent: Sent;
  readonly #timeoutMs: number;
  #read: ReadColumns = { columns: [], readers: [] };
  #partitions: readonly number[] = [];

  constructor(connection: SnowflakeConnection, account: Account, sent: Sent, timeoutMs: number) {
    this.#connection = connection;
    this.#account = account;
    this.#sent = sent;
    this.#timeoutMs = timeoutMs;
  }

  /** Retries once without a response: Snowflake recognises a statement that it has already started by its request id. */
  async submit(signal: AbortSignal): Promise<StatementStep<Asked>> {
    const { database, schema, warehouse, role } = this.#connection;
    const { sql, prefix } = this.#sent;
    const body = JSON.stringify({
      statement: prefix + sql,
      timeout: Math.max(1, Math.ceil(this.#timeoutMs / 1000)),
      database,
      schema,
      ...(warehouse !== undefined && { warehouse }),
      ...(role !== undefined && { role }),
      parameters: parametersOf(this.#connection, this.#sent),
    });
    // No handle is known before the first response, so it must come at once.
    const path = `?async=true&requestId=${crypto.randomUUID()}`;
    const ask = (again: string) => this.#ask(path + again, { method: "POST", body, signal });
    return ask("").catch((error: unknown) => {
      if (signal.aborted || !(error instanceof ConnectorFailure) || error.reason !== "HOST_UNREACHABLE") throw error;
      return ask("&retry=true");
    });
  }

  async poll({ handle, partition }: Asked, signal: AbortSignal): Promise<StatementStep<Asked>> {
    if (partition === undefined) return this.#ask(`/${handle}`, { signal });
    const { status, json } = await this.#account.ask(`/${handle}?partition=${partition}`, { signal });
    if (status !== 200) throw this.#failureIn(json);
    return this.#rows(handle, partition, rowsIn(json));
  }

  async cancel({ handle, partition }: Asked, signal: AbortSignal): Promise<void> {
    if (partition !== undefined) return;
    await this.#account.ask(`/${handle}/cancel`, { method: "POST", body: "{}", signal });
  }

  async #ask(path: string, init: RequestInit): Promise<StatementStep<Asked>> {
    const { status, json } = await this.#account.ask(path, init);
    if (status === 202) return { next: { handle: handleIn(json) } };
    if (status !== 200) return { failure: this.#failureIn(json), next: undefined };
    return this.#begin(handleIn(json), resultSet(json));
  }

  #failureIn(json: object): ConnectorFailure {
    return failureOfStatement(errorIn(json), this.#sent);
  }

  #begin(handle: string, { columns, partitions, total, rows }: ResultSet): StatementStep<Asked> {
    if (partitions.reduce((sum, count) => sum + count, 0) !== total) throw notSnowflake();
    this.#read = columnsOf(columns, this.#sent);
    this.#partitions = partitions;
    return this.#rows(handle, 0, rows);
  }

  #rows(handle: string, partition: number, rows: readonly unknown[]): StatementStep<Asked> {
    const told = this.#partitions[partition] ?? 0;
    if (rows.length !== told) throw notSnowflake(`A part of the result has ${told} rows, and ${rows.length} came.`);
    const isLast = partition + 1 >= this.#partitions.length;
    return {
      columns: this.#read.columns,
      rows: batchesOfJson(rows, this.#read.readers, "VARCHAR"),
      next: isLast ? undefined : { handle, partition: partition + 1 },
    };
  }
}
