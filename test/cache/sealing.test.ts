import { describe, expect, it } from "vitest";
import { createSealer } from "../../src/cache/sealing.ts";

const SECRET = "the secret of the tests, long enough";
const FRAMES = new TextEncoder().encode("rows");
const ENTRY = { createdAt: 1_743_984_000_123, frames: FRAMES };

describe("names", () => {
  const sealer = createSealer(SECRET);

  it("are the same for the same parts, here and in another isolate", async () => {
    const name = await sealer.nameOf(["postgres", "SELECT 1"]);
    expect(name).toMatch(/^siskin:1:[0-9a-f]{64}$/);
    expect(await createSealer(SECRET).nameOf(["postgres", "SELECT 1"])).toBe(name);
  });

  it.each([
    ["another part", ["postgres", "SELECT 2"]],
    ["parts in another order", ["SELECT 1", "postgres"]],
    ["the same text, cut elsewhere", ["postgresS", "ELECT 1"]],
    ["the same text in one part", ["postgresSELECT 1"]],
    ["an empty part more", ["postgres", "SELECT 1", ""]],
    ["a part that looks like two with their lengths", ["postgres\0\0\0\bSELECT 1"]],
  ])("differ for %s", async (_, parts) => {
    expect(await sealer.nameOf(parts)).not.toBe(await sealer.nameOf(["postgres", "SELECT 1"]));
  });

  it("differ by secret, and show neither secret nor part", async () => {
    const parts = ["hunter2-hunter2"];
    const name = await sealer.nameOf(parts);
    expect(await createSealer(`${SECRET}!`).nameOf(parts)).not.toBe(name);
    expect(name).not.toContain("hunter2");
  });
});

describe("values", () => {
  const sealer = createSealer(SECRET);

  it.each([
    ["small", new Uint8Array([1, 2, 3])],
    ["empty", new Uint8Array(0)],
    ["large and regular", new Uint8Array(200_000).fill(7)],
    ["large and random", randomBytes(200_000)],
  ])("come back as they were: %s", async (_, frames) => {
    const value = await sealer.seal("name", { createdAt: 5, frames });
    const opened = await sealer.open("name", value);
    expect(opened?.createdAt).toBe(5);
    expect(Buffer.from(opened!.frames).equals(Buffer.from(frames))).toBe(true);
  });

  it("are smaller where that pays, and never show what is in them", async () => {
    const frames = new TextEncoder().encode("a row of somebody, ".repeat(10_000));
    const value = await sealer.seal("name", { createdAt: 5, frames });
    expect(value.length).toBeLessThan(frames.length / 4);
    expect(Buffer.from(value).includes("somebody")).toBe(false);
    const small = await sealer.seal("name", ENTRY);
    expect(Buffer.from(small).includes("rows")).toBe(false);
  });

  it("are never the same bytes twice", async () => {
    expect(await sealer.seal("name", ENTRY)).not.toEqual(await sealer.seal("name", ENTRY));
  });

  it("cannot be opened under another name", async () => {
    expect(await sealer.open("another", await sealer.seal("name", ENTRY))).toBeUndefined();
  });

  it("cannot be opened with another secret", async () => {
    expect(await createSealer(`${SECRET}!`).open("name", await sealer.seal("name", ENTRY))).toBeUndefined();
  });

  it("cannot be opened when they were cut anywhere", async () => {
    const value = await sealer.seal("name", ENTRY);
    for (let length = 0; length < value.length; length++) {
      expect(await sealer.open("name", value.subarray(0, length))).toBeUndefined();
    }
  });

  it("cannot be opened when any byte is another one, that of the version among them", async () => {
    const value = await sealer.seal("name", ENTRY);
    for (let index = 0; index < value.length; index++) {
      const changed = value.slice();
      changed[index]! ^= 1;
      expect(await sealer.open("name", changed)).toBeUndefined();
    }
  });

  it("cannot be opened with bytes behind them", async () => {
    const value = await sealer.seal("name", ENTRY);
    expect(await sealer.open("name", Uint8Array.from([...value, 0]))).toBeUndefined();
  });
});

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  // The platform hands out 64 KiB at a time.
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}
