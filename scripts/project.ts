/**
 * `npm run project -- push FILE`, `list`, `show NAME`, `pull NAME [DIRECTORY]`: publishes projects with the operator's own rights. The
 * store is `--to DIRECTORY`, `--to kv` or `--to r2:BUCKET`. A push plans the whole manifest and the stored questions for `--source
 * KIND`, the kind of the connection; `--dry-run` only shows what changes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DATA_SOURCES, isDataSource } from "../src/service/data-sources.ts";
import { changesOf, PushRefusal, prepare, pull, push } from "./projects/push.ts";
import { directoryStore, kvStore, r2Store, type WritableStore } from "./projects/stores.ts";

const USAGE =
  "npm run project -- push FILE --source KIND | list | show NAME | pull NAME [DIRECTORY], with --to DIRECTORY, kv or r2:BUCKET";

function storeOf(to: string | undefined): WritableStore {
  if (to === undefined || to === "") throw new PushRefusal(`Say where: --to. ${USAGE}`);
  if (to === "kv") return kvStore();
  return to.startsWith("r2:") ? r2Store(to.slice("r2:".length)) : directoryStore(to);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: "string" }, source: { type: "string" }, "dry-run": { type: "boolean", default: false } },
  });
  const [command, subject, directory = "."] = positionals;
  const { source } = values;
  if (source !== undefined && !isDataSource(source)) {
    throw new PushRefusal(`--source is one of ${DATA_SOURCES.join(", ")}.`);
  }
  const store = storeOf(values.to);
  if (command === "list") {
    for (const name of await store.names()) {
      const { pointer, problem } = await pull(name, store);
      console.log(
        `${name}  ${problem === undefined ? "ready" : `broken: ${problem}`}  ${String(pointer["title"] ?? "")}`,
      );
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
