/**
 * Checks the settings of an image before anything is started: a process of its own, which ends, so that the supervisor does not
 * keep the schemas in memory for as long as it runs. Prints the supervisor's own settings as JSON.
 */

import { WRONG_SETTINGS } from "../src/config/exit-code.ts";
import { reachableProjectProblems } from "../src/config/projects.ts";
import { readSupervisorSettings, readWorkerSettings, workerSettings } from "../src/config.ts";
import { projectsDirectoryProblems } from "./projects-directory.ts";

const supervisor = readSupervisorSettings(process.env);
// The sidecar checks its own. workerd has no variables but these.
const given: [name: string, value: unknown][] = Object.keys(workerSettings).map((name) => [name, process.env[name]]);
// The configuration with projects binds the directory.
if (supervisor.ok && supervisor.settings.PROJECTS_DIRECTORY !== undefined) given.push(["PROJECT_FILES", {}]);
const worker = process.argv[2] === "api" ? readWorkerSettings(Object.fromEntries(given)) : undefined;
// The Worker would find a wrong connection at the first request, and answer 503 from then on. The sidecar's image does not load the
// schemas of connections for its check.
const connections =
  supervisor.ok && worker?.ok
    ? (await import("../src/connectors/named.ts")).readNamedConnections(
        worker.settings.CONNECTIONS,
        {},
        {
          sidecar: worker.settings.SIDECAR_URL !== undefined,
          filesWorker: supervisor.settings.FILES_WORKER === "on",
          allowPrivateHosts: worker.settings.ALLOW_PRIVATE_HOSTS,
        },
      )
    : undefined;
// A container's address is one that others reach.
const reachable = worker?.ok ? reachableProjectProblems(worker.settings) : [];
const directory = worker?.ok && supervisor.ok ? projectsDirectoryProblems(supervisor.settings, worker.settings) : [];
const problems = [supervisor, worker, connections]
  .flatMap((outcome) => (outcome?.ok === false ? outcome.problems : []))
  .concat(reachable, directory);
if (supervisor.ok && problems.length === 0) {
  process.stdout.write(JSON.stringify(supervisor.settings));
} else {
  process.stderr.write(`${problems.join("; ")}. See docs/reference/configuration.md\n`);
  process.exitCode = WRONG_SETTINGS;
}
