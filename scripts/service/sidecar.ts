/** The sidecar beside the Worker: started, started again when it dies, and ended with the service. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const HOST = "127.0.0.1";
const MAIN = fileURLToPath(new URL("../../sidecar/main.ts", import.meta.url));
/** Run by the sidecar before anything else: it ends with this process, even where that is killed and can end nothing. */
const ORPHAN = 'data:text/javascript,process.once("disconnect", () => process.kill(process.pid, "SIGTERM"))';

/** Milliseconds before it is started again, for each time that it died one after the other; then it is given up. */
const PAUSES = [100, 200, 400, 800, 1600];
/** Whoever ran so long did not die one after the other. */
const STEADY_MS = 60_000;
/** The sidecar's way of saying that it does not start; it has printed why. */
const REFUSED = 1;

export interface SidecarOptions {
  readonly secret: string;
  /** What holds where the environment says nothing else. */
  readonly standard: Readonly<Record<string, string>>;
  /** After the second half of it, running requests are not waited for any longer. Milliseconds. */
  readonly grace: number;
  /** Node opens its inspector, on loopback, and says where on standard error. */
  readonly isInspected?: boolean;
  readonly say: (sentence: string) => void;
  /** Its log, line by line. */
  readonly onLog: (line: string) => void;
  /** Called once when it has died for good, and not because of `stop`. */
  readonly onGivenUp: () => void;
}

/** Why the sidecar did not start; without a message when it has said so itself. */
export class SidecarRefusal extends Error {}

export class Sidecar {
  readonly #options: SidecarOptions;
  #child: ChildProcess | undefined;
  #port = 0;
  #deaths = 0;
  #isEnding = false;

  constructor(options: SidecarOptions) {
    this.#options = options;
    process.once("exit", () => this.#child?.kill("SIGTERM"));
  }

  /** Its address, which stays the same however often it is started again. Rejects with `SidecarRefusal`. */
  async start(): Promise<string> {
    this.#port = await this.#launch();
    return `http://${HOST}:${this.#port}`;
  }

  /** Resolves when it is gone. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    // The second signal does not wait for running requests.
    const patience = setTimeout(() => child.kill("SIGTERM"), this.#options.grace / 2);
    await exited;
    clearTimeout(patience);
  }

  /** Resolves with its port when it says where it listens. */
  #launch(): Promise<number> {
    const child = spawn(
      process.execPath,
      [
        "--experimental-strip-types",
        "--disable-warning=ExperimentalWarning",
        `--import=${ORPHAN}`,
        ...(this.#options.isInspected === true ? [`--inspect=${HOST}:0`] : []),
        MAIN,
      ],
      {
        env: {
          ...this.#options.standard,
          ...process.env,
          HOST,
          PORT: String(this.#port),
          SIDECAR_SECRET: this.#options.secret,
        },
        stdio: ["ignore", "pipe", "inherit", "ipc"],
        // A process group of its own: Ctrl-C in the terminal is for this process, which ends the sidecar when it is due.
        detached: true,
      },
    );
    this.#child = child;
    return new Promise((resolve, reject) => {
      let started: number | undefined;
      child.once("error", (error) => reject(new SidecarRefusal(`The sidecar could not be started: ${error.message}`)));
      child.once("exit", (code, signal) => {
        if (started !== undefined) return void this.#died(started, signal ?? `code ${code}`);
        reject(new SidecarRefusal(code === REFUSED ? "" : "The sidecar ended before it was ready."));
      });
      if (child.stdout !== null)
        createInterface({ input: child.stdout }).on("line", (line) => {
          this.#options.onLog(line);
          const port = started === undefined ? listeningPort(line) : undefined;
          if (port === undefined) return;
          started = Date.now();
          resolve(port);
        });
    });
  }

  async #died(started: number, how: string): Promise<void> {
    if (Date.now() - started > STEADY_MS) this.#deaths = 0;
    const { say, onGivenUp } = this.#options;
    for (;;) {
      if (this.#isEnding) return;
      const pause = PAUSES[this.#deaths++];
      if (pause === undefined) {
        say(`The sidecar has ended ${this.#deaths} times one after the other, and with it the service.`);
        return onGivenUp();
      }
      say(`The sidecar has ended (${how}) and is started again; what it was doing has failed.`);
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.#isEnding) return;
      try {
        await this.#launch();
        return;
      } catch (error) {
        // It has refused: with the settings it has, it would do so again.
        if (error instanceof SidecarRefusal && error.message === "") {
          say("The sidecar does not start any more, and the service ends with it.");
          return onGivenUp();
        }
      }
    }
  }
}

function listeningPort(line: string): number | undefined {
  try {
    const entry = JSON.parse(line) as { readonly event?: unknown; readonly port?: unknown };
    return entry.event === "listening" && typeof entry.port === "number" ? entry.port : undefined;
  } catch {
    return undefined;
  }
}
