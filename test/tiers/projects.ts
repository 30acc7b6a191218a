import type { TestProjectConfiguration } from "vitest/config";

/** Miniflare reads its trusted certificate authorities when its module loads, and these files set them. */
const ISOLATED = ["test/connectors/{mysql,postgres}/workerd.test.ts"];

/** One process of vitest loads each module once for all its files, which takes a fifth less time; a few files need fresh modules. */
/** `test/judges` has packages of its own. */
const PACKAGES = "**/node_modules/**";

export const projects = (include: readonly string[], exclude: readonly string[]): TestProjectConfiguration[] => [
  {
    extends: true,
    test: { name: "tests", include: [...include], exclude: [PACKAGES, ...exclude, ...ISOLATED], isolate: false },
  },
  { extends: true, test: { name: "alone", include: ISOLATED, exclude: [PACKAGES, ...exclude] } },
];
