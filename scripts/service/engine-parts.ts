/** Creates the DuckDB parts of the files Worker's bundle from the package. */
import { writeEngineModule } from "./engine-module.ts";
import { writeTrampolines } from "./trampolines.ts";

export async function writeEngineParts(): Promise<void> {
  await writeTrampolines();
  writeEngineModule();
}
