/** Projects without authentication are served at loopback addresses alone, unless the operator opens them. */
import { expect, test } from "vitest";
import { reachableProjectProblems } from "../../src/config/projects.ts";

test.each([
  [{ PROJECTS: "off", PROJECTS_OPEN: false, AUTH: "none" }, 0],
  [{ PROJECTS: "files", PROJECTS_OPEN: false, AUTH: "keys" }, 0],
  [{ PROJECTS: "files", PROJECTS_OPEN: true, AUTH: "none" }, 0],
  [{ PROJECTS: "files", PROJECTS_OPEN: false, AUTH: "none" }, 1],
  [{ PROJECTS: "kv", PROJECTS_OPEN: false, AUTH: "none" }, 1],
] as const)("%j at an address that others reach has %i problems", (settings, count) => {
  expect(reachableProjectProblems(settings)).toHaveLength(count);
});
