import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { MAX_MESSAGE, PostgresStream, type RowSink } from "../../../src/connectors/socket/postgres-stream.ts";
import type { Wire } from "../../../src/connectors/socket/wire.ts";
import { authenticationOk, dataRow, int32, loggedIn, message, readyForQuery } from "../../support/postgres-messages.ts";

interface PlayedWire extends Wire {
  readonly reads: number;
  readonly written: Buffer[];
  readonly closed: boolean;
}

/** Gives out the chunks one per read, then ends. */
function played(chunks: readonly Uint8Array[]): PlayedWire {
  let reads = 0;
  let closed = false;
  const written: Buffer[] = [];
  return {
    peer: "played",
    alwaysVerifies: false,
    get reads() {
      return reads;
    },
    get closed() {
      return closed;
    },
    written,
    read: async () => chunks[reads++],
    write: async (bytes) => {
      written.push(Buffer.from(bytes));
    },
    startTls: () => Promise.reject(new Error("not here")),
    close: () => {
      closed = true;
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function run(chunks: readonly Uint8Array[]): Promise<{ bytes: Buffer; failure: unknown; closed: boolean }> {
  const wire = played(chunks);
  const stream = new PostgresStream(wire);
  const received: Buffer[] = [];
  let failure: unknown;
  stream.on("data", (chunk: Buffer) => received.push(chunk));
  stream.on("error", (error) => {
    failure = error;
  });
  const ended = new Promise((resolve) => stream.on("close", resolve));
  stream.connect();
  await ended;
  return { bytes: Buffer.concat(received), failure, closed: wire.closed };
}

describe("reading", () => {
  it("stops while it is held and goes on afterwards", async () => {
    const wire = played(Array.from({ length: 100 }, () => loggedIn));
    const stream = new PostgresStream(wire);
    stream.on("data", () => {
      if (wire.reads === 3) stream.hold();
    });
    const ended = new Promise((resolve) => stream.on("close", resolve));
    stream.connect();
    for (let i = 0; i < 20; i++) await turn();
    expect(wire.reads).toBe(3);
    stream.resume();
    await ended;
    expect(wire.reads).toBe(101);
  });

  it("ends when it is destroyed while held", async () => {
    const wire = played(Array.from({ length: 100 }, () => loggedIn));
    const stream = new PostgresStream(wire);
    stream.hold();
    stream.connect();
    await turn();
    stream.destroy();
    stream.destroy();
    for (let i = 0; i < 5; i++) await turn();
    expect([wire.reads, wire.closed, stream.writable]).toEqual([1, true, false]);
  });

  it("passes every byte on, however the messages are cut", async () => {
    const all = Buffer.concat([
      loggedIn,
      dataRow("x".repeat(300)),
      message("C", Buffer.from("SELECT 1\0")),
      readyForQuery,
    ]);
    for (const size of [1, 2, 3, 4, 5, 6, 7, 64, all.length]) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.subarray(i * size, (i + 1) * size),
      );
      const { bytes, failure, closed } = await run(chunks);
      expect([bytes.equals(all), failure, closed]).toEqual([true, undefined, true]);
    }
  });

  it("gives rows to who takes them, and the rest to the driver, however the messages are cut", async () => {
    const rows = ["", "a", "b".repeat(300)].map((text) => dataRow(text));
    const taking = message("T", Buffer.from("from here on"));
    const notice = message("N", Buffer.from("not a row"));
    const ending = message("C", Buffer.from("SELECT 3\0"));
    const before = Buffer.concat([loggedIn, dataRow("before"), taking]);
    const after = Buffer.concat([ending, dataRow("after"), readyForQuery]);
    const empty = Buffer.from("D\0\0\0\u0004");
    const all = Buffer.concat([before, ...rows.slice(0, 2), notice, empty, ...rows.slice(2), after]);
    const taken = [...rows.slice(0, 2), empty, ...rows.slice(2)].map((row) => row.subarray(5));
    for (const size of [1, 2, 3, 4, 5, 6, 7, 8, 64, all.length]) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.subarray(i * size, (i + 1) * size),
      );
      const stream = new PostgresStream(played(chunks));
      const seen: Buffer[] = [];
      const bodies: { readonly length: number; parts: Buffer[]; isWhole: boolean }[] = [];
      const last = () => bodies.at(-1) ?? { length: 0, parts: [], isWhole: true };
      const sink: RowSink = {
        beginRow: (length) => void bodies.push({ length, parts: [], isWhole: false }),
        addToRow: (chunk, from, to) => void last().parts.push(Buffer.from(chunk.slice(from, to))),
        finishRow: () => {
          last().isWhole = true;
        },
      };
      stream.on("data", (chunk: Buffer) => {
        seen.push(chunk);
        // Like the driver: the content of a complete message decides how the next one is read.
        const all = Buffer.concat(seen);
        if (all.subarray(-taking.length).equals(taking)) stream.rows = sink;
        if (all.subarray(-ending.length).equals(ending)) stream.rows = undefined;
      });
      const ended = new Promise((resolve) => stream.on("close", resolve));
      stream.connect();
      await ended;
      expect(Buffer.concat(seen).equals(Buffer.concat([before, notice, after]))).toBe(true);
      expect(bodies.map(({ parts }) => Buffer.concat(parts))).toEqual(taken);
      expect(bodies.every(({ length, parts, isWhole }) => isWhole && Buffer.concat(parts).length === length)).toBe(
        true,
      );
    }
  });

  it.each<[string, Buffer, string]>([
    ["a type that is no letter", Buffer.from([7, 0, 0, 0, 4]), "UPSTREAM_PROTOCOL"],
    ["a length below four", Buffer.concat([loggedIn, Buffer.from("D"), int32(3)]), "UPSTREAM_PROTOCOL"],
    ["a negative length", Buffer.concat([loggedIn, Buffer.from("T"), int32(-1)]), "UPSTREAM_PROTOCOL"],
    [
      "too long a message before the session",
      Buffer.concat([authenticationOk, Buffer.from("S"), int32(70_000)]),
      "UPSTREAM_PROTOCOL",
    ],
    ["too long a row", Buffer.concat([loggedIn, Buffer.from("D"), int32(MAX_MESSAGE + 1)]), "SOURCE_ERROR"],
    [
      "too long another message",
      Buffer.concat([loggedIn, Buffer.from("T"), int32(MAX_MESSAGE + 1)]),
      "UPSTREAM_PROTOCOL",
    ],
  ])("refuses %s, also when it comes byte by byte", async (_, bytes, reason) => {
    for (const chunks of [[bytes], Array.from(bytes, (byte) => Buffer.from([byte]))]) {
      const { failure, closed } = await run(chunks);
      expect(failure).toBeInstanceOf(ConnectorFailure);
      expect([(failure as ConnectorFailure).reason, closed]).toEqual([reason, true]);
    }
  });

  it("calls what the driver throws over a message the server's fault", async () => {
    const wire = played([loggedIn]);
    const stream = new PostgresStream(wire);
    stream.on("data", () => {
      throw new RangeError("Invalid array length");
    });
    const failure = new Promise<ConnectorFailure>((resolve) => stream.on("error", resolve));
    stream.connect();
    expect((await failure).reason).toBe("UPSTREAM_PROTOCOL");
  });
});

describe("writing", () => {
  it("sends the messages of one turn together and in order", async () => {
    const wire = played([]);
    const stream = new PostgresStream(wire);
    const done: number[] = [];
    stream.write(Buffer.from("a"));
    stream.write(Buffer.from("b"), () => done.push(wire.written.length));
    await turn();
    stream.write(Buffer.from("c"));
    await turn();
    expect(wire.written.map(String)).toEqual(["ab", "c"]);
    expect(done).toEqual([1]);
  });

  it("tells a failure and ends", async () => {
    const broken = new ConnectorFailure("UPSTREAM_PROTOCOL", "broke");
    const stream = new PostgresStream({ ...played([]), write: () => Promise.reject(broken) });
    const failure = new Promise((resolve) => stream.on("error", resolve));
    const ended = new Promise((resolve) => stream.on("close", resolve));
    stream.write(Buffer.from("a"));
    expect(await failure).toBe(broken);
    await ended;
  });
});
