import { expect, it } from "vitest";
import { openInTime } from "../../../sidecar/duckdb/opening.ts";

class Opened {
  isClosed = false;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** Opens `Opened`s by the numbers of the attempts. One that waits is opened by `release`. */
function attempts(waiting: number) {
  const held: (() => void)[] = [];
  const opened: Opened[] = [];
  const open = async (): Promise<Opened> => {
    const made = new Opened(String(opened.length + 1));
    opened.push(made);
    if (opened.length <= waiting) await new Promise<void>((resolve) => held.push(resolve));
    return made;
  };
  const release = async (): Promise<void> => {
    for (const go of held) go();
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { open, opened, release };
}

it.each([
  [0, "1"],
  [1, "2"],
  [2, "3"],
])("%i attempts that wait for ever", async (waiting, name) => {
  const { open, opened, release } = attempts(waiting);
  expect((await openInTime(open, 1)).name).toBe(name);
  await release();
  expect(opened.map(({ isClosed }) => isClosed)).toEqual(opened.map((each) => each.name !== name));
});

it("a failure is not tried again", async () => {
  let count = 0;
  const failing = (): Promise<Opened> => {
    count++;
    return Promise.reject(new Error("no memory"));
  };
  await expect(openInTime(failing, 1)).rejects.toThrow("no memory");
  expect(count).toBe(1);
});
