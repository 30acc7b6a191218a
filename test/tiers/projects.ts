import type { TestProjectConfiguration } from "vitest/config";

/** One process of vitest loads each module once for all its files, which takes a fifth less time; a few files need a process of their own. */
export const ISOLATED: readonly string[] = [
  // Miniflare reads its trusted certificate authorities when its module loads, and these files set them.
  "test/connectors/{mysql,postgres}/workerd.test.ts",
  // These count all timers or let minutes pass on a fake clock, where a timer that an earlier file left would count and run, too.
  "test/cache/flights.test.ts",
  "test/connectors/http/statement-api.test.ts",
  "test/connectors/remote/remote.test.ts",
  "test/connectors/watch.test.ts",
  "test/service/{deadline,in-flight,query}.test.ts",
];

/** `test/judges` has packages of its own. */
const PACKAGES = "**/node_modules/**";

export const projects = (include: readonly string[], exclude: readonly string[]): TestProjectConfiguration[] => [
  {
    extends: true,
    test: { name: "tests", include: [...include], exclude: [PACKAGES, ...exclude, ...ISOLATED], isolate: false },
  },
  { extends: true, test: { name: "alone", include: [...ISOLATED], exclude: [PACKAGES, ...exclude] } },
];
