/** The CONTEXT.md of each room of the planner, and of the connectors. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../../src");

const rooms = [
  "connectors",
  ...readdirSync(join(SRC, "planner"), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`planner/${entry.name}`] : [],
  ),
];

describe.each(rooms)("%s", (room) => {
  const page = readFileSync(join(SRC, room, "CONTEXT.md"), "utf8");

  test("says what the room takes, gives and never does", () => {
    expect(page.split("\n")[0]).toMatch(new RegExp(`^# ${room}: [a-z]`));
    const parts = [...page.matchAll(/^\* \*\*(\w+(?: \w+)?):\*\* .+/gm)].map(([, part]) => part);
    expect(parts).toEqual(["Takes", "Gives", "Never", "Read first"]);
  });

  test("names only files that exist", () => {
    const named = [...page.matchAll(/`([\w/-]+(?:\.ts|\/))`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !existsSync(join(SRC, room, name)))).toEqual([]);
  });
});
