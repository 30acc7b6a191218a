import { defineConfig } from "vitest/config";
import { projects } from "./vitest.projects.config.ts";

export default defineConfig({
  test: {
    projects: projects(["test/**/*.test.ts"], ["test/engines/**"]),
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
