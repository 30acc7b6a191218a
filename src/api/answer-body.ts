/** The body of an answer in rows: whole where it is short and there, else as its rows come. */
import { streamOf } from "../result/encode/byte-stream.ts";
import type { EncodedAnswer } from "../result/encode/encoder.ts";

/** Rows that have not come by then may be long in coming: the status does not wait for them. */
const WAIT_MS = 20;
/** Of the queue of microtasks, in which rows pass from layer to layer. */
const TURNS = 64;

/**
 * A stream costs workerd as much as a small answer does. The first bytes are worth waiting for in any case, since an
 * encoder gathers what is worth sending; an answer that ends with them needs no stream, and says its length. `onRead` is
 * called whenever the client takes some of a longer one.
 */
export async function answerBody(
  answer: EncodedAnswer,
  onRead: () => void,
): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>> {
  const first = answer.read();
  const bytes = await inTime(first);
  return bytes !== undefined && answer.isOver ? bytes : streamOf(answer, first, onRead);
}

/** `undefined` when there is nothing in time, or no end of the failing kind. */
async function inTime(first: Promise<Uint8Array | undefined>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let settled: { readonly bytes: Uint8Array | undefined } | undefined;
  const reading = first.then(
    (bytes) => {
      settled = { bytes };
    },
    () => {
      settled = { bytes: undefined };
    },
  );
  // Rows that are all here by now, as those of a short answer are, need nothing but turns; a timer costs more than these.
  for (let turn = 0; turn < TURNS && settled === undefined; turn++) await undefined;
  if (settled === undefined) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([reading, new Promise((resolve) => (timer = setTimeout(resolve, WAIT_MS)))]);
    clearTimeout(timer);
  }
  return settled?.bytes as Uint8Array<ArrayBuffer> | undefined;
}
