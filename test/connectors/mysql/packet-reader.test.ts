import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { PacketReader } from "../../../src/connectors/mysql/packet-reader.ts";

const of = (...bytes: readonly number[]): PacketReader => new PacketReader(Buffer.from(bytes));

describe("integers of several sizes", () => {
  it.each<[readonly number[], number | undefined]>([
    [[0], 0],
    [[250], 250],
    [[0xfb], undefined],
    [[0xfc, 0xfb, 0], 251],
    [[0xfc, 0xff, 0xff], 65_535],
    [[0xfd, 0, 0, 1], 65_536],
    [[0xfe, 0, 0, 0, 0, 1, 0, 0, 0], 4_294_967_296],
  ])("%j is %s", (bytes, value) => expect(of(...bytes).lengthEncoded()).toBe(value));

  it.each([[[]], [[0xfc, 1]], [[0xff]], [[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]])(
    "%j is none",
    (bytes) => {
      expect(() => of(...bytes).lengthEncoded()).toThrow("not the MySQL protocol");
    },
  );
});

it.each([[[0xff]], [[0xc3]], [[0xed, 0xa0, 0x80]], [[0xf4, 0x90, 0x80, 0x80]]])("%j is refused as a text", (bytes) => {
  expect(() => of(bytes.length, ...bytes).text()).toThrow("not UTF-8");
});

it("a value that is longer than its packet is refused", () => {
  for (const read of [(packet: PacketReader) => packet.text(), (packet: PacketReader) => packet.data()]) {
    expect(() => read(of(5, 1, 2))).toThrow("not the MySQL protocol");
  }
});

it("bytes are a copy, since the packet's are used again", () => {
  const bytes = Buffer.of(2, 7, 8);
  const data = new PacketReader(bytes).data();
  bytes.fill(0);
  expect([data.constructor.name, ...data]).toEqual(["Uint8Array", 7, 8]);
});
