/**
 * A caller who may use a connection of the operator by its name sends guesses at its password in texts that the engine quotes. The
 * answer to the right guess must look like the answer to a wrong one.
 */
import { describe, expect, test } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Authenticator } from "../../src/guard/authentication.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { testApp } from "../api/test-app.ts";
import { testServices } from "../service/in-memory.ts";

const USER = "svc_reporting";
const HOST = "warehouse-7.internal.example";
const WRONG = "Zk7!vTq2 wxyz";

/** Characters that every encoding changes, letters that engines fold, and a word of messages. */
const PASSWORDS = ["Hunter2!abc", "it's a b/c?&ä", "postgres", "column"];

interface Answer {
  readonly message: string;
  readonly metadata: { readonly hint?: string };
}

async function ask(
  password: string,
  quoted: string,
  body: object,
  { source = "postgres", failure = { engineCode: "22P02" } as { engineCode?: string } } = {},
): Promise<Answer> {
  const message = `invalid input syntax for type integer: "${quoted}"`;
  const script = { queryError: new ConnectorFailure("SOURCE_ERROR", message, failure) };
  const { sources } = testServices({ script });
  const hidden = { raw: { host: HOST, user: USER, password }, whereAndWho: [HOST, USER] };
  const connections = new Map([
    ["shop", { source: source as DataSource, prepared: sources.prepare(source as DataSource, {}), hidden }],
  ]);
  const bound = new Set<string>();
  const caller = {
    id: "alice",
    claims: new Map(),
    bound,
    connections: "all",
    ownConnections: false,
    limits: {},
  } as const;
  const authenticator: Authenticator = { scheme: "keys", authenticate: async () => ({ ok: true, caller }) };
  const app = testApp({ connections, api: { authenticator } });
  const response = await app.post(`/v3/connector/${source}/query`, {
    sql: "SELECT a FROM m",
    manifestStr: "bTE=",
    connectionInfo: { name: "shop" },
    ...body,
  });
  return (await response.json()) as Answer;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** How a guess gets into a request, and how an engine or a driver then shows it. */
const WAYS: readonly (readonly [string, body: (guess: string) => object, quoted: (guess: string) => string])[] = [
  ["a literal", (guess) => ({ sql: `SELECT CAST('${guess.replaceAll("'", "''")}' AS int)` }), (guess) => guess],
  ["a name", (guess) => ({ sql: `SELECT "${guess}" FROM m` }), (guess) => guess],
  ["a name that is folded", (guess) => ({ sql: `SELECT ${guess.toUpperCase()} FROM m` }), (guess) => guess],
  ["base64 of it", (guess) => ({ sql: `SELECT CAST('${base64(guess)}' AS int)` }), base64],
  [
    "base64 of it behind the user",
    (guess) => ({ sql: `SELECT CAST('${base64(`${USER}:${guess}`)}' AS int)` }),
    (guess) => base64(`${USER}:${guess}`),
  ],
  ["its percent encoding", (guess) => ({ sql: `SELECT '${encodeURIComponent(guess)}'` }), encodeURIComponent],
  ["a literal that is shown percent-encoded", (guess) => ({ sql: `SELECT "${guess}"` }), encodeURIComponent],
  ["a literal that is shown in base64", (guess) => ({ sql: `SELECT "${guess}"` }), base64],
  [
    "a literal that is shown in JSON",
    (guess) => ({ sql: `SELECT "${guess}"` }),
    (guess) => JSON.stringify(guess).slice(1, -1),
  ],
  ["a session property", (guess) => ({ sessionProperties: { tenant: `'${guess}'` } }), (guess) => guess],
  [
    "an expression of the manifest",
    (guess) => ({ manifestStr: base64(JSON.stringify({ e: `x = '${guess}'` })) }),
    (guess) => guess,
  ],
];

describe.each(["postgres", "clickhouse"])("on %s", (source) => {
  describe.each(PASSWORDS)("the password %s", (password) => {
    test.each(WAYS)("as %s is shown as a wrong guess is", async (_, body, quoted) => {
      for (const failure of [{}, { engineCode: "22P02" }]) {
        const [right, wrong] = await Promise.all(
          [password, WRONG].map((guess) => ask(password, quoted(guess), body(guess), { source, failure })),
        );
        const shown = (answer: Answer | undefined, guess: string): string | undefined =>
          answer?.message.replaceAll(quoted(guess), "<guess>");
        expect(shown(right, password)).toBe(shown(wrong, WRONG));
        expect(right?.message).toContain(quoted(password));
      }
    });
  });
});

describe("a text that the statement computes", () => {
  test.each(["postgres", "mysql", "doris", "mssql", "oracle", "redshift", "canner"])(
    "is shown in an answer of %s, which never had the password",
    async (source) => {
      const [password, guess] = ["Hunter2!abc", "SELECT CAST('Hunter' || '2!abc' AS int)"];
      const { message } = await ask(password, password, { sql: guess }, { source });
      expect(message).toContain(`"${password}"`);
    },
  );

  test("that is no answer to a statement is still masked", async () => {
    const { message } = await ask("Hunter2!abc", "Hunter2!abc", {}, { failure: {} });
    expect(message).toContain("***");
    expect(message).not.toContain("Hunter2!abc");
  });

  test("of a server that gets the password with each statement is still masked", async () => {
    const { message } = await ask("Hunter2!abc", "Hunter2!abc", {}, { source: "clickhouse" });
    expect(message).not.toContain("Hunter2!abc");
  });
});

test("the host and the user stay hidden in an answer to a statement", async () => {
  const { message } = await ask("Hunter2!abc", `${USER}@${HOST}`, {});
  expect(message).not.toMatch(/svc_reporting|warehouse-7/);
});

test("a secret that the caller brings is masked as before", async () => {
  const { services: _, ...app } = testApp({
    script: { queryError: new ConnectorFailure("SOURCE_ERROR", "bad value s3cr3t!x", { engineCode: "22P02" }) },
  });
  const response = await app.post("/v3/connector/postgres/query", {
    sql: "SELECT 's3cr3t!x'",
    manifestStr: "bTE=",
    connectionInfo: { host: "h", password: "s3cr3t!x" },
  });
  expect(((await response.json()) as Answer).message).toBe("bad value ***");
});
