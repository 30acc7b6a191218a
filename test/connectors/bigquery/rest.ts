/**
 * A FAKE of Google's hosts: where tokens are given, and BigQuery's REST API; no engine. Assertions have to be signed by the account's
 * key. It knows the few statements below and what each answers; jobs, pages, errors and their shapes are those of Google's documentation
 * (https://cloud.google.com/bigquery/docs/reference/rest, https://cloud.google.com/bigquery/docs/error-messages).
 */
import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { jwtVerify } from "jose";
import { listenOnLoopback } from "../../support/tcp.ts";
import type { ContractStatements } from "../contract.ts";

export const GOOGLE = ["https://oauth2.googleapis.com", "https://bigquery.googleapis.com"] as const;
export const EMAIL = "reader@acme.iam.gserviceaccount.com";
export const PROJECT = "acme";

export interface Account {
  /** In base64, as the console exports it. */
  readonly credentials: string;
  readonly file: Readonly<Record<string, string>>;
  readonly publicKey: KeyObject;
}

/** A key of its own, since nobody's key is to lie in a repository. */
export function makeAccount(change: object = {}): Account {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const file = {
    type: "service_account",
    project_id: PROJECT,
    private_key_id: "0a1b2c3d",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    client_email: EMAIL,
    client_id: "1234567890",
    auth_uri: "https://accounts.google.com/o/oauth2/auth",
    token_uri: "https://oauth2.googleapis.com/token",
    universe_domain: "googleapis.com",
    ...change,
  };
  return { file, credentials: Buffer.from(JSON.stringify(file)).toString("base64"), publicKey };
}

/** The answer of a statement: a schema and rows as texts, made on demand; or its error. */
interface Answer {
  readonly fields?: readonly object[];
  readonly total?: number;
  readonly row?: (index: number) => readonly (string | null)[];
  /** Never ends by itself. */
  readonly isStuck?: boolean;
  readonly error?: GoogleError;
  /** Seen only when it runs. */
  readonly failsWhenRun?: GoogleError;
}

interface GoogleError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

export const STATEMENTS: Omit<ContractStatements, "sameNames"> = {
  numbers: (count) => `SELECT n FROM UNNEST(GENERATE_ARRAY(1, ${count})) AS n ORDER BY n`,
  endless: "SELECT n FROM UNNEST(GENERATE_ARRAY(1, 100000000)) AS n ORDER BY n",
  stuck: "SELECT COUNT(*) AS n FROM endless",
  nulls: "SELECT 1 AS a, 'x' AS b, CAST(NULL AS INT64) AS c, CAST(NULL AS STRING) AS d",
  syntaxError: "SELECT FROM WHERE",
  unknownTable: "SELECT * FROM missing_thing",
  failsWhenRun: "SELECT 1 / (SELECT 0) AS a",
};

const INTEGER = { type: "INTEGER", mode: "NULLABLE" };
const STRING = { type: "STRING", mode: "NULLABLE" };

function answerTo(sql: string): Answer {
  const text = sql.replaceAll(/\/\*.*?\*\/|--.*/g, "").trim();
  const [, count] = /^SELECT n FROM UNNEST\(GENERATE_ARRAY\(1, (\d+)\)\) AS n ORDER BY n$/.exec(text) ?? [];
  if (count !== undefined) {
    return { fields: [{ name: "n", ...INTEGER }], total: Number(count), row: (index) => [String(index + 1)] };
  }
  if (text.includes("INFORMATION_SCHEMA.COLUMNS")) return { fields: TABLE_COLUMNS, total: 1, row: () => TABLE };
  if (text.includes("INFORMATION_SCHEMA.TABLE_CONSTRAINTS")) {
    return { fields: ["a", "b", "c", "d"].map((name) => ({ name, ...STRING })), total: 1, row: () => KEY };
  }
  if (text.includes("nowhere")) return { error: unrecognized(sql, "nowhere") };
  if (text.includes("orders")) {
    return {
      fields: [{ name: "id", ...INTEGER }],
      total: 2,
      row: (index) => [String(9007199254740993n + BigInt(index))],
    };
  }
  switch (text) {
    case STATEMENTS.stuck:
      return { fields: [{ name: "n", ...INTEGER }], isStuck: true };
    case STATEMENTS.nulls:
      return {
        fields: [
          { name: "a", ...INTEGER },
          { name: "b", ...STRING },
          { name: "c", ...INTEGER },
          { name: "d", ...STRING },
        ],
        total: 1,
        row: () => ["1", "x", null, null],
      };
    case STATEMENTS.failsWhenRun:
      return {
        fields: [{ name: "a", type: "FLOAT", mode: "NULLABLE" }],
        failsWhenRun: { code: 400, reason: "invalidQuery", message: "division by zero: 1 / 0" },
      };
    case STATEMENTS.syntaxError:
      return {
        error: { code: 400, reason: "invalidQuery", message: "Syntax error: Unexpected keyword FROM at [1:8]" },
      };
    case STATEMENTS.unknownTable:
      return {
        error: {
          code: 404,
          reason: "notFound",
          message: "Not found: Table acme:sales.missing_thing was not found in location US",
        },
      };
    default:
      return { error: unrecognized(sql, "") };
  }
}

