/**
 * A FAKE of Snowflake's SQL API, and no engine. Tokens have to be signed by the user's key, and to name it. It knows the few statements
 * below and what each answers; states, partitions, errors and their shapes are those of Snowflake's documentation
 * (https://docs.snowflake.com/developer-guide/sql-api/reference).
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { jwtVerify } from "jose";
import { listenOnLoopback } from "../../support/tcp.ts";
import type { ContractStatements } from "../contract.ts";

export const ACCOUNT = "ab12345.eu-west-1";
export const SNOWFLAKE = "https://ab12345.eu-west-1.snowflakecomputing.com";

export interface KeyPair {
  /** In OpenSSL's format. */
  readonly privateKey: string;
  readonly publicKey: KeyObject;
}

/** Generated, because a repository must not contain a private key. */
export function makeKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { publicKey, privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

export const STATEMENTS: ContractStatements = {
  numbers: (count) => `SELECT seq4() + 1 AS n FROM TABLE(GENERATOR(ROWCOUNT => ${count})) ORDER BY n`,
  endless: "SELECT seq4() + 1 AS n FROM TABLE(GENERATOR(ROWCOUNT => 100000000)) ORDER BY n",
  stuck: "SELECT SYSTEM$WAIT(60)",
  nulls: "SELECT 1 AS a, 'x' AS b, NULL::INTEGER AS c, NULL::VARCHAR AS d",
  sameNames: "SELECT 1 AS a, 2 AS a",
  syntaxError: "SELECT FROM",
  unknownTable: "SELECT missing_thing FROM t",
  failsWhenRun: "SELECT 1 / 0 AS a",
};

/** The outcome of a statement, for the fakes of both protocols. */
export interface Answer {
  readonly columns?: readonly object[];
  readonly total?: number;
  readonly row?: (index: number) => readonly (string | null)[];
  readonly isStuck?: boolean;
  readonly error?: SnowflakeError;
}

interface SnowflakeError {
  readonly code: string;
  readonly sqlState: string;
  readonly message: string;
}

const integer = (name: string) => ({ name, type: "FIXED", precision: 38, scale: 0, nullable: true });
const varchar = (name: string) => ({ name, type: "TEXT", nullable: true });
const PLAN = '{"GlobalStats":{"partitionsTotal":1,"partitionsAssigned":1,"bytesAssigned":1024},"Operations":[[]]}';

export function answerTo(sent: string): Answer {
  const isPlan = sent.startsWith("EXPLAIN USING JSON\n");
  const sql = sent.replace("EXPLAIN USING JSON\n", "");
  const text = sql.replaceAll(/\/\*.*?\*\/|--.*/g, "").trim();
  const lines = isPlan ? 2 : 1;
  const place = `error line ${lines} at position ${[...sql.slice(0, sql.indexOf("missing_thing"))].length}`;
  if (text === STATEMENTS.syntaxError) {
    const message = `SQL compilation error:\nsyntax error line ${lines} at position 7 unexpected 'FROM'.`;
    return { error: { code: "001003", sqlState: "42000", message } };
  }
  if (text === STATEMENTS.unknownTable) {
    return {
      error: {
        code: "000904",
        sqlState: "42000",
        message: `SQL compilation error: ${place}\ninvalid identifier 'MISSING_THING'`,
      },
    };
  }
  if (isPlan) return { columns: [varchar("content")], total: 1, row: () => [PLAN] };
  const [, count] = /ROWCOUNT => (\d+)/.exec(text) ?? [];
  if (count !== undefined)
    return { columns: [integer("n")], total: Number(count), row: (index) => [String(index + 1)] };
  // Its warehouse resumes, for a minute and longer.
  if (text.includes('"RESUMING"')) return { columns: [integer("n")], isStuck: true };
  switch (text) {
    case STATEMENTS.stuck:
      return { columns: [varchar("s")], isStuck: true };
    case STATEMENTS.nulls:
      return {
        columns: [integer("A"), varchar("B"), integer("C"), varchar("D")],
        total: 1,
        row: () => ["1", "x", null, null],
      };
    case STATEMENTS.sameNames:
      return { columns: [integer("A"), integer("A")], total: 1, row: () => ["1", "2"] };
    case STATEMENTS.failsWhenRun:
      return { error: { code: "100051", sqlState: "22012", message: "Division by zero" } };
  }
  return METADATA.find(([what]) => text.includes(what))?.[1] ?? { columns: [integer("1")], total: 1, row: () => ["1"] };
}

const table = (names: readonly string[], ...rows: readonly (readonly (string | null)[])[]): Answer => ({
  columns: names.map((name) => (name === "key_sequence" ? { ...integer(name), precision: 38 } : varchar(name))),
  total: rows.length,
  row: (index) => rows[index] ?? [],
});

const METADATA: readonly (readonly [string, Answer])[] = [
  [
    "information_schema.tables",
    table(["a", "b", "c", "d"], ["D", "PUBLIC", "ORDERS", "all"], ["D", "PUBLIC", "SHOPS", null]),
  ],
  [
    "information_schema.columns",
    table(
      ["a", "b", "c", "d", "e", "f", "g"],
      ["D", "PUBLIC", "ORDERS", "ID", "NUMBER", "NO", "key"],
      ["D", "PUBLIC", "ORDERS", "AT", "TIMESTAMP_LTZ", "YES", null],
      ["D", "PUBLIC", "SHOPS", "TAGS", "ARRAY", "YES", null],
    ),
  ],
  [
    "SHOW PRIMARY KEYS",
    table(
      ["created_on", "database_name", "schema_name", "table_name", "column_name", "key_sequence", "constraint_name"],
      ["x", "D", "PUBLIC", "ORDERS", "LINE", "2", "pk"],
      ["x", "D", "PUBLIC", "ORDERS", "ID", "1", "pk"],
    ),
  ],
  [
    "SHOW IMPORTED KEYS",
    table(
      [
        "pk_schema_name",
        "pk_table_name",
        "pk_column_name",
        "fk_database_name",
        "fk_schema_name",
        "fk_table_name",
        "fk_column_name",
        "key_sequence",
        "fk_name",
      ],
      ["PUBLIC", "SHOPS", "COUNTRY", "D", "PUBLIC", "ORDERS", "SHOP_COUNTRY", "2", "fk"],
      ["PUBLIC", "SHOPS", "ID", "D", "PUBLIC", "ORDERS", "SHOP", "1", "fk"],
    ),
  ],
  ["information_schema.schemata", table(["a", "b"], ["D", "PUBLIC"])],
  ["CURRENT_VERSION", table(["v"], ["9.30.2"])],
];

interface Running {
  readonly sql: string;
  readonly answer: Answer;
  state: "RUNNING" | "DONE" | "CANCELLED";
}

export interface FakeSnowflake {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** `METHOD path` of each request, newest last, without what tells one statement from another. */
  readonly asked: readonly string[];
  /** Bodies of statements that were sent, newest last. */
  readonly questions: readonly Readonly<Record<string, unknown>>[];
  running(marker: string): number;
  close(): Promise<void>;
}

const PARTITION_ROWS = 1000;

export async function startFakeSnowflake({ publicKey }: Pick<KeyPair, "publicKey">): Promise<FakeSnowflake> {
  const asked: string[] = [];
  const questions: Readonly<Record<string, unknown>>[] = [];
  const statements = new Map<string, Running>();
  const digest = createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

  async function isKnown(authorization: string | undefined): Promise<boolean> {
    try {
      await jwtVerify(String(authorization).replace("Bearer ", ""), publicKey, {
        issuer: `AB12345.READER.SHA256:${digest}`,
        subject: "AB12345.READER",
        algorithms: ["RS256"],
        maxTokenAge: 3600,
        requiredClaims: ["exp"],
      });
      return true;
    } catch {
      return false;
    }
  }

  const partition = (handle: string, { answer }: Running, index: number): object => {
    const { columns = [], total = 0, row = () => [] } = answer;
    const rows = Array.from({ length: Math.min(PARTITION_ROWS, total - index * PARTITION_ROWS) }, (_, i) =>
      row(index * PARTITION_ROWS + i),
    );
    if (index > 0) return { data: rows };
    const sizes = Array.from({ length: Math.max(1, Math.ceil(total / PARTITION_ROWS)) }, (_, i) => ({
      rowCount: Math.min(PARTITION_ROWS, total - i * PARTITION_ROWS),
    }));
    return {
      code: "090001",
      sqlState: "00000",
      message: "Statement executed successfully.",
      statementHandle: handle,
      resultSetMetaData: { numRows: total, format: "jsonv2", rowType: columns, partitionInfo: sizes },
      data: rows,
    };
  };

  function stateOf(handle: string, index: number): [number, object] {
    const running = statements.get(handle);
    if (running === undefined) return [422, { code: "390195", message: "The requested statement is not there." }];
    const { state, answer } = running;
    if (state === "RUNNING")
      return [202, { code: "333334", message: "Asynchronous execution in progress.", statementHandle: handle }];
    if (state === "CANCELLED")
      return [422, { code: "000604", sqlState: "57014", message: "SQL execution canceled", statementHandle: handle }];
    return answer.error === undefined
      ? [200, partition(handle, running, index)]
      : [422, { ...answer.error, statementHandle: handle }];
  }

  async function answer(request: IncomingMessage): Promise<[number, object]> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    const { pathname, searchParams } = new URL(url, SNOWFLAKE);
    asked.push(`${method} ${pathname.replace(/[\da-f]{8}-[\da-f-]{27}/, "handle")}`);
    if (headers["x-snowflake-authorization-token-type"] !== "KEYPAIR_JWT" || !(await isKnown(headers.authorization))) {
      return [401, { code: "390144", message: "JWT token is invalid." }];
    }
    const [, handle, cancelled] = /^\/api\/v2\/statements(?:\/([\w-]+)(\/cancel)?)?$/.exec(pathname) ?? [];
    if (handle === undefined) {
      const question = JSON.parse(body) as Readonly<Record<string, unknown>>;
      questions.push(question);
      const sql = String(question["statement"]);
      const found = answerTo(sql);
      const made = randomUUID();
      statements.set(made, { sql, answer: found, state: found.isStuck === true ? "RUNNING" : "DONE" });
      return [202, { code: "333334", message: "Asynchronous execution in progress.", statementHandle: made }];
    }
    if (cancelled === undefined) return stateOf(handle, Number(searchParams.get("partition") ?? 0));
    const running = statements.get(handle);
    if (running?.state === "RUNNING") running.state = "CANCELLED";
    return [200, { code: "000604", message: "successfully canceled statement" }];
  }

  const server = createServer(async (request, response) => {
    const [status, json] = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    asked,
    questions,
    fetch: ((input, init) => {
      if (!String(input).startsWith(`${SNOWFLAKE}/`)) throw new Error(`Asked ${String(input)}`);
      return fetch(String(input).replace(SNOWFLAKE, url), init);
    }) as typeof fetch,
    running: (marker) =>
      [...statements.values()].filter(({ sql, state }) => state === "RUNNING" && sql.includes(marker)).length,
    close,
  };
}
