/** Ways into real servers, and what each way out of them is told. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { ok } from "../../support/mysql-messages.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { TEST_CA_PATH } from "../../support/postgres-server.ts";
import { startTcpProxy, type TcpServer } from "../../support/tcp.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST, openFromNode } from "./fixture.ts";

const CA = readFileSync(TEST_CA_PATH, "utf8");

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    const opened: Connector[] = [];
    const proxies: TcpServer[] = [];

    beforeAll(async () => {
      // In MariaDB's way an expired password lets in to a session that takes no statement; MySQL's is to let nobody in.
      const sandbox = flavor === "mysql" ? ["--disconnect-on-expired-password=OFF"] : [];
      database = await startMySql(flavor, { options: ["--max-connections=20", "--max-allowed-packet=1M", ...sandbox] });
      await database.query(`
        CREATE USER poor@'127.0.0.1'; GRANT SELECT ON ${database.database}.* TO poor@'127.0.0.1';
        CREATE USER one@'127.0.0.1' IDENTIFIED BY 'one' WITH MAX_USER_CONNECTIONS 1;
        GRANT SELECT ON ${database.database}.* TO one@'127.0.0.1';
        CREATE USER late@'127.0.0.1' IDENTIFIED BY 'late' PASSWORD EXPIRE;
        CREATE USER careful@'127.0.0.1' IDENTIFIED BY 'careful' REQUIRE SSL;
        GRANT SELECT ON ${database.database}.* TO careful@'127.0.0.1'`);
    });
    afterAll(async () => {
      await Promise.all(opened.map((connector) => connector.close()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await database?.stop();
    });

    const info = (change: object = {}) => {
      const { port, user, password } = database;
      return { host: "localhost", port, user, password, database: database.database, sslMode: "DISABLED", ...change };
    };
    const open = async (change: object = {}, host = NODE_HOST): Promise<Connector> => {
      const connector = await openFromNode(info(change), host);
      opened.push(connector);
      return connector;
    };
    const one = async (connector: Connector, sql: string) =>
      (await drain(await connector.query(plain(sql), patient())))[0]?.[0];
    const cipher = async (change: object) => {
      const found = await drain(await (await open(change)).query(plain("SHOW STATUS LIKE 'Ssl_cipher'"), patient()));
      return found[0]?.[1] !== "";
    };
    const refusal = async (change: object) => {
      const failure = await failureOf(openFromNode(info(change)).then((connector) => one(connector, "SELECT 1")));
      expect(JSON.stringify([failure.message, failure.hint])).not.toContain(database.password);
      return failure;
    };

    describe("TLS", () => {
      it.each<[string, object, boolean]>([
        ["DISABLED", {}, false],
        ["PREFERRED", { sslMode: "PREFERRED" }, true],
        ["ENABLED, which checks nothing", { sslMode: "ENABLED" }, true],
        ["not said", { sslMode: undefined }, true],
        ["VERIFY_CA", { sslMode: "VERIFY_CA", sslCA: CA, host: "127.0.0.1" }, true],
        ["VERIFY_IDENTITY", { sslMode: "VERIFY_IDENTITY", sslCA: CA }, true],
      ])("%s", async (_name, change, isEncrypted) => {
        expect(await cipher(change)).toBe(isEncrypted);
      });

      it.each<[string, object]>([
        ["another name", { sslMode: "VERIFY_IDENTITY", sslCA: CA, host: "127.0.0.1" }],
        ["an authority that nobody knows", { sslMode: "VERIFY_IDENTITY" }],
      ])("%s is not trusted, and told nothing", async (_name, change) => {
        expect((await refusal(change)).reason).toBe("TLS_UNTRUSTED");
      });

      it("a user that needs it is let in with it", async () => {
        const user = { user: "careful", password: "careful" };
        expect(await one(await open({ ...user, sslMode: "ENABLED" }), "SELECT 1")).toBeDefined();
        expect((await refusal(user)).reason).toBe("AUTHENTICATION");
      });
    });

    describe("who we are", () => {
      it("without a password", async () => {
        expect(await one(await open({ user: "poor", password: "" }), "SELECT CURRENT_USER()")).toBe("poor@127.0.0.1");
      });

      it("and without any right but to read: what a plan sets is everybody's to set", async () => {
        const connector = await open({ user: "poor", password: "" });
        const names = [
          "sql_mode",
          "div_precision_increment",
          "group_concat_max_len",
          "time_zone",
          "collation_connection",
        ];
        const values = ["STRICT_TRANS_TABLES", "16", "1073741824", "+00:00", "utf8mb4_bin"];
        const session = names.map((name, index) => ({ name, value: values[index] ?? "" }));
        const sql = `SELECT ${names.map((name) => `CAST(@@SESSION.${name} AS CHAR)`).join(", ")}`;
        expect(await drain(await connector.query({ ...plain(sql), session }, patient()))).toEqual([values]);
      });

      it.each<[string, object, number]>([
        ["a wrong password", { password: "wrong" }, 1045],
        ["no password", { password: "" }, 1045],
        ["an unknown user", { user: "nobody" }, 1045],
        ["an unknown database", { database: "nowhere" }, 1049],
        ["a database that is not the user's", { user: "poor", password: "", database: "mysql" }, 1044],
      ])("%s", async (_name, change, code) => {
        expect(await refusal(change)).toMatchObject({ reason: "AUTHENTICATION", engineCode: String(code) });
      });

      it.each<[string, string, number]>([
        ["lets into a session that takes no statement", "late", 1820],
        ...(flavor === "mysql" ? [["lets nobody in", "later", 1862] as [string, string, number]] : []),
      ])("an expired password that %s says so", async (_how, user, code) => {
        const server = user === "later" ? await startMySql(flavor, { options: [] }) : database;
        await server.query(`CREATE USER IF NOT EXISTS ${user}@'127.0.0.1' IDENTIFIED BY '${user}' PASSWORD EXPIRE`);
        const change = { port: server.port, user, password: user, database: "information_schema" };
        expect(await refusal(change)).toMatchObject({
          reason: "AUTHENTICATION",
          engineCode: String(code),
          hint: "Change the user's password, which has expired.",
        });
        if (server !== database) await server.stop();
      });

      // MySQL 9 has no longer got it; MariaDB's accounts have it by default.
      it.runIf(flavor === "mariadb")("by mysql_native_password", async () => {
        await database.query(`
          CREATE USER native@'127.0.0.1' IDENTIFIED VIA mysql_native_password USING PASSWORD('nätive');
          GRANT SELECT ON ${database.database}.* TO native@'127.0.0.1'`);
        const user = { user: "native", password: "nätive" };
        expect(await one(await open(user), "SELECT CURRENT_USER()")).toBe("native@127.0.0.1");
        expect(await one(await open({ ...user, sslMode: "ENABLED" }), "SELECT CURRENT_USER()")).toBe(
          "native@127.0.0.1",
        );
        expect((await refusal({ ...user, password: "native" })).reason).toBe("AUTHENTICATION");
      });
    });

    it.runIf(flavor === "mysql")("without TLS the password goes by the server's key where that is taken", async () => {
      // Nobody has it in the cache: the whole proof is asked for.
      await database.query("FLUSH PRIVILEGES");
      const refused = await refusal({ kwargs: { allowPublicKeyRetrieval: false } });
      expect([refused.reason, refused.message]).toEqual([
        "TLS_UNTRUSTED",
        "Without TLS the password would be encrypted with whatever key the server names.",
      ]);
      expect(await one(await open(), "SELECT 1")).toBe(1n);
      // In the cache now: no key is asked for.
      expect(await one(await open({ kwargs: { allowPublicKeyRetrieval: false } }), "SELECT 1")).toBe(1n);
    });

    describe("when there are too many", () => {
      it("of a user's", async () => {
        const user = { user: "one", password: "one" };
        const first = await open(user);
        expect(await refusal(user)).toMatchObject({ reason: "OVERLOADED", retryAfter: 5 });
        await first.close();
      });

      it("of everybody's", async () => {
        const many = await Promise.allSettled(
          Array.from({ length: 25 }, () => openFromNode(info({ user: "poor", password: "" }))),
        );
        const failures = many.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
        await Promise.all(many.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.close() : undefined)));
        expect(failures.length).toBeGreaterThan(0);
        for (const failure of failures) {
          expect(failure).toMatchObject({ reason: "OVERLOADED", engineCode: "1040", retryAfter: 5 });
        }
      });
    });

    it("a statement larger than the server takes", async () => {
      const connector = await openFromNode(info());
      const failure = await failureOf(one(connector, `SELECT '${"x".repeat(2 * 1024 * 1024)}'`));
      expect(["SOURCE_ERROR", "UPSTREAM_PROTOCOL"]).toContain(failure.reason);
      await connector.close();
    });

    describe("behind a proxy that", () => {
      const isKill = (chunk: Buffer): boolean => chunk.includes("KILL ");
      const through = async (fromClient: (chunk: Buffer) => Buffer | undefined) => {
        const proxy = await startTcpProxy(database, { fromClient });
        proxies.push(proxy);
        return { host: proxy.host, port: proxy.port };
      };
      const slow = `SELECT count(*) FROM ${[..."abcdefgh"].map((name) => `information_schema.COLLATIONS ${name}`).join(", ")}`;

      it("counts what comes: who does not pull is sent no more than fits into the network", async () => {
        let bytes = 0;
        const proxy = await startTcpProxy(database, {
          fromServer: (chunk) => {
            bytes += chunk.length;
            return chunk;
          },
        });
        proxies.push(proxy);
        const connector = await openFromNode(info({ host: proxy.host, port: proxy.port }));
        // Eight million rows of a kilobyte.
        const tables = [..."abc"].map((name) => `information_schema.COLLATIONS ${name}`).join(", ");
        const result = await connector.query(
          plain(`SELECT /*+ NO_BNL() */ repeat('x', 1000) AS x FROM ${tables}`),
          patient(),
        );
        await result.batches.next();
        const settled = async (): Promise<number> => {
          const before = bytes;
          await new Promise((resolve) => setTimeout(resolve, 200));
          return bytes - before;
        };
        await expect.poll(settled, { timeout: 30_000 }).toBe(0);
        expect(bytes).toBeLessThan(64 * 1024 * 1024);
        const held = bytes;
        for (let pulled = 0; pulled < held; pulled += 200_000) await result.batches.next();
        await expect.poll(() => bytes, { timeout: 30_000 }).toBeGreaterThan(held);
        await result.close();
        await connector.close();
      });

      it.each<[string, Buffer]>([
        ["swallows KILL", Buffer.alloc(0)],
        ["says that it has done it", ok(1)],
      ])("%s: the caller goes all the same, and the server keeps the time", async (_name, answer) => {
        const connector = await openFromNode(info(await through((chunk) => (isKill(chunk) ? answer : undefined))));
        const controller = new AbortController();
        const marker = `proxied_${Math.random().toString(36).slice(2)}`;
        const options = { signal: controller.signal, timeoutMs: 1500 };
        const failing = failureOf(connector.query(plain(`${slow} /* ${marker} */`), options).then(drain));
        const running = async () =>
          (await database.query("SHOW FULL PROCESSLIST")).filter((row) => row.some((text) => text?.includes(marker)))
            .length;
        await expect.poll(running, { timeout: 30_000, interval: 20 }).toBe(1);
        controller.abort(new Error("gone"));
        expect((await failing).reason).toBe("CANCELLED");
        await expect.poll(running, { timeout: 30_000, interval: 50 }).toBe(0);
        await connector.close();
      });
    });
  });
}
