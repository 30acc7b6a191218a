import { expect, test } from "vitest";
import { projectsDirectoryProblems } from "../../supervisor/projects-directory.ts";

const HERE = import.meta.dirname;

test.each([
  [undefined, "off", []],
  [undefined, "kv", []],
  [HERE, "files", []],
  [HERE, "off", ["PROJECTS_DIRECTORY is set, and PROJECTS is off: set PROJECTS=files"]],
  [HERE, "r2", ["PROJECTS_DIRECTORY is set, and PROJECTS is r2: set PROJECTS=files"]],
  [`${HERE}/nosuch`, "files", [expect.stringContaining("is no directory")]],
  [import.meta.filename, "files", [expect.stringContaining("is no directory")]],
] as const)("%s with PROJECTS=%s", (directory, kind, problems) => {
  expect(projectsDirectoryProblems({ PROJECTS_DIRECTORY: directory }, { PROJECTS: kind })).toEqual(problems);
});
