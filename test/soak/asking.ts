/** One request of a caller that may go before its answer has come, and what became of it. */
import { type Agent, request } from "node:http";

/** Longer than any wait that the service is set to: whoever waits longer waits for ever. */
const LONGEST_SILENCE_MS = 150_000;

/** After so many milliseconds: without a word, or by a reset. */
export interface Leaving {
  readonly after: number;
  readonly by: "reset" | "end";
}

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly hit: boolean;
  /** Why the connection broke, if it did. */
  readonly broken?: string;
  /** A kept connection that the other side had closed: workerd does after 5 s, which a tester that is held up notices late. */
  readonly wasClosed: boolean;
  /** The caller went before the answer had ended. */
  readonly gone: boolean;
}

/** Asks once. `leaves`: its caller goes after so many milliseconds. */
export function answerOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  agent: Agent | false,
  leaves: Leaving | undefined,
): Promise<Answer> {
  return new Promise((resolve) => {
    let status = 0;
    let hit = false;
    let gone = false;
    const chunks: Buffer[] = [];
    const answer = (broken?: string, wasClosed = false): void => {
      clearTimeout(timer);
      resolve({ status, bytes: Buffer.concat(chunks), hit, gone, wasClosed, ...(broken !== undefined && { broken }) });
    };
    const outgoing = request(url, { method: "POST", headers, agent }, (incoming) => {
      status = incoming.statusCode ?? 0;
      hit = incoming.headers["x-cache-hit"] === "true";
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("end", () => answer());
      incoming.once("error", (error) => answer(error.message));
    });
    outgoing.setTimeout(LONGEST_SILENCE_MS, () => {
      outgoing.destroy(new Error(`nothing came for ${LONGEST_SILENCE_MS / 1000} s`));
    });
    outgoing.once("error", (error) => answer(error.message, outgoing.reusedSocket && status === 0));
    const timer =
      leaves === undefined
        ? undefined
        : setTimeout(() => {
            gone = true;
            if (leaves.by === "reset") outgoing.socket?.resetAndDestroy();
            outgoing.destroy();
            answer();
          }, leaves.after);
    outgoing.end(body);
  });
}
