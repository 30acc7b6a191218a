/**
 * `siskin export ossie|wren`: prints the model in the format of another tool, and notes what other readers do not see. Wren's manifest is
 * Siskin's own, so that it holds everything.
 */
import { stringify } from "yaml";
import { type ExitCode, UsageError } from "../exit.ts";
import { ossieOf } from "../export/ossie.ts";
import type { ImportedManifest } from "../import/manifest.ts";
import { MODEL_OPTIONS, readArguments, sourceNamed } from "../options.ts";
import { readModel } from "../project/model.ts";
import type { Terminal } from "../terminal.ts";
import { redacted } from "./context.ts";

const OPTIONS = {
  ...MODEL_OPTIONS,
  source: { type: "string" },
  strict: { type: "boolean", default: false },
} as const;

export async function exportCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [format, ...others] = positionals;
  if (others.length > 0 || (format !== "ossie" && format !== "wren")) {
    throw new UsageError("Give the format: siskin export ossie, or siskin export wren.");
  }
  const model = readModel(values, terminal.directory);
  if (format === "wren") {
    await terminal.out(redacted(`${JSON.stringify(JSON.parse(model.manifestText), undefined, 2)}\n`));
    return 0;
  }
  const source = values.source === undefined ? model.source : sourceNamed(values.source);
  if (source === undefined)
    throw new UsageError(`${model.origin} names no data source. Name it: --source postgres, for example.`);
  const manifest = JSON.parse(model.manifestText) as ImportedManifest;
  const { document, hidden } = ossieOf(manifest, manifest.catalog, source);
  await terminal.out(redacted(stringify(document, { lineWidth: 120, aliasDuplicateObjects: false })));
  for (const sentence of hidden) terminal.err(`note: ${sentence}; it is in the extension alone.\n`);
  return values.strict && hidden.length > 0 ? 1 : 0;
}
