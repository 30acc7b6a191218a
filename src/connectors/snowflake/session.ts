/**
 * A Snowflake session, for logins with a password, which the SQL API does not accept. It is opened for one request and closed
 * after it (`session-answers.ts` names the sources for the protocol).
 */
import { Secret } from "../../guard/secret.ts";
import { hostOf, type PasswordLogin, type SnowflakeConnection } from "../connection/snowflake.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { type HttpSource, request } from "../http/request.ts";
import { ApiStatements } from "../http/statement-api.ts";
import { within } from "../watch.ts";
import type { SnowflakeAccess } from "./access.ts";
import { jsonOf, MAX_ANSWER, MAX_TEXT, notSnowflake } from "./answers.ts";
import { snowflakeFailure } from "./failures.ts";
import { codeIn, dataIn, errorInSession, type SessionTokens, tokensIn } from "./session-answers.ts";
import { SessionStatement } from "./session-statement.ts";

interface SessionHost {
  readonly fetch: typeof globalThis.fetch;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** Logs in. Rejects with `AUTHENTICATION` if the user cannot log in, or only interactively. */
export async function openSession(
  connection: SnowflakeConnection,
  login: PasswordLogin,
  { fetch, connectTimeoutMs, signal }: SessionHost,
): Promise<SnowflakeAccess> {
  const service = new SessionService(connection, fetch);
  const session = await within(
    { signal, milliseconds: connectTimeoutMs },
    (ending) => (ending === "aborted" ? cancelled(signal) : unanswered()),
    async (asking) => new Session(service, await logIn(connection, login, service, asking)),
  );
  const statements = new ApiStatements();
  return {
    query: (sent, options) =>
      statements.query(new SessionStatement(connection, session, sent, options.timeoutMs), options),
    close: async () => {
      await statements.close();
      await session.end();
    },
  };
}

function unanswered(): ConnectorFailure {
  return new ConnectorFailure("HOST_UNREACHABLE", "Snowflake did not answer the login in time.", {
    hint: "A second factor waits for somebody: give a key pair, or a programmatic access token.",
  });
}

/**
 * Session parameters for every statement, so that no default of an account or user changes its meaning or leaves it running
 * (https://docs.snowflake.com/sql-reference/parameters). Chunks have the smallest size that Snowflake offers.
 */
const SESSION_PARAMETERS = {
  TIMEZONE: "UTC",
  BINARY_OUTPUT_FORMAT: "HEX",
  ROWS_PER_RESULTSET: 0,
  QUOTED_IDENTIFIERS_IGNORE_CASE: false,
  ABORT_DETACHED_QUERY: true,
  CLIENT_SESSION_KEEP_ALIVE: false,
  CLIENT_RESULT_CHUNK_SIZE: 48,
  // Otherwise a missing database is reported only by statements.
  CLIENT_VALIDATE_DEFAULT_PARAMETERS: true,
} as const;

async function logIn(
  connection: SnowflakeConnection,
  { password }: PasswordLogin,
  service: SessionService,
  signal: AbortSignal,
): Promise<Tokens> {
  const { account, user, database, schema, warehouse, role, queryTag } = connection;
  const names = new URLSearchParams({
    databaseName: database,
    schemaName: schema,
    ...(warehouse !== undefined && { warehouse }),
    ...(role !== undefined && { roleName: role }),
  });
  // A locator's region and cloud belong only to the host name.
  const [name = ""] = account.split(".");
  const json = await service.ask(`/session/v1/login-request?${names}`, {
    method: "POST",
    signal,
    body: JSON.stringify({
      data: {
        // A client that reads rows as JSON: Snowflake chooses the format of rows by it.
        CLIENT_APP_ID: "JavaScript",
        CLIENT_APP_VERSION: "3.3.0",
        CLIENT_ENVIRONMENT: { APPLICATION: "Siskin" },
        ACCOUNT_NAME: name.toUpperCase(),
        LOGIN_NAME: user,
        PASSWORD: password.reveal(),
        AUTHENTICATOR: "SNOWFLAKE",
        SESSION_PARAMETERS: { ...SESSION_PARAMETERS, ...(queryTag !== undefined && { QUERY_TAG: queryTag }) },
      },
    }),
  });
  const data = dataIn(json);
  const action = (data ?? (json as { readonly data?: { readonly nextAction?: unknown } | null }).data)?.["nextAction"];
  if (typeof action === "string") throw needsSomebody(action);
  if (data === undefined) throw refused(json);
  return secret(tokensIn(data, { session: "token" }));
}

/** Snowflake requires a second factor, or a new password. */
function needsSomebody(action: string): ConnectorFailure {
  if (action === "PWD_CHANGE") {
    return new ConnectorFailure("AUTHENTICATION", "The user's password has to be changed before it logs in.", {
      hint: "Change it in Snowflake, or give a key pair.",
    });
  }
  return new ConnectorFailure(
    "AUTHENTICATION",
    "The user logs in by a second factor, which the service does not have.",
    {
      hint: "Give a key pair (private_key), or authenticator PROGRAMMATIC_ACCESS_TOKEN and a token.",
    },
  );
}

function refused(json: object): ConnectorFailure {
  const error = errorInSession(json);
  const { hint } = snowflakeFailure(error, "", 0);
  return new ConnectorFailure("AUTHENTICATION", error.message.slice(0, MAX_TEXT), {
    hint: hint ?? "Check account, user, password and role.",
    ...(error.code !== undefined && { engineCode: error.code }),
  });
}

interface Tokens {
  readonly session: Secret;
  readonly master: Secret;
}

const secret = ({ session, master }: SessionTokens): Tokens => ({
  session: new Secret(session),
  master: new Secret(master),
});

/** The host of an unknown account responds with 403. */
const isAnswer = (status: number): boolean => [200, 400, 401, 403].includes(status);

/** Requests to one account. */
class SessionService {
  readonly origin: string;
  readonly fetch: typeof globalThis.fetch;
  readonly #source: HttpSource;

