import { matchesGlob } from "node:path";
import { defineConfig } from "vitest/config";
import { ISOLATED } from "./projects.ts";
import { quickUnitFiles, SMOKE } from "./tier.ts";

const UNIT = { include: [...quickUnitFiles()], setupFiles: ["test/tiers/no-processes.ts"] };
const alone = UNIT.include.filter((file) => ISOLATED.some((pattern) => matchesGlob(file, pattern)));

/** `npm test`: unit files, and a smoke set that starts the service, DuckDB and PostgreSQL. Two minutes on two cores. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "unit", ...UNIT, exclude: [...ISOLATED], isolate: false } },
      { extends: true, test: { name: "alone", ...UNIT, include: [...alone] } },
      { extends: true, test: { name: "smoke", include: [...SMOKE], isolate: false } },
    ],
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
