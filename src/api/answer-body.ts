/**
 * The body of an answer in rows. A short, fast answer is held until it is complete, so that a failure of the source gets an error
 * status; a longer one is streamed.
 */
import { streamOf } from "../result/encode/byte-stream.ts";
import type { EncodedAnswer } from "../result/encode/encoder.ts";
import type { AnswerHolds } from "./answer-hold.ts";

/** Time limit for the first bytes when an answer cannot be held: an answer that ends with them needs no stream. */
const WAIT_MS = 20;
/** Number of microtask turns in which rows pass from layer to layer. */
const TURNS = 64;

/**
 * Returns a complete answer as bytes with a known length (a stream costs workerd as much as a small answer does), or a stream
 * that begins with the held bytes. `onRead` is called whenever the client reads from the stream.
 *
 * Throws the source's error while the answer is held; then nothing of it is sent, and the answer is closed.
 */
export async function answerBody(
  answer: EncodedAnswer,
  holds: AnswerHolds,
  onRead: () => void,
): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>> {
  const hold = holds.begin();
  const clock = new Clock(hold?.limits.milliseconds ?? WAIT_MS);
  const held: Uint8Array[] = [];
  let length = 0;
  try {
    do {
      const reading = answer.read();
      // The reader of the stream gets the failure.
      reading.catch(() => undefined);
      if (!(await clock.isSooner(reading))) return streamOf(answer, { held, reading }, onRead);
      const bytes = await reading;
      if (answer.failure !== undefined) throw await closedAfter(answer);
      if (bytes !== undefined) held.push(bytes);
      length += bytes?.length ?? 0;
      if (bytes === undefined || answer.isOver) return joined(held, length);
    } while (hold !== undefined && length < hold.limits.bytes);
    return streamOf(answer, { held }, onRead);
  } finally {
    clock.stop();
    hold?.release();
  }
}

/** The failure of an answer of which nothing was sent, after its source is closed. */
async function closedAfter(answer: EncodedAnswer): Promise<unknown> {
  await answer.cancel();
  return answer.failure?.error;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first as Uint8Array<ArrayBuffer>;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** One time limit for all chunks of an answer. Its timer starts only when microtask turns are not enough: a timer costs more. */
class Clock {
  readonly #milliseconds: number;
  #over: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Whether `work` settles within the time limit. */
  async isSooner(work: Promise<unknown>): Promise<boolean> {
    let isSettled = false;
    const settling = work.then(
      () => {
        isSettled = true;
      },
      () => {
        isSettled = true;
      },
    );
    for (let turn = 0; turn < TURNS && !isSettled; turn++) await undefined;
    if (isSettled) return true;
    this.#over ??= new Promise((resolve) => {
      this.#timer = setTimeout(resolve, this.#milliseconds);
    });
    await Promise.race([settling, this.#over]);
    return isSettled;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
