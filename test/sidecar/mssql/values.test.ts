/** Values by their bytes. `test/engines/judges/tedious.test.ts` reads the same bytes by Microsoft's client. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlanColumn } from "../../../src/planner/plan.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { columns, compressedRow, hex, LATIN1, row, u8, u16, ucs2 } from "../../support/tds-messages.ts";
import { type FakeMsSql, startFakeMsSql } from "../../support/tds-server.ts";
import { connectionTo, open } from "./fixture.ts";
import { VALUES } from "./values.ts";

let server: FakeMsSql;
/** Said in answer to a statement of ours. */
let parts: readonly Buffer[] = [];
beforeAll(async () => {
  server = await startFakeMsSql(
    function* (text) {
      if (!/^SELECT/.test(text)) return;
      yield* parts;
    },
    { encryption: 2 },
  );
});
afterAll(() => server.close());

async function read(answer: readonly Buffer[], meant: readonly PlanColumn[] = []) {
  parts = answer;
  const connector = await open(connectionTo(server, { kwargs: { Encrypt: "no" } }));
  try {
    const result = await connector.query({ ...plain("SELECT x"), columns: meant }, patient());
    return { columns: result.columns, rows: await drain(result) };
  } finally {
    await connector.close();
  }
}

const NAMES = VALUES.map(({ name, type }) => ({ name, type }));
const ALL = row(...VALUES.map(({ bytes }) => bytes));

describe("values of every type", () => {
  it("come as they are, in rows of both kinds", async () => {
    const compressed = compressedRow(...VALUES.map(({ value, bytes }) => (value === null ? null : bytes)));
    const nulls = compressedRow(...VALUES.map(() => null));
    const { columns: told, rows } = await read([columns(NAMES), ALL, compressed, nulls, ALL]);
    expect(told).toEqual(VALUES.map(({ name, logical }) => ({ name, type: logical })));
    const expected = VALUES.map(({ name, value }) => [name, value]);
    for (const index of [0, 1, 3]) {
      expect(rows[index]?.map((value, at) => [VALUES[at]?.name, value])).toEqual(expected);
    }
    expect(rows[2]?.every((value) => value === null)).toBe(true);
  });

  it("come as they are wherever packets cut them", async () => {
    const whole = await startFakeMsSql(
      function* (text) {
        if (/^SELECT/.test(text)) yield* [columns(NAMES), ALL, ALL];
      },
      { encryption: 2, packetBytes: 512 },
    );
    const connector = await open(connectionTo(whole, { kwargs: { Encrypt: "no" } }));
    const rows = await drain(await connector.query(plain("SELECT x"), patient()));
    expect(rows).toEqual([VALUES.map(({ value }) => value), VALUES.map(({ value }) => value)]);
    await connector.close();
    await whole.close();
  });
});

const nvarchar = Buffer.concat([hex("e7 40 1f"), LATIN1]);
const max = Buffer.concat([hex("e7 ff ff"), LATIN1]);

describe("documents of arrays", () => {
  const told = columns(["n", "s", "x"].map((name) => ({ name, type: max })));
  const meant = (["integer", "text"] as const).map((kind, index): PlanColumn => {
    const element = kind === "integer" ? ({ kind, bits: 32 } as const) : ({ kind } as const);
    return { name: "ns"[index] ?? "", type: { kind: "array", element }, nullable: true };
  });
  const whole = (text: string): Buffer => {
    const bytes = Buffer.from(text, "utf16le");
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(BigInt(bytes.length));
    head.writeUInt32LE(bytes.length, 8);
    return Buffer.concat([head, bytes, Buffer.alloc(bytes.length === 0 ? 0 : 4)]);
  };

  it("come as lists where the plan has arrays", async () => {
    const answer = await read(
      [told, row(whole("[1, null,-2]"), whole('["x","q\\"\\/"]'), whole("[1]")), compressedRow(null, null, null)],
      meant,
    );
    expect(answer.columns).toEqual([
      { name: "n", type: { kind: "list", element: { kind: "int32" } } },
      { name: "s", type: { kind: "list", element: { kind: "string" } } },
      { name: "x", type: { kind: "string" } },
    ]);
    expect(answer.rows).toEqual([
      [[1, null, -2], ["x", 'q"/'], "[1]"],
      [null, null, null],
    ]);
  });

  it.each(["[1", "{}", '["1"]', "[[1]]"])("are refused as %s", async (document) => {
    const failure = await failureOf(read([told, row(whole(document), whole("[]"), whole(""))], meant));
    expect([failure.reason, failure.message]).toEqual([
      "SOURCE_ERROR",
      expect.stringMatching(/^Column "n" holds a value that cannot be represented: /),
    ]);
  });
});

