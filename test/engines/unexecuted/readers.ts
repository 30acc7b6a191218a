/** Python packages that `npm run engines` installs, and whether they are present. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const PYTHON = fileURLToPath(new URL("../../../.siskin/readers/bin/python", import.meta.url));

export function hasModule(name: string): boolean {
  if (!existsSync(PYTHON)) return false;
  try {
    execFileSync(PYTHON, ["-c", `import ${name}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
