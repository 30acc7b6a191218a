/**
 * Athena's API and STS's, against a FAKE that says what it is told to, in the shapes of their documentation. Statements run in
 * `test/engines/athena.test.ts`, on a Trino behind such an API.
 */
import { describe, expect, it } from "vitest";
import { parseAthenaConnection } from "../../../src/connectors/connection/athena.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";

const ATHENA = "https://athena.eu-west-1.amazonaws.com";
const STS = "https://sts.eu-west-1.amazonaws.com";
const KEYS = { aws_access_key_id: "AKIAEXAMPLE", aws_secret_access_key: "topsecretkey" };
const ROLE = { role_arn: "arn:aws:iam::123456789012:role/reader" };
const FIELDS = { s3_staging_dir: "s3://bucket/q/", region_name: "eu-west-1", schema_name: "sales", ...KEYS };

interface Sent {
  readonly origin: string;
  readonly name: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Answers in their order: an object becomes a JSON response. */
function fake(...answers: readonly (object | Response)[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { origin } = new URL(request.url);
    const body = await request.text();
    const name = request.headers.get("x-amz-target")?.split(".")[1] ?? new URLSearchParams(body).get("Action") ?? "";
    sent.push({ origin, name, headers: request.headers, body });
    const answer = left.shift() ?? { QueryExecution: { Status: { State: "RUNNING" } } };
    return answer instanceof Response ? answer : Response.json(answer);
  };
  const open = (change: object = {}) =>
    openHere(
      parseAthenaConnection({ ...FIELDS, ...change }).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
  const rows = async (sql = "SELECT 1", change: object = {}) =>
    drain(await (await open(change)).query(plain(sql), patient()));
  return { sent, open, rows, names: () => sent.map(({ name }) => name) };
}

const STARTED = { QueryExecutionId: "id" };
const state = (State: string, more: object = {}) => ({ QueryExecution: { Status: { State, ...more } } });
const page = (rows: readonly (readonly (string | null)[])[], NextToken?: string) => ({
  ResultSet: {
    ResultSetMetadata: { ColumnInfo: [{ Name: "n", Type: "integer" }] },
    Rows: rows.map((row) => ({ Data: row.map((value) => (value === null ? {} : { VarCharValue: value })) })),
  },
  ...(NextToken !== undefined && { NextToken }),
});
const refused = (type: string, message = "No.", status = 400) =>
  Response.json({ __type: `com.amazonaws.athena#${type}`, Message: message }, { status });
const page1 = page([["n"], ["1"]]);

describe("a statement", () => {
  it("is started, asked after, and read page by page", async () => {
    const { sent, rows, names } = fake(
      STARTED,
      state("QUEUED"),
      state("RUNNING"),
      state("SUCCEEDED"),
      page([["n"], ["1"], [null]], "two"),
      page([["n"], ["3"]].slice(1)),
    );
    expect(await rows("SELECT n FROM t", { work_group: "team", catalog_name: "Other" })).toEqual([[1], [null], [3]]);
    expect(names()).toEqual([
      "StartQueryExecution",
      "GetQueryExecution",
      "GetQueryExecution",
      "GetQueryExecution",
      "GetQueryResults",
      "GetQueryResults",
    ]);
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({
      QueryString: "SELECT n FROM t",
      QueryExecutionContext: { Database: "sales", Catalog: "Other" },
      ResultConfiguration: { OutputLocation: "s3://bucket/q/" },
      WorkGroup: "team",
    });
    expect(JSON.parse(sent[5]?.body ?? "")).toMatchObject({ QueryExecutionId: "id", NextToken: "two" });
    for (const { origin, headers } of sent) {
      expect(origin).toBe(ATHENA);
      expect(headers.get("authorization")).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-west-1\/athena\//,
      );
    }
    expect(JSON.stringify(sent)).not.toContain("topsecretkey");
  });

  it("that Athena cannot be sent is not", async () => {
    const { sent, rows } = fake();
    for (const sql of [
      "DROP TABLE t",
      "INSERT INTO t SELECT 1",
      "/* SELECT */ MSCK REPAIR TABLE t",
      "UNLOAD (SELECT 1) TO 's3://x'",
    ]) {
      expect((await failureOf(rows(sql))).reason).toBe("SOURCE_INVALID_SQL");
    }
    expect(sent).toEqual([]);
  });

  it("whose state cannot be asked after for a moment goes on", async () => {
    const { rows } = fake(STARTED, refused("ThrottlingException"), state("SUCCEEDED"), page1);
    expect(await rows()).toEqual([[1]]);
  });
});

describe("a role", () => {
  const keysOf = (action: string) =>
    `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>rolesecret</SecretAccessKey><SessionToken>session/&amp;token</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></${action}Result></${action}Response>`;

  it("is taken on with keys", async () => {
    const { sent, rows } = fake(new Response(keysOf("AssumeRole")), STARTED, state("SUCCEEDED"), page1);
    expect(await rows("SELECT 1", ROLE)).toEqual([[1]]);
    expect(sent.map(({ origin, name }) => `${origin} ${name}`).slice(0, 2)).toEqual([
      `${STS} AssumeRole`,
      `${ATHENA} StartQueryExecution`,
    ]);
    expect(sent[0]?.headers.get("authorization")).toContain("Credential=AKIAEXAMPLE/");
    expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toMatchObject({
      RoleArn: ROLE.role_arn,
      RoleSessionName: "wren-oidc-session",
    });
    expect(sent[1]?.headers.get("authorization")).toContain("Credential=ASIAROLE/");
    expect(sent[1]?.headers.get("x-amz-security-token")).toBe("session/&token");
  });

  it("is taken on with a token, which nothing signs", async () => {
    const { sent, rows } = fake(new Response(keysOf("AssumeRoleWithWebIdentity")), STARTED, state("SUCCEEDED"), page1);
    const change = { ...ROLE, web_identity_token: "eyJ", role_session_name: "ann", aws_access_key_id: null };
    expect(await rows("SELECT 1", { ...change, aws_secret_access_key: null })).toEqual([[1]]);
    expect(sent[0]?.headers.get("authorization")).toBeNull();
    expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toMatchObject({
      Action: "AssumeRoleWithWebIdentity",
      RoleSessionName: "ann",
      WebIdentityToken: "eyJ",
    });
  });

  it("that may not be taken on is told as such, and Athena is asked nothing", async () => {
    const xml =
      "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>User is not authorized</Message></Error></ErrorResponse>";
    const { rows, sent } = fake(new Response(xml, { status: 403 }));
    expect(await failureOf(rows("SELECT 1", ROLE))).toMatchObject({
      reason: "AUTHENTICATION",
      engineCode: "AccessDenied",
      message: "User is not authorized",
    });
    expect(sent).toHaveLength(1);
  });

  it("whose keys do not come in time", async () => {
    const connection = parseAthenaConnection({ ...FIELDS, ...ROLE }).info;
    const never: typeof fetch = () => new Promise(() => {});
    const host = { fetch: never, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 20 };
    const opening = openHere(connection, host, { signal: new AbortController().signal });
    expect((await failureOf(opening)).reason).toBe("HOST_UNREACHABLE");
  });

  it("of the machine is asked for only where it is lent", async () => {
    const host = { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 };
    const connection = parseAthenaConnection({ ...FIELDS, aws_access_key_id: null, aws_secret_access_key: null }).info;
    const options = { signal: new AbortController().signal };
    expect((await failureOf(openHere(connection, host, options))).reason).toBe("AUTHENTICATION");
    const awsCredentials = async () => ({ accessKeyId: "ASIAHOST", secretAccessKey: "hostsecret" });
    await (await openHere(connection, { ...host, awsCredentials }, options)).close();
  });
});

describe("what goes wrong", () => {
  it.each<[string, readonly (object | Response)[], object]>([
    ["keys that are not known", [refused("UnrecognizedClientException")], { reason: "AUTHENTICATION" }],
    ["a token that has expired", [refused("ExpiredTokenException")], { reason: "AUTHENTICATION" }],
    ["rights that lack", [refused("AccessDeniedException", "not authorized to perform")], { reason: "AUTHENTICATION" }],
    [
      "a failure of Athena's own",
      [refused("InternalServerException", "Something went wrong.", 500)],
      { reason: "SOURCE_ERROR", engineCode: "InternalServerException", message: "Something went wrong." },
    ],
    [
      "a failure of a proxy's",
      [new Response("<html>Error</html>", { status: 500, headers: { "content-type": "text/html" } })],
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    [
      "a catalog that is not there",
      [
        STARTED,
        state("FAILED", {
          StateChangeReason: "CATALOG_NOT_FOUND: line 1:15: Catalog 'other' not found",
          AthenaError: { ErrorCategory: 2 },
        }),
      ],
      { reason: "SOURCE_INVALID_SQL", engineCode: "CATALOG_NOT_FOUND", position: 14 },
    ],
    [
      "a workgroup that is turned off",
      [refused("InvalidRequestException", "WorkGroup team is disabled.")],
      { reason: "SOURCE_ERROR", message: "WorkGroup team is disabled." },
    ],
    ["too many at once", [refused("TooManyRequestsException")], { reason: "OVERLOADED", retryAfter: 5 }],
    [
      "a proxy that is full",
      [new Response("busy", { status: 503, headers: { "retry-after": "7" } })],
      { reason: "OVERLOADED", retryAfter: 7 },
    ],
    [
      "SQL that does not parse",
      [refused("InvalidRequestException", "line 1:8: mismatched input 'FROM'")],
      { reason: "SOURCE_INVALID_SQL", position: 7 },
    ],
    [
      "a request that is wrong otherwise",
      [refused("InvalidRequestException", "WorkGroup is not found.")],
      { reason: "SOURCE_ERROR" },
    ],
    [
      "a name that is not there",
      [
        STARTED,
        state("FAILED", {
          StateChangeReason: "COLUMN_NOT_FOUND: line 1:8: Column 'x' cannot be resolved",
          AthenaError: { ErrorCategory: 2 },
        }),
      ],
      { reason: "SOURCE_INVALID_SQL", engineCode: "COLUMN_NOT_FOUND", position: 7 },
    ],
    [
      "a division by zero",
      [
        STARTED,
        state("FAILED", { StateChangeReason: "DIVISION_BY_ZERO: Division by zero", AthenaError: { ErrorCategory: 2 } }),
      ],
      { reason: "SOURCE_ERROR", engineCode: "DIVISION_BY_ZERO" },
    ],
    ["a failure without a word", [STARTED, state("FAILED")], { reason: "SOURCE_ERROR" }],
    [
      "a stop by somebody else",
      [STARTED, state("CANCELLED", { StateChangeReason: "Query cancelled by user" })],
      { reason: "SOURCE_ERROR", message: "Query cancelled by user" },
    ],
    ["a state that is none", [STARTED, state("ASLEEP")], { reason: "UPSTREAM_PROTOCOL" }],
    ["a start without a name", [{}], { reason: "UPSTREAM_PROTOCOL" }],
    ["rows without the row of names", [STARTED, state("SUCCEEDED"), page([["1"]])], { reason: "UPSTREAM_PROTOCOL" }],
    [
      "rows without columns",
      [STARTED, state("SUCCEEDED"), { ResultSet: { Rows: [] } }],
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    [
      "a row that is too long",
      [STARTED, state("SUCCEEDED"), page([["n"], ["1", "2"]])],
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    ["a value out of its type", [STARTED, state("SUCCEEDED"), page([["n"], ["one"]])], { reason: "SOURCE_ERROR" }],
    [
      "a page that repeats",
      [STARTED, state("SUCCEEDED"), page([["n"]], "x"), page([["1"]], "x")],
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    [
      "a result that expires while it is read",
      [
        STARTED,
        state("SUCCEEDED"),
        page([["n"], ["1"]], "x"),
        refused("InvalidRequestException", "Query results have expired"),
      ],
      { reason: "SOURCE_ERROR" },
    ],
    [
      "an HTML page",
      [new Response("<html>Welcome</html>", { headers: { "content-type": "text/html" } })],
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    ["a redirect", [Response.redirect("https://evil.example/", 302)], { reason: "UPSTREAM_PROTOCOL" }],
  ])("%s", async (_, answers, expected) => {
    const { rows, sent } = fake(...answers);
    expect(await failureOf(rows("SELECT x FROM t"))).toMatchObject(expected);
    for (const { origin } of sent) expect(origin).toBe(ATHENA);
  });

  it("a caller who leaves stops the statement, once", async () => {
    const { open, names } = fake(STARTED);
    const controller = new AbortController();
    const waiting = failureOf((await open()).query(plain("SELECT 1"), patient(controller.signal)));
    await expect.poll(names).toContain("GetQueryExecution");
    controller.abort(new Error("gone"));
    expect((await waiting).reason).toBe("CANCELLED");
    await expect.poll(() => names().filter((name) => name === "StopQueryExecution")).toHaveLength(1);
  });

  it("a statement that stays in Athena's queue is stopped, once, when its time is over", async () => {
    const { open, names } = fake(STARTED, ...Array.from({ length: 1000 }, () => state("QUEUED")));
    const connector = await open();
    const late = connector.query(plain("SELECT 1"), { signal: patient().signal, timeoutMs: 100 });
    expect((await failureOf(late)).reason).toBe("STATEMENT_TIMEOUT");
    await connector.close();
    expect(names().filter((name) => name === "StopQueryExecution")).toHaveLength(1);
    // It is asked less and less often.
    expect(names().length).toBeLessThan(12);
  });

  it("a statement is not sent twice", async () => {
    const { rows, names } = fake(refused("ThrottlingException"));
    expect((await failureOf(rows())).reason).toBe("OVERLOADED");
    expect(names()).toEqual(["StartQueryExecution"]);
  });
});

it("reads a catalogue of a million columns a page at a time, and keeps what was asked for", async () => {
  const [PAGES, ROWS] = [1000, 1000];
  const cells = (...values: readonly string[]) => ({ Data: values.map((VarCharValue) => ({ VarCharValue })) });
  const names = (width: number) => Array.from({ length: width }, (_, i) => `c${i}`);
  const described = (width: number, Rows: readonly object[]) => ({
    ResultSet: { ResultSetMetadata: { ColumnInfo: names(width).map((Name) => ({ Name, Type: "varchar" })) }, Rows },
  });
  const columns = Array.from({ length: ROWS }, () => cells("AwsDataCatalog", "sales", "wide", "c", "int", "YES", ""));
  const first = described(7, [cells(...names(7)), ...columns]);
  const later = JSON.stringify(described(7, columns)).slice(0, -1);
  const { open, names: calls } = fake(
    ...[STARTED, state("SUCCEEDED"), described(4, [cells(...names(4)), cells("", "sales", "orders", "")])],
    ...[STARTED, state("SUCCEEDED"), { ...first, NextToken: "1" }],
    ...Array.from({ length: PAGES - 2 }, (_, i) => new Response(`${later},"NextToken":"${i + 2}"}`)),
    new Response(`${later}}`),
  );
  const connector = await open();
  const tables = await connector.catalog({ kind: "tables", filter: {}, limit: 1 }, patient());
  expect(tables).toMatchObject([{ name: "sales.orders", columns: [] }]);
  expect(calls().filter((name) => name === "GetQueryResults")).toHaveLength(1 + PAGES);
}, 60_000);
