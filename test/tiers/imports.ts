/** Packages and Node built-ins that a file reaches through its imports and those of the modules below it. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Static imports and exports, dynamic imports of a literal, and modules named for `require`; imports of types are erased. */
const IMPORT =
  /^\s*(?:import|export)\s(?!type\s)[^;"]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"|\b(?:require|resolve|getBuiltinModule)\(\s*"([^"]+)"/gm;

interface Imports {
  readonly modules: readonly string[];
  readonly packages: readonly string[];
}

const known = new Map<string, Imports>();

function importsOf(file: string): Imports {
  const found = known.get(file);
  if (found !== undefined) return found;
  const names = [...readFileSync(file, "utf8").matchAll(IMPORT)].map((match) => match.slice(1).find(Boolean) ?? "");
  const modules = names.filter((name) => name.startsWith(".")).map((name) => resolve(dirname(file), name));
  const imports = {
    modules: modules.filter((module) => /\.m?[jt]s$/.test(module) && existsSync(module) && statSync(module).isFile()),
    packages: names.filter((name) => !name.startsWith(".")),
  };
  known.set(file, imports);
  return imports;
}

/** Names of packages and built-ins, as the import statements spell them. */
export function reachedPackages(file: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = [resolve(file)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const imports = importsOf(next);
    for (const name of imports.packages) packages.add(name);
    waiting.push(...imports.modules);
  }
  return packages;
}
