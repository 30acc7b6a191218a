/**
 * A real Trino in a directory of its own, from what `npm run engines` has unpacked: one process on loopback at random ports, the
 * catalogues `memory` (writable) and `tpch`. Over HTTP it lets in any user, over HTTPS one with a password or a token. Nothing
 * survives `stop`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { pbkdf2Sync, randomBytes, sign, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { TEST_SERVICES } from "./global-setup.ts";
import { freePort, guardedScript, stopGuarded } from "./guarded-process.ts";
import { FIXTURES } from "./postgres-server.ts";

export interface TrinoServer {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  /** `https://localhost:…`, by the certificate of `test/fixtures/tls`. */
  readonly secureUrl: string;
  stop(): Promise<void>;
}

/** Over HTTPS. */
export const TRINO_LOGIN = { user: "ann", password: "pässword of ann" };

/** A token of `TRINO_LOGIN`'s user, valid for `seconds` from now. */
export function trinoToken(seconds: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const signed = `${part({ alg: "ES256", typ: "JWT" })}.${part({ sub: TRINO_LOGIN.user, exp })}`;
  const key = { key: readFileSync(SERVER_KEY), dsaEncoding: "ieee-p1363" } as const;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

const SERVER_KEY = join(FIXTURES, "test-only-server.key");
const SERVER_CERTIFICATE = join(FIXTURES, "test-only-server.crt");

const ROOT = fileURLToPath(new URL("../../.siskin/trino/", import.meta.url));
const JAVA_HOME = join(ROOT, "java-home");
const PATIENCE_MS = 300_000;

/** Whether `npm run engines` has unpacked it. */
export const hasTrino = (): boolean => existsSync(JAVA_HOME);

/** For the name of a suite that cannot run. */
export const WITHOUT_TRINO = "not run: npm run engines has not unpacked Trino";

/** The one server that all files of a vitest run share; elsewhere one of its own. */
export async function startTrino(): Promise<TrinoServer> {
  const shared = process.env[TEST_SERVICES];
  if (shared === undefined) return await startTrinoServer();
  const response = await fetch(`${shared}trino`);
  if (!response.ok) throw new Error(await response.text());
  return { ...((await response.json()) as Omit<TrinoServer, "stop">), stop: async () => {} };
}

/** Half a minute on a quiet machine. Fails with the server's own log when it does not come up. */
export async function startTrinoServer(): Promise<TrinoServer> {
  const home = mkdtempSync(join(tmpdir(), "siskin-trino-"));
  const remove = () => rmSync(home, { recursive: true, force: true });
  try {
    const [port, securePort] = [await freePort(), await freePort()];
    const server = spawn("/bin/sh", ["-c", guardedScript("KILL"), "sh", home, ...command(home, port, securePort)], {
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", TZ: "UTC" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const url = `http://127.0.0.1:${port}`;
    await cameUp(server, url);
    return { url, secureUrl: `https://localhost:${securePort}`, stop: () => stopGuarded(server, remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

function command(home: string, port: number, securePort: number): string[] {
  const etc = join(home, "etc");
  mkdirSync(join(etc, "catalog"), { recursive: true });
  const files: Readonly<Record<string, readonly string[]>> = {
    "config.properties": [
      "coordinator=true",
      "node-scheduler.include-coordinator=true",
      `http-server.http.port=${port}`,
      `discovery.uri=http://127.0.0.1:${port}`,
      "http-server.https.enabled=true",
      `http-server.https.port=${securePort}`,
      `http-server.https.keystore.path=${join(etc, "server.pem")}`,
      "http-server.authentication.type=PASSWORD,JWT",
      "http-server.authentication.allow-insecure-over-http=true",
      `http-server.authentication.jwt.key-file=${join(etc, "token.pem")}`,
      `internal-communication.shared-secret=${randomBytes(32).toString("hex")}`,
      "query.max-memory=512MB",
      "query.max-memory-per-node=512MB",
      // One thread for each part of a statement: they are small, and each further one is to be set up.
      "task.concurrency=1",
      "catalog.management=static",
    ],
    "password-authenticator.properties": [
      "password-authenticator.name=file",
      `file.password-file=${join(etc, "passwords")}`,
    ],
    passwords: [`${TRINO_LOGIN.user}:${hashed(TRINO_LOGIN.password)}`],
    "server.pem": [readFileSync(SERVER_CERTIFICATE, "utf8"), readFileSync(SERVER_KEY, "utf8")],
    "token.pem": [
      new X509Certificate(readFileSync(SERVER_CERTIFICATE)).publicKey
        .export({ type: "spki", format: "pem" })
        .toString(),
    ],
    "log.properties": ["io.trino=WARN"],
    "catalog/memory.properties": ["connector.name=memory", "memory.max-data-per-node=256MB"],
    "catalog/tpch.properties": ["connector.name=tpch"],
  };
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(etc, name), `${lines.join("\n")}\n`);
  const properties = {
    "jdk.attach.allowAttachSelf": "true",
    "user.timezone": "UTC",
    "file.encoding": "UTF-8",
    "node.environment": "test",
    "node.id": "local",
    "node.data-dir": home,
    "node.internal-address": "127.0.0.1",
    "node.bind-ip": "127.0.0.1",
    "plugin.dir": join(ROOT, "server/plugin"),
    config: join(etc, "config.properties"),
    "catalog.config-dir": join(etc, "catalog"),
    "log.levels-file": join(etc, "log.properties"),
  };
  return [
    join(readFileSync(JAVA_HOME, "utf8"), "bin/java"),
    "-cp",
    join(ROOT, "server/lib/*"),
    "-Xmx1500m",
    "-XX:+UseSerialGC",
    // Compiled quickly rather than well: no statement here runs for long.
    "-XX:TieredStopAtLevel=1",
    "-XX:+ExitOnOutOfMemoryError",
    "--add-modules=jdk.incubator.vector",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    ...Object.entries(properties).map(([name, value]) => `-D${name}=${value}`),
    "io.trino.server.TrinoServer",
  ];
}

/** PBKDF2, as Trino's file of passwords has it (https://trino.io/docs/current/security/password-file.html). */
function hashed(password: string): string {
  const [iterations, salt] = [1000, randomBytes(16)];
  const hash = pbkdf2Sync(password, salt, iterations, 64, "sha1");
  return [iterations, salt.toString("hex"), hash.toString("hex")].join(":");
}

async function isUp(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/v1/info`, { signal: AbortSignal.timeout(5000) });
  const info = answer.ok ? ((await answer.json()) as { readonly starting?: boolean }) : undefined;
  return info?.starting === false && (await hasNodes(url));
}

/** Its port answers long before it does. */
async function cameUp(server: ChildProcess, url: string): Promise<void> {
  let log = "";
  const listen = (text: string): void => {
    log = (log + text).slice(-4000);
  };
  for (const stream of [server.stdout, server.stderr]) stream?.setEncoding("utf8").on("data", listen);
  let ended = false;
  server.once("exit", () => {
    ended = true;
  });
  const deadline = performance.now() + PATIENCE_MS;
  while (!ended && performance.now() < deadline) {
    // A busy machine takes longer than these 5 s for an answer, too, and is asked again.
    if (await isUp(url).catch(() => false)) {
      for (const stream of [server.stdout, server.stderr]) stream?.removeAllListeners("data").resume();
      return;
    }
    await sleep(250);
  }
  server.stdin?.end();
  throw new Error(`It did not start:\n${log}`);
}

/** Trino reports that it has started before it knows a node that could read a table, even itself. */
async function hasNodes(url: string): Promise<boolean> {
  const headers = { "x-trino-user": "test" };
  const init: RequestInit = { method: "POST", body: "SELECT count(*) FROM tpch.tiny.region", headers };
  let answer = await fetch(`${url}/v1/statement`, init);
  for (;;) {
    const said = (await answer.json()) as { readonly nextUri?: string; readonly error?: unknown };
    if (said.nextUri === undefined) return said.error === undefined;
    answer = await fetch(said.nextUri, { headers });
  }
}
