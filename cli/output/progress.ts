/** A line that shows how far a long operation is. A person at a terminal sees it; logs and pipes do not. */
import type { Terminal } from "../terminal.ts";

export interface Progress {
  readonly step: (what: string) => void;
  /** Removes the line. */
  readonly end: () => void;
}

const WIDTH = 24;
/** Short operations show nothing. */
const FEWEST_STEPS = 5;

export function progress({ isTerminal, err }: Pick<Terminal, "isTerminal" | "err">, total: number): Progress {
  if (!isTerminal || total < FEWEST_STEPS) return { step: () => undefined, end: () => undefined };
  let done = 0;
  let isShown = false;
  return {
    step: (what) => {
      isShown = true;
      const filled = Math.round((WIDTH * done) / total);
      err(
        `\r\u001b[K[${"#".repeat(filled)}${".".repeat(WIDTH - filled)}] ${done}/${total} ${what.replaceAll(/\p{C}/gu, "").slice(0, 40)}`,
      );
      done = Math.min(done + 1, total);
    },
    end: () => {
      if (isShown) err("\r\u001b[K");
    },
  };
}
