/**
 * `npm run project -- push FILE`, `list`, `show NAME`, `pull NAME [DIRECTORY]`: publishes projects with the operator's own rights. The
 * store is `--to DIRECTORY`, `--to kv` (the binding PROJECT_STORE of wrangler.toml), `--to kv:NAMESPACE_ID` or `--to r2:BUCKET`; with
 * `--local` the last three are the state of `wrangler dev` on this machine, in `--persist-to DIRECTORY`. A push plans the whole manifest and the stored questions for `--source
 * KIND`, the kind of the connection; `--dry-run` only shows what changes. `list` plans every project for the kind that the setting
 * CONNECTIONS has, or for `--source`, and fails if one is broken.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { DataSource } from "../src/planner/plan.ts";
import { DATA_SOURCES, isDataSource } from "../src/service/data-sources.ts";
import { changesOf, type Examined, examined, type KindOf, PushRefusal, prepare, pull, push } from "./projects/push.ts";
import { directoryStore, kvStore, r2Store, type WritableStore } from "./projects/stores.ts";

const USAGE =
  "npm run project -- push FILE --source KIND | list | show NAME | pull NAME [DIRECTORY], with --to DIRECTORY, kv, kv:NAMESPACE_ID or r2:BUCKET; --local for the state of wrangler dev";

interface Where {
  readonly to?: string | undefined;
  readonly local?: boolean | undefined;
  readonly "persist-to"?: string | undefined;
}

function storeOf({ to, local: isLocal, "persist-to": directory }: Where): WritableStore {
  if (to === undefined || to === "") throw new PushRefusal(`Say where: --to. ${USAGE}`);
  const [kind, name] = [to.split(":", 1)[0], to.includes(":") ? to.slice(to.indexOf(":") + 1) : undefined];
  const local = isLocal === true ? { directory } : undefined;
  if (kind === "kv") return kvStore(name, { local });
  if (kind === "r2" && name !== undefined && name !== "") return r2Store(name, { local });
  if (local !== undefined) throw new PushRefusal(`--local is for --to kv and --to r2:BUCKET. ${USAGE}`);
  return directoryStore(to);
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

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: "string" },
      source: { type: "string" },
      local: { type: "boolean" },
      "persist-to": { type: "string" },
      "dry-run": { type: "boolean", default: false },
    },
  });
  const [command, subject, directory = "."] = positionals;
  const { source } = values;
  if (source !== undefined && !isDataSource(source)) {
    throw new PushRefusal(`--source is one of ${DATA_SOURCES.join(", ")}.`);
  }
  const store = storeOf(values);
  if (command === "list") {
    const kindOf = kindsOf(process.env["CONNECTIONS"], source);
    for (const name of await store.names()) {
      const { title, state, problem } = await examined(name, store, kindOf);
      if (state === "broken") process.exitCode = 1;
      console.log(`${name}  ${STATES[state]}${problem === undefined ? "" : `: ${problem}`}  ${title}`.trimEnd());
    }
    return;
  }
  if (subject === undefined) throw new PushRefusal(USAGE);
  switch (command) {
    case "push": {
      if (source === undefined)
        throw new PushRefusal("Name the kind of the connection: --source postgres, for example.");
      const prepared = prepare(subject, source);
      const changes = await changesOf(prepared, store);
      for (const line of [...prepared.remarks.map((remark) => `Warning: ${remark}`), ...changes]) console.log(line);
      if (changes.length === 0) return console.log(`${prepared.name} is published as it is.`);
      if (values["dry-run"]) return console.log("Nothing is written.");
      await push(subject, store, source);
      console.log(`${prepared.name} is published. It holds everywhere after about 90 seconds.`);
      return;
    }
    case "show": {
      const { pointer, problem } = await pull(subject, store);
      console.log(JSON.stringify(pointer, null, 2));
      if (problem !== undefined) throw new PushRefusal(`${subject} is broken: ${problem}.`);
      return;
    }
    case "pull": {
      const { pointer, manifest, problem } = await pull(subject, store);
      if (manifest === undefined || problem !== undefined) throw new PushRefusal(`${subject} is broken: ${problem}.`);
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, "manifest.json"), manifest);
      writeFileSync(
        join(directory, "project.json"),
        `${JSON.stringify({ ...pointer, manifest: "manifest.json" }, null, 2)}\n`,
      );
      return console.log(`Wrote ${join(directory, "project.json")} and ${join(directory, "manifest.json")}.`);
    }
    default:
      throw new PushRefusal(USAGE);
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
