import { defineConfig } from "vitest/config";
import { projects } from "./test/tiers/projects.ts";
import { quickUnitFiles, SMOKE } from "./test/tiers/tier.ts";

/** The gate runs `npm test` first, and here what that left out. */
const done = process.env["TESTS"] === "rest" ? [...quickUnitFiles(), ...SMOKE] : [];

/** `npm run test:all`, and every single file by its name: all that needs nothing but `npm ci`. */
export default defineConfig({
  test: {
    projects: projects(["test/**/*.test.ts"], ["test/engines/**", ...done]),
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
