/**
 * `npm run superset`: Superset from PyPI, in a virtual environment below `.siskin`, asks the example's project over the SQLAlchemy
 * dialect. Writes docs/evidence/superset.md, and fails where Superset fails or its numbers are not those of the service.
 */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { siskin } from "../../../clients/typescript/src/index.ts";
import { startService } from "../../support/service.ts";

const ROOT = join(import.meta.dirname, "../../..");
const HOME = join(ROOT, ".siskin/superset");
const PAGE = join(ROOT, "docs/evidence/superset.md");
const run = promisify(execFile);

interface Chart {
  readonly sql: string | null;
  readonly rows: readonly Readonly<Record<string, string | number>>[] | null;
}
interface Outcome {
  readonly steps: readonly {
    readonly what: string;
    readonly request: string;
    readonly status: number;
    readonly error?: string;
  }[];
  readonly columns: Readonly<
    Record<string, Readonly<Record<string, { readonly type: string; readonly isTime: boolean }>>>
  >;
  readonly charts: Readonly<Record<"bars" | "line" | "table", Chart>>;
  readonly lab: readonly Readonly<Record<string, string | number>>[] | null;
  readonly wrong: unknown;
}

/** Superset's packages, and the client as it is installed from a packed file. */
function install(directory: string): void {
  const python = join(HOME, "bin/python");
  const pip = (...words: readonly string[]): void => {
    execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...words], {
      stdio: "inherit",
    });
  };
  if (!existsSync(join(HOME, "bin/superset"))) {
    execFileSync("python3", ["-m", "venv", HOME], { stdio: "inherit" });
    pip("--requirement", join(import.meta.dirname, "requirements.txt"));
  }
  const wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", directory, join(ROOT, "clients/python")];
  execFileSync(python, wheel, { stdio: "inherit" });
  pip("--no-deps", "--force-reinstall", join(directory, "siskin_sql-0.1.0-py3-none-any.whl"));
}

async function ask(directory: string, url: string): Promise<Outcome> {
  const configuration = join(directory, "superset_config.py");
  const settings = {
    SECRET_KEY: "a key of this run alone, which ends with it",
    SQLALCHEMY_DATABASE_URI: `sqlite:///${directory}/superset.db`,
    WTF_CSRF_ENABLED: false,
    TALISMAN_ENABLED: false,
    PREVENT_UNSAFE_DB_CONNECTIONS: false,
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = ${value === false ? "False" : JSON.stringify(value)}`,
  );
  writeFileSync(configuration, `${lines.join("\n")}\n`);
  const options = {
    cwd: directory,
    env: { ...process.env, SUPERSET_CONFIG_PATH: configuration, FLASK_APP: "superset", SUPERSET_HOME: directory },
    maxBuffer: 1 << 26,
  };
  const superset = (...words: readonly string[]) => run(join(HOME, "bin/superset"), words, options);
  await superset("db", "upgrade");
  const admin = [
    "--username",
    "admin",
    "--firstname",
    "a",
    "--lastname",
    "b",
    "--email",
    "a@siskin.test",
    "--password",
    "admin",
  ];
  await superset("fab", "create-admin", ...admin);
  await superset("init");
  const uri = `${url.replace("http://", "siskin+http://")}/shop`;
  const { stdout } = await run(join(HOME, "bin/python"), [join(import.meta.dirname, "ask.py"), uri], options);
  return JSON.parse(/^RESULT (.*)$/m.exec(stdout)?.[1] ?? "{}") as Outcome;
}

/** Differences between Superset's answers and the service's own. */
async function differences({ steps, columns, charts, lab, wrong }: Outcome, url: string): Promise<readonly string[]> {
  const db = siskin({ url, project: "shop" });
  const own = async (sql: string) => (await db.query<Readonly<Record<string, string | number>>>(sql)).rows;
  const equal = (what: string, found: unknown, expected: unknown): readonly string[] =>
    JSON.stringify(found) === JSON.stringify(expected)
      ? []
      : [`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`];
  const numbers = (rows: Chart["rows"]) =>
    rows?.map((row) => Object.values(row).map((value) => (/^[\d.]+$/.test(String(value)) ? Number(value) : value)));
  const { models } = await db.describe();
  const last = steps.at(-1);
  return [
    ...steps.slice(0, -1).flatMap(({ what, status, error }) => (status < 300 ? [] : [`${what}: ${status} ${error}`])),
    ...equal("tables", Object.keys(columns).sort(), models.map(({ name }) => name).sort()),
    ...models.flatMap((model) =>
      equal(
        `columns of ${model.name}`,
        Object.keys(columns[model.name] ?? {}),
        model.columns.map(({ name }) => name),
      ),
    ),
    ...equal(
      "bars",
      numbers(charts.bars.rows),
      numbers(
        await own("SELECT status, sum(total) AS total, count(id) AS n FROM orders GROUP BY status ORDER BY status"),
      ),
    ),
    ...equal(
      "line",
      numbers(charts.line.rows)
        ?.map(([, total]) => total)
        .sort(),
      numbers(
        await own(
          "SELECT sum(total) AS total FROM orders WHERE ordered_on >= '1994-01-01' AND ordered_on < '1996-01-01' GROUP BY date_trunc('year', ordered_on)",
        ),
      )
        ?.map(([total]) => total)
        .sort(),
    ),
    ...equal(
      "table",
      numbers(charts.table.rows),
      numbers(await own("SELECT id, status, total FROM orders WHERE status = 'O' AND is_large ORDER BY id LIMIT 1000")),
    ),
    ...equal(
      "SQL Lab",
      numbers(lab),
      numbers(await own("SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY status")),
    ),
    ...(last !== undefined && last.status >= 400 && JSON.stringify(wrong).includes("Did you mean")
      ? []
      : ["the error of a wrong statement is not shown"]),
  ];
}

function pageOf({ steps, columns, charts }: Outcome): string {
  const sql = Object.entries(charts).map(
    ([name, { sql: text, rows }]) => `| ${name} | \`${text?.replaceAll(/\s+/g, " ").trim()}\` | ${rows?.length} |`,
  );
  return `# Superset

\`npm run evidence -- superset\` installs Superset 6.1.0 from PyPI with \`siskin-sql\` as a packed file, adds the project of \`examples/tpch\` by the URL
\`siskin+http://127.0.0.1:…/shop\`, and asks over Superset's own API. The numbers of charts and of SQL Lab are compared with the answers of the
service; the run fails where one differs.

| Superset | Request | Status |
|---|---|---|
${steps.map(({ what, request, status }) => `| ${what} | \`${request}\` | ${status} |`).join("\n")}

Data sets: ${Object.entries(columns)
    .map(([table, members]) => `\`${table}\` with ${Object.keys(members).length} columns`)
    .join(", ")}. The last status is that of a statement with a misspelt column: its error names the near column.

| Chart | SQL that Superset made | Rows |
|---|---|---|
${sql.join("\n")}

The package of Superset 6.1.0 imports \`rich\` and \`cachetools\` without naming them and fails with \`flask-caching\` above 2.3.1, so
\`test/clients/superset/requirements.txt\` names all three.
`;
}

const directory = mkdtempSync(join(tmpdir(), "siskin-superset-"));
const service = await startService();
try {
  install(directory);
  const outcome = await ask(directory, service.url);
  const different = await differences(outcome, service.url);
  for (const each of different) console.error(each);
  if (different.length > 0) process.exitCode = 1;
  else writeFileSync(PAGE, pageOf(outcome));
  console.log(`${outcome.steps.length} steps of Superset, ${different.length} differences`);
} finally {
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
}
