/**
 * A real MySQL or MariaDB in a directory of its own, from what `npm run engines` has unpacked. Loopback only, random port,
 * TLS with the test-only certificate; nothing survives `stop`. The first start makes a data directory under `.siskin` that
 * later ones copy.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, guardedScript, stopGuarded } from "./guarded-process.ts";
import { zoneTables } from "./mysql-zones.ts";
import { FIXTURES } from "./postgres-server.ts";

/** MySQL 9.7 at the time of writing, and MariaDB 10.11. */
export type MySqlFlavor = "mysql" | "mariadb";
export const MYSQL_FLAVORS: readonly MySqlFlavor[] = ["mysql", "mariadb"];

export interface MySqlServer {
  readonly flavor: MySqlFlavor;
  readonly host: string;
  readonly port: number;
  /** May do everything, by `caching_sha2_password` on MySQL and `mysql_native_password` on MariaDB. */
  readonly user: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** Has characters that must be escaped in a URL, so that every test exercises that. */
const PASSWORD = "s3cret/[p@ss]:%+é";

const ROOT = new URL("../../.siskin/", import.meta.url);

/** Whether `npm run engines` has unpacked it. */
export function hasMySql(flavor: MySqlFlavor): boolean {
  return existsSync(join(rootOf(flavor), PROGRAMS[flavor]));
}

/** For the name of a suite that cannot run. */
export function withoutMySql(flavor: MySqlFlavor): string {
  return `not run: npm run engines has not unpacked ${flavor}`;
}

const PROGRAMS: Readonly<Record<MySqlFlavor, string>> = { mysql: "usr/sbin/mysqld", mariadb: "usr/sbin/mariadbd" };

function rootOf(flavor: MySqlFlavor): string {
  return fileURLToPath(new URL(`${flavor}/root`, ROOT));
}

/** The program by its own loader and libraries: its libc may be newer than the machine's. */
function commandOf(flavor: MySqlFlavor, home: string, data: string): string[] {
  const root = rootOf(flavor);
  const libraries = ["lib", "usr/lib"].flatMap((directory) =>
    ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((triplet) => join(root, directory, triplet)),
  );
  const loader = [join(root, "lib64"), ...libraries]
    .filter((directory) => existsSync(directory))
    .flatMap((directory) => readdirSync(directory).map((name) => join(directory, name)))
    .find((path) => /\/ld-linux-[^/]*\.so\.\d$/.test(path));
  if (loader === undefined) throw new Error(`no loader below ${root}`);
  const options = {
    basedir: join(root, "usr"),
    datadir: data,
    tmpdir: home,
    "lc-messages-dir": join(root, "usr/share/mysql"),
    "character-sets-dir": join(root, "usr/share/mysql/charsets"),
    "plugin-dir": join(root, "usr/lib/mysql/plugin"),
    // Refused without being named: an account of its own could not read a checkout below /root.
    ...(process.getuid?.() === 0 && { user: "root" }),
  };
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const small = flavor === "mysql" ? ["--innodb-redo-log-capacity=8M"] : ["--innodb-log-file-size=4M"];
  const program = join(root, PROGRAMS[flavor]);
  return [loader, "--library-path", libraries.join(":"), program, "--no-defaults", ...words, ...small];
}

/** The directory that servers start from, made once. */
function template(flavor: MySqlFlavor): string {
  const directory = fileURLToPath(new URL(`${flavor}/data`, ROOT));
  if (existsSync(directory)) return directory;
  const home = mkdtempSync(`${directory}-`);
  const data = join(home, "data");
  try {
    mkdirSync(data);
    const [loader = "", ...words] = commandOf(flavor, home, data);
    if (flavor === "mysql") execFileSync(loader, [...words, "--initialize-insecure"], { stdio: "ignore" });
    else {
      mkdirSync(join(data, "mysql"));
      execFileSync(loader, [...words, "--bootstrap"], { input: mariaDbTables(), stdio: ["pipe", "ignore", "ignore"] });
    }
    renameSync(data, directory);
  } catch (error) {
    // Somebody else was faster.
    if (!existsSync(directory)) throw error;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return directory;
}

/**
 * The SQL that `mariadb-install-db` feeds to the server; the script itself would search for programs with the machine's
 * libraries.
 */
function mariaDbTables(): string {
  const scripts = ["mysql_system_tables", "mysql_performance_tables", "mysql_system_tables_data"];
  const texts = scripts.map((name) => readFileSync(join(rootOf("mariadb"), `usr/share/mysql/${name}.sql`), "utf8"));
  return ["use mysql;", "SET @auth_root_socket = NULL;", "SET @skip_auth_anonymous = 1;", ...texts].join("\n");
}

/**
 * Starts a server; some seconds for the very first, then one or two. `options` are the program's own, `--name=value`.
 * Fails with the server's own log when it does not come up.
 */
export async function startMySqlServer(flavor: MySqlFlavor, options: readonly string[] = []): Promise<MySqlServer> {
  const source = template(flavor);
  const home = mkdtempSync(join(tmpdir(), `siskin-${flavor}-`));
  const remove = () => rmSync(home, { recursive: true, force: true });
  try {
    const data = join(home, "data");
    cpSync(source, data, { recursive: true });
    const account = "root@'127.0.0.1'";
    // One statement a line. MariaDB has the account already, without a password.
    const statements = [
      "SET NAMES utf8mb4;",
      `CREATE USER IF NOT EXISTS ${account};`,
      `ALTER USER ${account} IDENTIFIED BY '${PASSWORD}';`,
      `GRANT ALL ON *.* TO ${account} WITH GRANT OPTION;`,
      ...zoneTables().map((statement) => `${statement};`),
    ];
    writeFileSync(join(home, "init.sql"), `${statements.join("\n")}\n`);
    for (let attempt = 1; ; attempt++) {
      const port = await freePort();
      const command = [
        ...commandOf(flavor, home, data),
        "--bind-address=127.0.0.1",
        `--port=${port}`,
        `--socket=${join(home, "socket")}`,
        `--pid-file=${join(home, "pid")}`,
        `--init-file=${join(home, "init.sql")}`,
        `--ssl-cert=${join(FIXTURES, "test-only-server.crt")}`,
        `--ssl-key=${join(FIXTURES, "test-only-server.key")}`,
        "--skip-name-resolve",
        "--skip-log-bin",
        "--performance-schema=OFF",
        "--innodb-buffer-pool-size=64M",
        "--innodb-flush-log-at-trx-commit=0",
        "--character-set-server=utf8mb4",
        "--local-infile=1",
        ...(flavor === "mysql" ? ["--mysqlx=OFF", "--secure-file-priv="] : []),
        ...options,
      ];
      const server = spawn("/bin/sh", ["-c", guardedScript("KILL"), "sh", home, ...command], {
        cwd: home,
        env: { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" },
        stdio: ["pipe", "ignore", "pipe"],
      });
      if (await cameUp(server, attempt)) {
        const stop = () => stopGuarded(server, remove);
        return { flavor, host: "127.0.0.1", port, user: "root", password: PASSWORD, stop };
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
  const deadline = setTimeout(() => server.stdin?.end(), 120_000);
  const ready = await new Promise<boolean>((resolve) => {
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready for connections")) resolve(true);
    });
    server.once("exit", () => resolve(false));
    server.once("error", () => resolve(false));
  });
  clearTimeout(deadline);
  if (ready) {
    server.stderr?.removeAllListeners("data").resume();
    return true;
  }
  if (attempt < 5 && /bind on TCP\/IP port/i.test(log)) return false;
  throw new Error(`It did not start:\n${log}`);
}