function unrecognized(sql: string, name: string): GoogleError {
  const before = sql.slice(0, sql.indexOf(name)).split("\n");
  const place = `${before.length}:${[...(before.at(-1) ?? "")].length + 1}`;
  return { code: 400, reason: "invalidQuery", message: `Unrecognized name: ${name} at [${place}]` };
}

/** Columns in the names of the metadata queries. */
const TABLE_COLUMNS = [
  { name: "table_name", ...STRING },
  { name: "column_name", ...STRING },
  { name: "ordinal_position", ...INTEGER },
  ...["is_nullable", "field_path", "data_type", "description", "f0_"].map((name) => ({ name, ...STRING })),
];
const TABLE = ["orders", "id", "1", "NO", "id", "INT64", "key", '"all orders"'];
const KEY = ["orders", "shop", "shops", "id"];

interface FakeJob {
  readonly sql: string;
  readonly answer: Answer;
  state: "RUNNING" | "DONE" | "CANCELLED";
}

export interface FakeGoogle {
  /** `http://127.0.0.1:…`, in the place of both hosts. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** `METHOD path` of each request, newest last, without what tells one job from another. */
  readonly asked: readonly string[];
  /** Requests to `jobs.query`, newest last. */
  readonly questions: readonly Readonly<Record<string, unknown>>[];
  /** How many statements that hold this text run now. */
  running(marker: string): number;
  close(): Promise<void>;
}

/** How long an answer is held back at most while there is nothing to tell; Google's is what the request says. */
const HELD_MS = 20;
const PAGE_ROWS = 1000;
/** A request that names no number of rows gets as many as fit into a page. */
const most = (maxResults: unknown): number => Number(maxResults ?? PAGE_ROWS);

