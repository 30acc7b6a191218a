/** The command `siskin`: the table of commands, and how the process ends. */
import { nearestNames } from "../src/planner/index.ts";
import { VERSION } from "../src/version.ts";
import { redacted } from "./commands/context.ts";
import { type ExitCode, UsageError } from "./exit.ts";
import { describeError } from "./output/faults.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

type Command = (args: readonly string[], terminal: Terminal) => Promise<ExitCode>;

interface CommandRow {
  readonly usage: string;
  readonly does: string;
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  init: {
    usage:
      "init [--from FILE|DIRECTORY|env:NAME|-] [--schema PATTERN] [--tables PATTERN] [--guess] [--sample] [DIRECTORY]",
    does: "writes a project folder from the metadata of a source",
    load: async () => (await import("./commands/init.ts")).initCommand,
  },
  query: {
    usage: `query [--file 'data/*.csv'] [--as NAME=VALUE] [--format table|csv|json|jsonl|arrow] [--plain] [--save DIR] "SELECT …"`,
    does: "asks the source, or files without any model, and prints the rows",
    load: async () => (await import("./commands/query.ts")).queryCommand,
  },
  cube: {
    usage: `cube [--as NAME=VALUE] [--format …] '{"cube": …}'`,
    does: "asks a structured query over a cube",
    load: async () => (await import("./commands/query.ts")).cubeCommand,
  },
  plan: {
    usage: `plan [--source KIND] [--parameters JSON] [--steps] [--tree] "SELECT …"`,
    does: "prints the SQL that the source gets, or the statement after each step of the planner",
    load: async () => (await import("./commands/plan.ts")).planCommand,
  },
  explain: {
    usage: `explain [--source KIND] "SELECT …"`,
    does: "prints the plan as JSON: SQL, columns, tables, lineage",
    load: async () => (await import("./commands/explain.ts")).explainCommand,
  },
  validate: {
    usage: "validate [--live]",
    does: "reports every fault of the model, with --live those that the source reports, too",
    load: async () => (await import("./commands/validate.ts")).validateCommand,
  },
  test: {
    usage: "test [--seeds] [--url URL [--key FILE|env:NAME|-]] [--only TEXT] [--format text|json|junit]",
    does: "asks the golden questions of tests/*.yml in their sessions: of the source, of seeds/*.csv, or of a running service",
    load: async () => (await import("./commands/test.ts")).testCommand,
  },
  diff: {
    usage: "diff [--allow loosened|breaking] [--format text|json] BEFORE AFTER",
    does: "compares two models: breaking changes, loosened rules, and stored questions whose plan changed",
    load: async () => (await import("./commands/diff.ts")).diffCommand,
  },
  import: {
    usage: "import FORMAT PATH [--source KIND] [--strict] [--format text|json] [DIRECTORY]",
    does: "writes a project folder from the model of another tool, and reports what has no counterpart",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  export: {
    usage: "export ossie|wren [--source KIND] [--strict]",
    does: "prints the model as Apache Ossie or as Wren's manifest; both are read back without a loss",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  push: {
    usage:
      "push --to DIRECTORY|kv|kv:NAMESPACE_ID|r2:BUCKET --source KIND [--local] [--persist-to DIRECTORY] [--dry-run] [project.json]",
    does: "publishes a project: shows what changes, then writes the manifest and its pointer",
    load: async () => (await import("./commands/projects.ts")).pushCommand,
  },
  list: {
    usage: "list --to STORE [--source KIND]",
    does: "lists the published projects, and what is wrong with a broken one",
    load: async () => (await import("./commands/projects.ts")).listCommand,
  },
  show: {
    usage: "show --to STORE NAME",
    does: "prints the pointer of a published project",
    load: async () => (await import("./commands/projects.ts")).showCommand,
  },
  pull: {
    usage: "pull --to STORE NAME [DIRECTORY]",
    does: "writes a published project to a directory",
    load: async () => (await import("./commands/projects.ts")).pullCommand,
  },
  serve: {
    usage: "serve [--port PORT]",
    does: "serves the model on this machine, and publishes it again when a file changes",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  mcp: {
    usage: "mcp URL",
    does: "connects a host that speaks over standard input and output to a project of a service",
    load: async () => (await import("./commands/mcp.ts")).mcpCommand,
  },
  types: {
    usage: "types [--name NAME]",
    does: "prints TypeScript types of the model's rows and cubes",
    load: async () => (await import("./commands/types.ts")).typesCommand,
  },
  completion: {
    usage: "completion bash|zsh",
    does: "prints the completion of the shell",
    load: async () => {
      const { completionCommand } = await import("./commands/completion.ts");
      const usages = new Map(Object.entries(COMMANDS).map(([name, row]) => [name, row.usage]));
      return (args, terminal) => completionCommand(args, terminal, usages);
    },
  },
};

export function usage(): string {
  const rows = Object.values(COMMANDS).map((row) => `  siskin ${row.usage}\n      ${row.does}`);
  return `Usage: siskin COMMAND [OPTION]…

${rows.join("\n")}

Options of most commands:
  --project DIR, --manifest FILE  the model; the nearest siskin.yml if absent
  --connection FILE, env:NAME, -  the connection (mode 0600, environment, standard input); DATABASE_URL if absent
  --as NAME=VALUE                 a session property that access rules read
Results go to the standard output, messages to the standard error. Exit code 0: nothing is wrong, 1: something is, 2: an option,
a file or the environment is.
`;
}

/** Runs a command. Never rejects. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const [name, ...rest] = args;
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      await terminal.out(usage());
      return name === undefined ? 2 : 0;
    }
    if (name === "--version" || name === "version") {
      await terminal.out(`${VERSION}\n`);
      return 0;
    }
    const row = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (row === undefined) {
      const [near] = nearestNames(name, Object.keys(COMMANDS));
      throw new UsageError(
        `siskin ${name} is not a command.${near === undefined ? " See siskin help." : ` Did you mean ${near}?`}`,
      );
    }
    if (rest.includes("--help") || rest.includes("-h")) {
      await terminal.out(`siskin ${row.usage}\n    ${row.does}\n`);
      return 0;
    }
    return await (await row.load())(rest, terminal);
  } catch (error) {
    const { text, code } = describeError(error);
    terminal.err(redacted(text));
    return code;
  }
}

/** Ends the process: an engine that does not end must not hold it. */
export async function run(args: readonly string[]): Promise<never> {
  // A reader that has enough, such as `head`, is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`error: The standard output cannot be written (${error.code ?? error.message}).\n`);
    process.exit(2);
  });
  process.exit(await runCommand(args, processTerminal()));
}