  constructor(connection: SnowflakeConnection, fetch: typeof globalThis.fetch) {
    this.origin = `https://${hostOf(connection)}`;
    this.fetch = fetch;
    this.#source = { fetch, origins: [this.origin], maxBytes: MAX_ANSWER, isAnswer, quotesRefusals: false };
  }

  /** A JSON object. Rejects with `ConnectorFailure` otherwise. */
  async ask(path: string, init: RequestInit, token?: Secret): Promise<object> {
    const response = await request(this.#source, this.origin + path, {
      ...init,
      headers: {
        accept: "application/snowflake",
        "content-type": "application/json",
        "user-agent": "siskin",
        ...(token !== undefined && { authorization: `Snowflake Token="${token.reveal()}"` }),
      },
    });
    if (response.status === 200) return jsonOf(response);
    const said = await jsonOf(response).catch(() => undefined);
    if (said !== undefined && codeIn(said) !== undefined) return said;
    throw response.status === 400
      ? notSnowflake()
      : new ConnectorFailure("AUTHENTICATION", `Snowflake answered with HTTP status ${response.status}.`, {
          hint: "Check account, and the network policy of account and user.",
        });
  }
}

const EXPIRED = "390112";
const FAREWELL_MS = 5000;

/** An open session, which is renewed once when its token has expired. */
class Session {
  readonly service: SessionService;
  #tokens: Tokens;
  #renewal: Promise<void> | undefined;

  constructor(service: SessionService, tokens: Tokens) {
    this.service = service;
    this.#tokens = tokens;
  }

  async ask(path: string, init: RequestInit): Promise<object> {
    const { session } = this.#tokens;
    const json = await this.service.ask(path, init, session);
    if (codeIn(json) !== EXPIRED) return json;
    this.#renewal ??= this.#renew(init.signal ?? undefined);
    await this.#renewal;
    return this.service.ask(path, init, this.#tokens.session);
  }

  async #renew(signal: AbortSignal | undefined): Promise<void> {
    const { session, master } = this.#tokens;
    const body = JSON.stringify({ oldSessionToken: session.reveal(), requestType: "RENEW" });
    const path = `/session/token-request?requestId=${crypto.randomUUID()}`;
    const json = await this.service.ask(path, { method: "POST", body, ...(signal && { signal }) }, master);
    const data = dataIn(json);
    if (data === undefined) throw refused(json);
    this.#tokens = secret(tokensIn(data, { session: "sessionToken" }));
  }

  /** Never throws. */
  async end(): Promise<void> {
    const { session } = this.#tokens;
    const leaving = within({ milliseconds: FAREWELL_MS }, unanswered, (signal) =>
      this.service.ask("/session?delete=true", { method: "POST", body: "{}", signal }, session),
    );
    await leaving.catch(() => undefined);
  }
}
