/** The clients against a running service, with the packages that `npm run engines` installs. */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runSuites } from "../clients/python/python.ts";
import { startClientsService } from "../clients/service.ts";
import type { McpService } from "../mcp/mcp-service.ts";
import { blocksOf } from "../support/documents.ts";
import { hasModule, PYTHON } from "./unexecuted/readers.ts";

const [SQLALCHEMY_1] = globSync(join(import.meta.dirname, "../../.siskin/sqlalchemy1/lib/python*/site-packages"));

let service: McpService;
beforeAll(async () => {
  service = await startClientsService();
});
afterAll(() => service?.close());

const has =
  hasModule("dbapi20") && hasModule("sqlalchemy") && hasModule("pandas") && hasModule("polars") && hasModule("pyarrow");

describe.skipIf(!has)(
  has ? "the Python client" : "not run: the packages of the Python client (npm run engines)",
  () => {
    test.each(["test_dbapi", "test_compliance", "test_frames", "test_sqlalchemy"])("%s", async (suite) => {
      const { ran, skipped } = await runSuites(PYTHON, [suite], { SISKIN_URL: service.url });
      expect(ran).toBeGreaterThan(5);
      expect(skipped).toBe(0);
    });

    const README = readFileSync(join(import.meta.dirname, "../../clients/python/README.md"), "utf8");
    const programs = blocksOf(README).filter(({ language }) => language === "python");

    test.each(programs.map(({ text }, index) => [index + 1, text]))("example %i of the README", (_, text) => {
      const registered = [
        "from sqlalchemy.dialects import registry",
        'registry.register("siskin.http", "siskin_sql.sqlalchemy", "SiskinHttpDialect")',
      ];
      const program = [...registered, text].join("\n").replaceAll("http://127.0.0.1:8787", service.url);
      const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, "../../clients/python/src") };
      const out = execFileSync(PYTHON, ["-B", "-c", program], { encoding: "utf8", env });
      expect(out).toMatch(/^(?:\['status', 'total'\]\n.*F .*|True|\d+)/s);
    });

    test.skipIf(SQLALCHEMY_1 === undefined)("the packed file brings the module and its SQLAlchemy dialect", () => {
      const directory = mkdtempSync(join(tmpdir(), "siskin-wheel-"));
      try {
        const python = join(import.meta.dirname, "../../.siskin/sqlalchemy1/bin/python");
        const pip = (...words: readonly string[]) =>
          execFileSync(python, [
            "-m",
            "pip",
            "--quiet",
            "--disable-pip-version-check",
            ...words,
            "--no-deps",
            "--no-index",
          ]);
        // Building writes beside the sources, so it has a copy.
        cpSync(join(import.meta.dirname, "../../clients/python"), join(directory, "python"), { recursive: true });
        pip("wheel", "--no-build-isolation", "--wheel-dir", directory, join(directory, "python"));
        pip("install", "--target", join(directory, "installed"), ...globSync(join(directory, "*.whl")));
        const program = `import sqlalchemy as sa; print(sa.inspect(sa.create_engine("${service.url.replace("http:", "siskin+http:")}/shop")).get_table_names())`;
        const env = { ...process.env, PYTHONPATH: join(directory, "installed"), no_proxy: "127.0.0.1" };
        expect(execFileSync(python, ["-c", program], { encoding: "utf8", env, cwd: directory })).toBe(
          "['customers', 'nations', 'orders']\n",
        );
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    });

    test.skipIf(SQLALCHEMY_1 === undefined)("test_sqlalchemy with SQLAlchemy 1.4", async () => {
      const environment = { SISKIN_URL: service.url, PYTHONPATH: String(SQLALCHEMY_1) };
      const { ran, skipped } = await runSuites(PYTHON, ["test_sqlalchemy"], environment);
      expect(ran).toBeGreaterThan(5);
      // pandas 3 needs SQLAlchemy 2.
      expect(skipped).toBe(1);
    });
  },
);
