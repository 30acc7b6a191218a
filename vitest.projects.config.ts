import type { TestProjectConfiguration } from "vitest/config";

/** Miniflare reads whom to trust when it is loaded, and these set it. */
const OF_THEIR_OWN = ["test/connectors/{mysql,postgres}/workerd.test.ts"];

/**
 * A worker's modules are loaded once for all files that it runs, which takes a fifth less time than once for each; but for those files
 * that need them anew.
 */
export const projects = (include: readonly string[], exclude: readonly string[]): TestProjectConfiguration[] => [
  {
    extends: true,
    test: { name: "tests", include: [...include], exclude: [...exclude, ...OF_THEIR_OWN], isolate: false },
  },
  { extends: true, test: { name: "alone", include: OF_THEIR_OWN, exclude: [...exclude] } },
];
