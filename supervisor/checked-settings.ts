/**
 * Checks the settings of an image before anything is started: a process of its own, which ends, so that the supervisor does not
 * keep the schemas in memory for as long as it runs. Prints the supervisor's own settings as JSON.
 */

import { WRONG_SETTINGS } from "../src/config/exit-code.ts";
import { readSupervisorSettings, readWorkerSettings, workerSettings } from "../src/config.ts";

const supervisor = readSupervisorSettings(process.env);
// The sidecar checks its own. workerd has no variables but these.
const given = Object.keys(workerSettings).map((name) => [name, process.env[name]]);
const worker = process.argv[2] === "api" ? readWorkerSettings(Object.fromEntries(given)) : undefined;
const problems = [supervisor, worker].flatMap((outcome) => (outcome?.ok === false ? outcome.problems : []));
if (supervisor.ok && problems.length === 0) {
  process.stdout.write(JSON.stringify(supervisor.settings));
} else {
  process.stderr.write(`${problems.join("; ")}. See docs/configuration.md\n`);
  process.exitCode = WRONG_SETTINGS;
}
