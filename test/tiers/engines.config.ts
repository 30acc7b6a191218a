import { defineConfig } from "vitest/config";
import { projects } from "./projects.ts";

/** Suites that need more than Node: engines to be started, texts to be fetched. What is absent is reported as not run. */
export default defineConfig({
  test: {
    projects: projects(
      [
        "test/engines/**/*.test.ts",
        // With what `npm run engines` brings, where `npm run test:all` ran before it was there.
        "test/connectors/clickhouse/**/*.test.ts",
        "test/acceptance/planner-cases-{clickhouse,mysql,spark,trino}.test.ts",
        "test/connectors/{doris,mysql}/**/*.test.ts",
        "test/docs/compatibility.test.ts",
        "test/e2e/{clickhouse,doris,mysql,spark,trino}*.test.ts",
        "test/security/access-{clickhouse,mysql,spark,trino}.test.ts",
        "test/security/fences-{clickhouse,mysql,spark,trino}.test.ts",
        "test/security/noninterference/{clickhouse,mysql,spark,trino}.test.ts",
        "test/sidecar/contract.test.ts",
        "test/support/clickhouse.test.ts",
        "test/support/mysql.test.ts",
      ],
      [],
    ),
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
