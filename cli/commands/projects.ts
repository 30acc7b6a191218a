/**
 * `siskin push`, `list`, `show` and `pull`: publish projects with the operator's own rights. The store is `--to DIRECTORY`, `--to kv`
 * (the binding PROJECT_STORE of wrangler.toml), `--to kv:NAMESPACE_ID` or `--to r2:BUCKET`; with `--local` the last three are the state
 * of `wrangler dev` on this machine. A push plans the whole manifest and the stored questions for the kind of the connection.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DataSource } from "../../src/planner/plan.ts";
import { pointerPath } from "../../src/projects/store.ts";
import { isDataSource } from "../../src/service/data-sources.ts";
import { changesBetween } from "../diff/changes.ts";
import { changesText } from "../diff/text.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { readArguments, sourceNamed } from "../options.ts";
import { faultText } from "../output/faults.ts";
import { directoryStore } from "../projects/directory-store.ts";
import {
  changesOf,
  type Examined,
  examined,
  type KindOf,
  type Prepared,
  PushRefusal,
  prepare,
  pull,
  push,
} from "../projects/push.ts";
import type { WritableStore } from "../projects/store.ts";
import { kvStore, r2Store } from "../projects/wrangler-stores.ts";
import type { Terminal } from "../terminal.ts";
import { redacted } from "./context.ts";

const OPTIONS = {
  to: { type: "string" },
  source: { type: "string" },
  local: { type: "boolean", default: false },
  "persist-to": { type: "string" },
  "dry-run": { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>["values"];

interface Call {
  readonly values: Values;
  readonly store: WritableStore;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
}

/** A refusal is something wrong with the project; everything else is the environment. */
function command(work: (call: Call) => Promise<ExitCode>) {
  return async (args: readonly string[], terminal: Terminal): Promise<ExitCode> => {
    const { values, positionals } = readArguments(args, OPTIONS);
    try {
      return await work({ values, positionals, terminal, store: storeOf(values, terminal) });
    } catch (error) {
      if (!(error instanceof PushRefusal)) throw error;
      terminal.err(redacted(faultText({ message: error.message })));
      return 1;
    }
  };
}

function storeOf({ to, local: isLocal, "persist-to": directory }: Values, terminal: Terminal): WritableStore {
  if (to === undefined || to === "") {
    throw new UsageError("Name the store: --to DIRECTORY, --to kv, --to kv:NAMESPACE_ID or --to r2:BUCKET.");
  }
  const [kind, name] = [to.split(":", 1)[0], to.includes(":") ? to.slice(to.indexOf(":") + 1) : undefined];
  const local = isLocal ? { directory } : undefined;
  if (kind === "kv") return kvStore(name, { local });
  if (kind === "r2" && name !== undefined && name !== "") return r2Store(name, { local });
  if (local !== undefined) throw new UsageError("--local is for --to kv and --to r2:BUCKET.");
  return directoryStore(resolve(terminal.directory, to));
}

function sourceOf({ source }: Values): DataSource | undefined {
  return source === undefined ? undefined : sourceNamed(source);
}

/** The project's file: the argument, or project.json. */
const fileOf = ([file = "project.json"]: readonly string[], terminal: Terminal): string =>
  resolve(terminal.directory, file);

function nameOf([name]: readonly string[]): string {
  if (name === undefined) throw new UsageError("Give the name of the project.");
  return name;
}

export const pushCommand = command(async ({ values, store, positionals, terminal }) => {
  const file = fileOf(positionals, terminal);
  const source = sourceOf(values);
  if (source === undefined) throw new UsageError("Name the kind of the connection: --source postgres, for example.");
  const prepared = prepare(file, source);
  for (const remark of prepared.remarks) terminal.err(redacted(`warning: ${remark}\n`));
  const changes = await changesOf(prepared, store);
  await terminal.out(redacted(changes.map((line) => `${line}\n`).join("")));
  await terminal.out(redacted(await meaningOf(prepared, store)));
  if (changes.length === 0) terminal.err(`${prepared.name} is published as it is.\n`);
  else if (values["dry-run"]) terminal.err("Nothing is written.\n");
  else {
    await push(file, store, source);
    terminal.err(`${prepared.name} is published. It holds everywhere after about 90 seconds.\n`);
  }
  return 0;
});

/** The changes of the manifest with their classes, if the store has an older one that can be read. */
async function meaningOf({ name, manifest }: Prepared, store: WritableStore): Promise<string> {
  if ((await store.read(pointerPath(name))) === undefined) return "";
  const { manifest: before, problem } = await pull(name, store);
  if (before === undefined || problem !== undefined) return "";
  const membersOf = (bytes: Uint8Array) =>
    JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>;
  const changes = changesBetween(membersOf(before), membersOf(manifest));
  return changes.length === 0 ? "" : changesText(changes, []);
}

const STATES: Readonly<Record<Examined["state"], string>> = {
  ready: "ready",
  read: "read, not planned (set CONNECTIONS as the service has it, or --source)",
  broken: "broken",
};

/** The kinds of the connections in the setting `CONNECTIONS`; without it all are `source`. */
function kindsOf(connections: string | undefined, source: DataSource | undefined): KindOf {
  if (connections === undefined || connections === "") return () => (source === undefined ? undefined : { source });
  const json = JSON.parse(connections) as Readonly<Record<string, { readonly dataSource?: unknown }>>;
  return (name) => {
    const kind = Object.hasOwn(json, name) ? json[name]?.dataSource : undefined;
    if (typeof kind === "string" && isDataSource(kind)) return { source: kind };
    return { problem: `CONNECTIONS has no connection "${name}"` };
  };
}

export const listCommand = command(async ({ values, store, terminal }) => {
  const kindOf = kindsOf(terminal.environment["CONNECTIONS"], sourceOf(values));
  let code: ExitCode = 0;
  for (const name of await store.names()) {
    const { title, state, problem } = await examined(name, store, kindOf);
    if (state === "broken") code = 1;
    const line = `${name}  ${STATES[state]}${problem === undefined ? "" : `: ${problem}`}  ${title}`.trimEnd();
    await terminal.out(redacted(`${line}\n`));
  }
  return code;
});

export const showCommand = command(async ({ store, positionals, terminal }) => {
  const name = nameOf(positionals);
  const { pointer, problem } = await pull(name, store);
  await terminal.out(redacted(`${JSON.stringify(pointer, null, 2)}\n`));
  if (problem !== undefined) throw new PushRefusal(`${name} is broken: ${problem}.`);
  return 0;
});

export const pullCommand = command(async ({ store, positionals, terminal }) => {
  const name = nameOf(positionals);
  const shown = positionals[1] ?? ".";
  const directory = resolve(terminal.directory, shown);
  const { pointer, manifest, problem } = await pull(name, store);
  if (manifest === undefined || problem !== undefined) throw new PushRefusal(`${name} is broken: ${problem}.`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "manifest.json"), manifest);
  const own = { ...pointer, manifest: "manifest.json" };
  writeFileSync(join(directory, "project.json"), `${JSON.stringify(own, null, 2)}\n`);
  terminal.err(`Wrote ${join(shown, "project.json")} and ${join(shown, "manifest.json")}.\n`);
  return 0;
});
