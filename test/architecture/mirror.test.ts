/** Tests stand where what they test stands: a folder of a room's tests is one of the room. */
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** No folders of a room, with what they are. */
const OTHERS: Readonly<Record<string, string>> = {
  "connectors/worker": "a Worker that tests talk to",
  "connectors/remote/worker": "a Worker that tests talk to",
  "mcp/agent": "an agent without a model, which repairs statements by the answers",
  "mcp/worker": "a Worker that tests talk to",
  "planner/amplification": "every construct, nested thirty deep, on every dialect",
  "planner/hints": "hints of refusals, planned on the sources that give them",
  "sidecar/storm": "statements that crash, fill and hold the engine",
};

const ROOMS = readdirSync(join(ROOT, "test"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(home(entry.name)))
  .map(({ name }) => name);

/** The folder that the tests of `path` test; two rooms are beside `src/`. */
function home(path: string): string {
  return join(ROOT, /^(?:sidecar|supervisor)\b/.test(path) ? "" : "src", path);
}

const folders = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, "test", room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(join(ROOT, "test"), join(entry.parentPath, entry.name)))
    // Folders that tools leave.
    .filter((folder) => !folder.includes("/.")),
);

test("the scan finds the rooms", () => {
  expect(ROOMS).toEqual(expect.arrayContaining(["api", "connectors", "planner", "result", "service", "sidecar"]));
  expect(folders.length).toBeGreaterThan(30);
});

test("every folder of tests is one of what is tested", () => {
  const strangers = folders.filter((folder) => !existsSync(home(folder)));
  expect(strangers.sort()).toEqual(Object.keys(OTHERS).sort());
});
