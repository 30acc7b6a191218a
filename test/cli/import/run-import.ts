/** Runs `siskin import` on texts, and reads the project that it wrote. */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readModel } from "../../../cli/project/model.ts";
import { siskin } from "../../support/terminal.ts";

export interface Imported {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Absent if nothing was written. */
  readonly manifest: ImportedJson | undefined;
  readonly directory: string;
}

interface Named {
  readonly name: string;
  readonly [member: string]: unknown;
}

export interface ImportedJson {
  readonly models: readonly (Named & { readonly columns: readonly Named[] })[];
  readonly relationships?: readonly Named[];
  readonly cubes?: readonly (Named & {
    readonly measures?: readonly Named[];
    readonly dimensions?: readonly Named[];
    readonly timeDimensions?: readonly Named[];
  })[];
}

export interface ImportSettings {
  /** An existing directory. */
  readonly home: string;
  readonly format: string;
  readonly files: Readonly<Record<string, string>>;
  /** The path that the command gets. */
  readonly path: string;
  readonly args?: readonly string[];
}

export async function runImport({ home, format, files, path, args = [] }: ImportSettings): Promise<Imported> {
  const directory = mkdtempSync(join(home, "import-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const outcome = await siskin(["import", format, path, "shop", ...args], { directory });
  const isWritten = existsSync(join(directory, "shop"));
  const text = isWritten ? readModel({ project: "shop" }, directory).manifestText : undefined;
  return { ...outcome, directory, manifest: text === undefined ? undefined : (JSON.parse(text) as ImportedJson) };
}

export interface RemarkJson {
  readonly object: string;
  readonly reason: string;
  readonly line: number;
}

/** Remarks on an object in the report of `--format json`. */
export function remarksOn(object: string, out: string): readonly RemarkJson[] {
  const { remarks } = JSON.parse(out) as { readonly remarks: readonly RemarkJson[] };
  return remarks.filter((each) => each.object === object);
}

/** The expressions of a cube's members by kind and name. */
export function membersOf(manifest: ImportedJson | undefined, cube: string): Readonly<Record<string, unknown>> {
  const found = manifest?.cubes?.find(({ name }) => name === cube);
  const all = [
    ...(found?.measures ?? []).map((each) => [`measure ${each.name}`, each["expression"]]),
    ...(found?.dimensions ?? []).map((each) => [`dimension ${each.name}`, each["expression"]]),
    ...(found?.timeDimensions ?? []).map((each) => [`time ${each.name}`, each["expression"]]),
  ];
  return Object.fromEntries(all) as Readonly<Record<string, unknown>>;
}
