import { expect, it } from "vitest";
import { answerBody } from "../../src/api/answer-body.ts";
import type { EncodedAnswer } from "../../src/result/encode/encoder.ts";

const BYTES = new TextEncoder().encode("[1]");
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await undefined;
};
const never = new Promise<never>(() => {});

/** An answer of one piece, which comes after `wait`. */
function answer(wait: () => Promise<unknown>, isOver: boolean): EncodedAnswer {
  let isRead = false;
  return {
    isOver,
    async read() {
      if (isRead) return undefined;
      isRead = true;
      await wait();
      return BYTES;
    },
    cancel: async () => undefined,
  };
}

it.each([
  ["that is there", () => turns(0), true, true],
  ["that layers pass on", () => turns(30), true, true],
  ["that a hundred layers pass on", () => turns(1000), true, true],
  ["that comes in a moment", () => new Promise((resolve) => setImmediate(resolve)), true, true],
  ["of which more will come", () => turns(0), false, false],
  ["that does not come soon", () => never, true, false],
] as const)("an answer %s is sent whole or as it comes", async (_, wait, isOver, isWhole) => {
  const body = await answerBody(answer(wait, isOver), () => undefined);
  expect(body instanceof Uint8Array).toBe(isWhole);
  if (body instanceof Uint8Array) expect(body).toEqual(BYTES);
});
