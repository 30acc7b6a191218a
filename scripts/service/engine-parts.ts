/** What the files Worker's bundle has of DuckDB, made of the package before it is built. */
import { writeEngineModule } from "./engine-module.ts";
import { writeTrampolines } from "./trampolines.ts";

export async function writeEngineParts(): Promise<void> {
  await writeTrampolines();
  writeEngineModule();
}