describe("what is no value of its type", () => {
  it.each<[string, Buffer, Buffer, string]>([
    ["half a pair of UTF-16", nvarchar, Buffer.concat([u16(2), hex("00 d8")]), "SOURCE_ERROR"],
    ["bytes that are not UTF-8", hex("a7 40 1f 09 04 d0 24 00"), Buffer.concat([u16(2), hex("c3 28")]), "SOURCE_ERROR"],
    [
      "a byte that a code page does not have",
      hex("a7 40 1f 08 04 d0 00 00"),
      Buffer.concat([u16(1), hex("aa")]),
      "SOURCE_ERROR",
    ],
    [
      "a code page that nobody knows",
      hex("a7 40 1f ff 7f d0 00 00"),
      Buffer.concat([u16(1), hex("80")]),
      "SOURCE_ERROR",
    ],
    ["a day behind the calendar's end", hex("28"), hex("03 ff ff ff"), "SOURCE_ERROR"],
    ["a time that is no time of day", hex("29 07"), hex("05 ff ff ff ff ff"), "SOURCE_ERROR"],
    ["an int of three bytes", hex("26 04"), hex("03 01 02 03"), "UPSTREAM_PROTOCOL"],
    ["an int of eight bytes in a column of four", hex("26 04"), hex("08 01 02 03 04 05 06 07 08"), "UPSTREAM_PROTOCOL"],
    ["a text of an odd number of bytes", nvarchar, hex("03 00 41 00 42"), "UPSTREAM_PROTOCOL"],
    [
      "chunks of another length than was told",
      max,
      Buffer.concat([hex("09 00 00 00 00 00 00 00 02 00 00 00"), ucs2("a"), hex("00 00 00 00")]),
      "UPSTREAM_PROTOCOL",
    ],
    ["a decimal of two bytes", hex("6c 05 05 02"), hex("02 01 05"), "UPSTREAM_PROTOCOL"],
    ["a variant whose type is longer than it", hex("62 49 1f 00 00"), hex("02 00 00 00 38 09"), "UPSTREAM_PROTOCOL"],
  ])("%s", async (_name, type, bytes, reason) => {
    const failure = await failureOf(read([columns([{ name: "c", type }]), row(bytes)]));
    expect(failure.reason).toBe(reason);
    if (reason === "SOURCE_ERROR") {
      expect(failure.message).toMatch(/^Column "c" holds a value that cannot be represented: /);
      expect(failure.hint).toBe("Cast the column to VARBINARY(MAX).");
    }
  });

  it.each<[string, Buffer, string]>([
    ["a type that is not known", hex("f7 00"), "The server sends a type that is not known (0xf7)."],
    ["an int of five bytes", hex("26 05"), "The server's answer is not SQL Server's protocol."],
    ["a time of nine digits", hex("29 09"), "The server's answer is not SQL Server's protocol."],
    ["a decimal of 39 digits", hex("6c 11 27 00"), "The server's answer is not SQL Server's protocol."],
  ])("a column of %s", async (_name, type, message) => {
    expect((await failureOf(read([columns([{ name: "c", type }]), row(u8(0))]))).message).toBe(message);
  });

  it("a row that is too large", async () => {
    const part = Buffer.concat([hex("00 00 10 00"), Buffer.alloc(1024 * 1024, 0x20)]);
    const chunks = Array.from({ length: 18 }, () => part);
    const failure = await failureOf(
      read([
        columns([{ name: "c", type: max }]),
        u8(0xd1),
        hex("fe ff ff ff ff ff ff ff"),
        ...chunks,
        hex("00 00 00 00"),
      ]),
    );
    expect([failure.reason, failure.message]).toEqual(["SOURCE_ERROR", "A row is larger than the 16 MiB that fit."]);
  });
});
