import { defineConfig } from "vitest/config";

/** Tests that `npm run parity -- --source … --connection …` runs on somebody's own account. */
export default defineConfig({
  test: { include: ["test/parity/own/*.own.ts"], testTimeout: 180_000, hookTimeout: 180_000 },
});