export async function startFakeGoogle({ publicKey }: Pick<Account, "publicKey">): Promise<FakeGoogle> {
  const asked: string[] = [];
  const questions: Readonly<Record<string, unknown>>[] = [];
  const jobs = new Map<string, FakeJob>();
  /** By the caller's name for it: a statement that is sent twice under one name is run once. */
  const requests = new Map<unknown, string>();
  const tokens = new Set<string>();

  async function token(body: string): Promise<[number, object]> {
    const given = new URLSearchParams(body);
    try {
      if (given.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") throw new Error("grant_type");
      const { payload } = await jwtVerify(given.get("assertion") ?? "", publicKey, {
        issuer: EMAIL,
        audience: "https://oauth2.googleapis.com/token",
        algorithms: ["RS256"],
        maxTokenAge: 3600,
        requiredClaims: ["exp", "scope"],
      });
      if (!String(payload["scope"]).includes("https://www.googleapis.com/auth/cloud-platform"))
        throw new Error("scope");
    } catch {
      return [400, { error: "invalid_grant", error_description: "Invalid JWT Signature." }];
    }
    const made = `ya29.${randomUUID()}`;
    tokens.add(made);
    return [200, { access_token: made, expires_in: 3599, token_type: "Bearer" }];
  }

  function pageOf(id: string, { answer }: FakeJob, from: number, maxResults: number): [number, object] {
    const { fields, total = 0, row = () => [] } = answer;
    const to = Math.min(total, from + Math.min(maxResults, PAGE_ROWS));
    const rows = Array.from({ length: to - from }, (_, i) => ({ f: row(from + i).map((v) => ({ v })) }));
    const jobReference = { projectId: PROJECT, jobId: id, location: "US" };
    return [
      200,
      {
        jobReference,
        jobComplete: true,
        schema: { fields },
        totalRows: String(total),
        ...(rows.length > 0 && { rows }),
        ...(to < total && { pageToken: `page=${to}` }),
      },
    ];
  }

  async function resultsOf(id: string, from: number, maxResults: number): Promise<[number, object]> {
    const job = jobs.get(id);
    if (job === undefined) return refused({ code: 404, reason: "notFound", message: `Not found: Job acme:US.${id}` });
    if (job.state === "RUNNING") await new Promise((resolve) => setTimeout(resolve, HELD_MS));
    if (job.state === "RUNNING") {
      return [200, { jobReference: { projectId: PROJECT, jobId: id, location: "US" }, jobComplete: false }];
    }
    if (job.state === "CANCELLED") {
      return refused({
        code: 400,
        reason: "stopped",
        message: "Job execution was cancelled: User requested cancellation",
      });
    }
    const { failsWhenRun } = job.answer;
    return failsWhenRun === undefined ? pageOf(id, job, from, maxResults) : refused(failsWhenRun);
  }

  async function query(body: string): Promise<[number, object]> {
    const question = JSON.parse(body) as Readonly<Record<string, unknown>>;
    questions.push(question);
    const sql = String(question["query"]);
    const known = requests.get(question["requestId"]);
    if (known !== undefined) return resultsOf(known, 0, most(question["maxResults"]));
    const answer = answerTo(sql);
    if (answer.error !== undefined) return refused(answer.error);
    if (question["dryRun"] === true) {
      const jobReference = { projectId: PROJECT, location: "US" };
      const { fields } = answer;
      return [200, { jobReference, jobComplete: true, schema: { fields }, totalBytesProcessed: "9007199254740993" }];
    }
    const id = `job_${randomUUID()}`;
    jobs.set(id, { sql, answer, state: answer.isStuck === true ? "RUNNING" : "DONE" });
    if (question["requestId"] !== undefined) requests.set(question["requestId"], id);
    return resultsOf(id, 0, most(question["maxResults"]));
  }

  async function answer(request: IncomingMessage): Promise<[number, object]> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    const { pathname, searchParams } = new URL(url, GOOGLE[1]);
    asked.push(`${method} ${pathname.replace(/job_[\w-]+/, "job")}`);
    if (pathname === "/token") return token(body);
    if (!tokens.has(String(headers.authorization).replace("Bearer ", ""))) {
      return refused({ code: 401, reason: "authError", message: "Request had invalid authentication credentials." });
    }
    const [, rest = ""] = /^\/bigquery\/v2\/projects\/acme\/(.*)$/.exec(pathname) ?? [];
    if (method === "POST" && rest === "queries") return query(body);
    if (rest === "datasets") return [200, { datasets: [{ datasetReference: { datasetId: "sales" }, location: "US" }] }];
    const [, results, cancelled] = /^(?:queries\/([\w-]+)|jobs\/([\w-]+)\/cancel)$/.exec(rest) ?? [];
    if (searchParams.get("location") !== "US") {
      return refused({ code: 404, reason: "notFound", message: "Not found: Job" });
    }
    if (results !== undefined) {
      const from = Number((searchParams.get("pageToken") ?? "page=0").replace("page=", ""));
      return resultsOf(results, from, most(searchParams.get("maxResults")));
    }
    const job = jobs.get(cancelled ?? "");
    if (job?.state === "RUNNING") job.state = "CANCELLED";
    return [200, { kind: "bigquery#jobCancelResponse" }];
  }

  const server = createServer(async (request, response) => {
    const [status, json] = await answer(request);
    response.writeHead(status, { "content-type": "application/json; charset=UTF-8" }).end(JSON.stringify(json));
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    asked,
    questions,
    fetch: ((input, init) => fetch(standingIn(String(input), url), init)) as typeof fetch,
    running: (marker) =>
      [...jobs.values()].filter(({ sql, state }) => state === "RUNNING" && sql.includes(marker)).length,
    close,
  };
}

/** Nothing but Google's two hosts is asked. */
function standingIn(address: string, url: string): string {
  const origin = GOOGLE.find((one) => address.startsWith(`${one}/`));
  if (origin === undefined) throw new Error(`Asked ${address}`);
  return address.replace(origin, url);
}

function refused({ code, reason, message }: GoogleError): [number, object] {
  return [code, { error: { code, message, errors: [{ message, domain: "global", reason }], status: "FAILED" } }];
}
