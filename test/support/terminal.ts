/** A terminal that keeps what a command prints. */
import { runCommand } from "../../cli/main.ts";

export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface TerminalSettings {
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly isTerminal?: boolean;
}

/** Runs `siskin` in this process. */
export async function siskin(args: readonly string[], settings: TerminalSettings = {}): Promise<CommandOutcome> {
  const out: Buffer[] = [];
  let err = "";
  const code = await runCommand(args, {
    out: async (text) => void out.push(Buffer.from(text)),
    err: (text) => {
      err += text;
    },
    input: () => settings.input ?? "",
    lines: async function* () {
      yield* (settings.input ?? "").split("\n");
    },
    environment: settings.environment ?? {},
    directory: settings.directory ?? process.cwd(),
    isTerminal: settings.isTerminal ?? false,
  });
  return { code, out: Buffer.concat(out).toString(), err };
}
