import { defineConfig } from "vitest/config";
import { quickUnitFiles, SMOKE } from "./tier.ts";

/** `npm test`: unit files, and a smoke set that starts the service, DuckDB and PostgreSQL. Two minutes on two cores. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [...quickUnitFiles()],
          isolate: false,
          setupFiles: ["test/tiers/no-processes.ts"],
        },
      },
      { extends: true, test: { name: "smoke", include: [...SMOKE], isolate: false } },
    ],
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
