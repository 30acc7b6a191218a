import { describe, expect, it } from "vitest";
import { answerBody } from "../../src/api/answer-body.ts";
import { AnswerHolds } from "../../src/api/answer-hold.ts";
import type { EncodedAnswer } from "../../src/result/encode/encoder.ts";

const PIECE = new TextEncoder().encode("[1]");
const LOST = new Error("lost");
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await undefined;
};
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const never = (): Promise<never> => new Promise<never>(() => {});

interface Script {
  /** The event that each piece waits for. */
  readonly waits: readonly (() => Promise<unknown>)[];
  /** `over`: the last piece ends the answer; `more`: pieces without end follow; `fails`: the source throws behind the pieces. */
  readonly end: "over" | "more" | "fails";
  /** The format's text for a failure. */
  readonly lastWords?: Uint8Array;
}

class FakeAnswer implements EncodedAnswer {
  isOver = false;
  isCancelled = false;
  failure: { readonly error: unknown } | undefined;
  reads = 0;
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { waits, end, lastWords } = this.#script;
    const wait = waits[this.reads++];
    if (wait !== undefined) {
      await wait();
      this.isOver = end === "over" && this.reads === waits.length;
      return PIECE;
    }
    if (end !== "fails") return end === "more" ? PIECE : undefined;
    if (this.failure === undefined) {
      this.failure = { error: LOST };
      if (lastWords !== undefined) return lastWords;
    }
    throw LOST;
  }

  async cancel(): Promise<void> {
    this.isCancelled = true;
  }
}

const holds = (change: object = {}): AnswerHolds => new AnswerHolds({ milliseconds: 30_000, bytes: 10, ...change });
const bodyOf = (answer: EncodedAnswer, limits = holds()) => answerBody(answer, limits, () => undefined);

describe("an answer is sent whole", () => {
  it.each<[string, Script["waits"]]>([
    ["that is there", [() => turns(0)]],
    ["that layers pass on", [() => turns(30)]],
    ["that a thousand layers pass on", [() => turns(1000)]],
    ["that comes in a moment", [soon]],
    ["of several pieces", [() => turns(0), soon, soon]],
  ])("%s", async (_name, waits) => {
    const body = await bodyOf(new FakeAnswer({ waits, end: "over" }));
    expect(body).toBeInstanceOf(Uint8Array);
    expect(new TextDecoder().decode(body as Uint8Array)).toBe("[1]".repeat(waits.length));
  });
});

describe("an answer is sent as it comes", () => {
  it("that is longer than what is held, which it begins with", async () => {
    const answer = new FakeAnswer({ waits: [], end: "more" });
    const body = await bodyOf(answer);
    expect(body).toBeInstanceOf(ReadableStream);
    // Ten bytes are reached by the fourth piece.
    expect(answer.reads).toBe(4);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    for (let piece = 0; piece < 6; piece++) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toBe("[1]".repeat(6));
    expect(answer.reads).toBe(6);
  });

  it.each<[string, object, Script]>([
    ["that takes longer than it is held for", { milliseconds: 1 }, { waits: [() => turns(0), never], end: "over" }],
    ["whose first piece takes long", { milliseconds: 1 }, { waits: [never], end: "over" }],
    ["where none is held", { bytes: 0 }, { waits: [() => turns(0)], end: "more" }],
  ])("%s", async (_name, limits, script) => {
    const body = await bodyOf(new FakeAnswer(script), holds(limits));
    expect(body).toBeInstanceOf(ReadableStream);
  });

  it("without room for one more among those that an isolate holds", async () => {
    const limits = holds({ bytes: 5 * 1024 * 1024 });
    const first = new FakeAnswer({ waits: [never], end: "over" });
    void bodyOf(first, limits);
    const second = new FakeAnswer({ waits: [() => turns(0)], end: "more" });
    expect(await bodyOf(second, limits)).toBeInstanceOf(ReadableStream);
    expect(second.reads).toBe(1);
  });

  it("and gives its room back", async () => {
    const limits = holds({ bytes: 8 * 1024 * 1024 });
    for (let answers = 0; answers < 3; answers++) {
      expect(await bodyOf(new FakeAnswer({ waits: [soon, soon], end: "over" }), limits)).toBeInstanceOf(Uint8Array);
    }
  });
});

describe("a failure while an answer is held", () => {
  it.each<[string, Script]>([
    ["behind the first piece", { waits: [() => turns(0)], end: "fails" }],
    ["behind pieces that came later", { waits: [soon, soon], end: "fails" }],
    ["that the format has words for", { waits: [soon], end: "fails", lastWords: PIECE }],
  ])("%s is thrown, and nothing is sent", async (_name, script) => {
    const answer = new FakeAnswer(script);
    await expect(bodyOf(answer)).rejects.toBe(LOST);
  });

  it("closes the answer before it is thrown", async () => {
    const answer = new FakeAnswer({ waits: [soon], end: "fails", lastWords: PIECE });
    await expect(bodyOf(answer)).rejects.toBe(LOST);
    expect(answer.isCancelled).toBe(true);
  });
});
