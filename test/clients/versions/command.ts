/**
 * `npm run clients`: the suites of the clients on every version of Python and Node that they support, as far as this machine has it or
 * npm brings it. Writes docs/evidence/clients.md.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startClientsService } from "../service.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PYTHON = join(ROOT, "clients/python");
const PAGE = join(ROOT, "docs/evidence/clients.md");
const PYTHONS = ["3.10", "3.11", "3.12", "3.13"];
const NODES = ["22", "24"];
const WITH_FRAMES = [
  "test_parameters",
  "test_transport",
  "test_dbapi",
  "test_compliance",
  "test_frames",
  "test_sqlalchemy",
];

interface Row {
  readonly runtime: string;
  readonly packages: string;
  readonly outcome: string;
}

const directory = mkdtempSync(join(tmpdir(), "siskin-versions-"));
const quiet = { stdio: ["ignore", "ignore", "inherit"] as ["ignore", "ignore", "inherit"] };

/** The client is installed from its wheel, so that nothing of the checkout helps it. */
function pythonRows(version: string, url: string): readonly Row[] {
  const found = spawnSync(`python${version}`, ["--version"], { encoding: "utf8" });
  if (found.status !== 0)
    return [{ runtime: `Python ${version}`, packages: "", outcome: "not run: it is not installed" }];
  const runtime = found.stdout.trim();
  const home = join(directory, version);
  execFileSync(`python${version}`, ["-m", "venv", home], quiet);
  const python = join(home, "bin/python");
  const pip = (...words: readonly string[]) =>
    execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...words], quiet);
  execFileSync(python, ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", home, PYTHON], quiet);
  pip(...globSync(join(home, "*.whl")));
  const suites = join(home, "suites");
  mkdirSync(suites);
  for (const file of globSync(join(PYTHON, "tests/*.py")))
    copyFileSync(file, join(suites, file.slice(file.lastIndexOf("/") + 1)));
  return [
    { packages: ["dbapi-compliance", "pandas", "polars", "pyarrow", "SQLAlchemy>=2,<3"], names: WITH_FRAMES },
    { packages: ["SQLAlchemy==1.4.54"], names: ["test_sqlalchemy"] },
  ].map(({ packages, names }) => {
    pip(...packages);
    const env = { ...process.env, SISKIN_URL: url, no_proxy: "127.0.0.1" };
    const { stderr, status } = spawnSync(python, ["-B", "-m", "unittest", ...names], {
      cwd: suites,
      env,
      encoding: "utf8",
    });
    if (status !== 0) console.error(stderr);
    const ran = /Ran (\d+) tests?/.exec(stderr)?.[1];
    const skipped = /skipped=(\d+)/.exec(stderr)?.[1];
    return {
      runtime,
      packages: versionsOf(python, packages),
      outcome: status === 0 ? `${ran} tests${skipped === undefined ? "" : `, ${skipped} skipped`}` : "**failed**",
    };
  });
}

function versionsOf(python: string, packages: readonly string[]): string {
  const names = packages.map((each) => each.split(/[=><]/)[0] ?? "");
  const listed = JSON.parse(
    execFileSync(python, ["-m", "pip", "list", "--format=json", "--disable-pip-version-check"], { encoding: "utf8" }),
  ) as readonly {
    readonly name: string;
    readonly version: string;
  }[];
  return names
    .map((name) => `${name} ${listed.find((each) => each.name.toLowerCase() === name.toLowerCase())?.version}`)
    .join(", ");
}

function nodeRow(version: string, url: string): Row {
  const home = join(directory, `node-${version}`);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{"type": "module"}');
  execFileSync(
    "npm",
    ["install", "--silent", "--prefix", home, `node-${process.platform}-${process.arch}@${version}`],
    quiet,
  );
  const node = join(home, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  execFileSync(process.execPath, [join(ROOT, "clients/typescript/build.mjs"), join(home, "client")], quiet);
  const program =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, "clients/typescript/README.md"), "utf8"))?.[1] ?? "";
  writeFileSync(
    join(home, "program.js"),
    program.replace("http://127.0.0.1:8787", url).replace("@siskin/client", "./client/index.js"),
  );
  const { stdout, stderr, status } = spawnSync(node, ["program.js"], { cwd: home, encoding: "utf8" });
  if (status !== 0) console.error(stderr);
  const runtime = `Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`;
  return {
    runtime,
    packages: "",
    outcome: status === 0 ? `the README's program: ${stdout.split("\n").length - 1} lines` : "**failed**",
  };
}

const service = await startClientsService();
try {
  const rows = [
    ...NODES.map((version) => nodeRow(version, service.url)),
    ...PYTHONS.flatMap((version) => pythonRows(version, service.url)),
  ];
  writeFileSync(
    PAGE,
    `# Clients on every version

\`npm run evidence -- clients\` installs \`siskin-sql\` from its wheel and \`@siskin/client\` as it is built, and runs them against the service with the
projects of \`test/clients/service.ts\`. Chromium and workerd run in every gate (\`test/clients/typescript/package.test.ts\`). A skipped test is pandas
over SQLAlchemy 1.4, which pandas 3 does not support.

| Runtime | Packages | Outcome |
|---|---|---|
${rows.map(({ runtime, packages, outcome }) => `| ${runtime} | ${packages} | ${outcome} |`).join("\n")}
`,
  );
  for (const row of rows) console.log(`${row.runtime}: ${row.outcome} ${row.packages}`);
  if (rows.some(({ outcome }) => outcome.includes("failed"))) process.exitCode = 1;
} finally {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}
