/** The sidecar beside the Worker: started, kept running, and ended with the service. */
import { WRONG_SETTINGS } from "../../src/config/exit-code.ts";
import type { ProcessOutput } from "../../supervisor/process-output.ts";
import { startSidecarProcess } from "../../supervisor/sidecar-process.ts";
import { StartFailure, Supervised, type Supervision } from "../../supervisor/supervised.ts";

const HOST = "127.0.0.1";

export interface SidecarOptions {
  readonly secret: string;
  /** Settings that the environment may replace. */
  readonly standard: Readonly<Record<string, string>>;
  /** Milliseconds for running requests to end in. */
  readonly grace: number;
  /** Node opens its inspector, on loopback, and says where on standard error. */
  readonly isInspected?: boolean;
  readonly supervision: Supervision;
  /** Takes its log, messages of Node itself, and the reason why the sidecar does not start. */
  readonly output: ProcessOutput;
  /** Called once when it does not start again with the settings that it has; it has said why. */
  readonly onRefused: () => void;
}

/** Why the sidecar did not start; without a message when it has said so itself. */
export class SidecarRefusal extends Error {}

export class Sidecar {
  readonly #grace: number;
  readonly #process: Supervised;
  #port = 0;

  constructor({ secret, standard, grace, isInspected, supervision, output, onRefused }: SidecarOptions) {
    this.#grace = grace;
    this.#process = new Supervised({
      ...supervision,
      name: "The sidecar",
      // It stands still in a debugger.
      isProbed: isInspected !== true,
      onRefused,
      start: () => {
        const started = startSidecarProcess({
          environment: { ...standard, ...process.env, HOST, PORT: String(this.#port), SIDECAR_SECRET: secret },
          words: isInspected === true ? [`--inspect=${HOST}:0`] : [],
          output,
        });
        void started.ready.then((port) => {
          this.#port = port;
        });
        return started;
      },
    });
  }

  /** Its address, which stays the same however often it is started again. Rejects with `SidecarRefusal`. */
  async start(): Promise<string> {
    try {
      await this.#process.start();
    } catch (error) {
      const hasSaid = error instanceof StartFailure && error.end.code === WRONG_SETTINGS;
      throw new SidecarRefusal(hasSaid ? "" : error instanceof Error ? error.message : String(error));
    }
    return `http://${HOST}:${this.#port}`;
  }

  /** Resolves when it is gone. */
  async stop(): Promise<void> {
    await this.#process.stop(this.#grace);
  }
}
