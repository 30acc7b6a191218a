/** A password that is a word of a message must neither garble the message nor be told by the mask. */
import { describe, expect, test } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { redactorFor } from "../../src/guard/redactor.ts";
import { testApp } from "../api/test-app.ts";
import { startWorker } from "../support/worker.ts";

const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models: [] })).toString("base64");

describe("messages about connections", () => {
  const ask = async (source: string, connectionInfo: object): Promise<string> => {
    const worker = await startWorker({ AUTH: "none" });
    const response = await worker.post(`/v3/connector/${source}/query`, {
      sql: "SELECT 1",
      manifestStr,
      connectionInfo,
    });
    const body = (await response.json()) as { message?: string; detail?: unknown };
    return body.message ?? JSON.stringify(body.detail);
  };

  test("a scheme that is not taken", async () => {
    const connectionInfo = { connectionUrl: "postgresql+psycopg2://ann:postgres@db.example.com/shop" };
    expect(await ask("postgres", connectionInfo)).toContain("must begin with postgresql:// or postgres://");
    const others = { ...connectionInfo, password: "postgres" };
    expect(await ask("postgres", others)).not.toContain("***");
  });

  test.each(["postgres", "connectionInfo", "member", "missing", "begin", "Check", "sidecar", "host", "must", "with"])(
    "with the password %s, all are as they are with another",
    async (word) => {
      for (const [source, connectionInfo] of [
        ["postgres", { host: "db.example.com", port: "x", user: "u", database: "d" }],
        ["postgres", { connectionUrl: "oracle://ann@db.example.com" }],
        ["mysql", { host: "10.0.0.1", port: 3306, user: "u", database: "d" }],
        ["clickhouse", { host: 5 }],
        ["local_file", { url: "/data", format: "csv" }],
      ] as const) {
        const [one, other] = [word, "k9-Zb7!qP2"].map((password) => ask(source, { ...connectionInfo, password }));
        expect(await one, `${source} ${word}`).toBe(await other);
      }
    },
  );

  test("a body of the wrong shape names its members whatever they hold", async () => {
    const worker = await startWorker({ AUTH: "none" });
    const response = await worker.post("/v3/connector/postgres/query", {
      sql: 5,
      manifestStr,
      connectionInfo: { host: "h", password: "body", user: "u" },
    });
    expect(await response.text()).not.toContain("***");
  });
});

describe("words of drivers", () => {
  test.each([
    ["postgres", 'FATAL: database "postgres" does not exist'],
    ["server", "connection to server at db failed: server closed it"],
    ["Access", "Access denied for user 'ann'@'%' (using password: YES)"],
    ["5432", "connection to db:5432 refused"],
  ])("with the password %s neither it nor the place of it is shown", async (password, message) => {
    const app = testApp({
      script: { queryError: new ConnectorFailure("SOURCE_ERROR", message, { engineCode: "3D000" }) },
    });
    const response = await app.post("/v3/connector/postgres/query", {
      sql: "SELECT a FROM m",
      manifestStr: "bTE=",
      connectionInfo: { host: "h", user: "ann", database: "d", password },
    });
    const { message: shown } = (await response.json()) as { message: string };
    expect(shown).not.toContain("***");
    expect(shown).not.toContain("denied");
    expect(shown).not.toContain("closed");
    expect(shown).not.toContain("exist");
    expect(shown).not.toContain("refused");
  });

  test("a word that only stands within another is left", () => {
    expect(redactorFor({ password: "post" }).redact("postgresql://db refused it")).toBe("postgresql://db refused it");
  });

  test("a secret that is no word is masked in place", () => {
    expect(redactorFor({ password: "hunter2!" }).redact("login with hunter2! failed")).toBe("login with *** failed");
  });
});
