/** Contradictions between the settings of projects and the directory that the supervisor gives to workerd. */
import { statSync } from "node:fs";
import type { SupervisorSettings, WorkerSettings } from "../src/config.ts";

/** One sentence per contradiction. workerd would end without one for a directory that does not exist. */
export function projectsDirectoryProblems(
  { PROJECTS_DIRECTORY: directory }: Pick<SupervisorSettings, "PROJECTS_DIRECTORY">,
  { PROJECTS: kind }: Pick<WorkerSettings, "PROJECTS">,
): readonly string[] {
  if (directory === undefined) return [];
  if (kind !== "files") return [`PROJECTS_DIRECTORY is set, and PROJECTS is ${kind}: set PROJECTS=files`];
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return [];
  return ["PROJECTS_DIRECTORY is no directory: mount it, or write it by siskin push"];
}
