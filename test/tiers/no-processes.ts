/** Loaded before every unit file: a test that starts a child process there fails with a sentence that says where it belongs. */
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

const STARTERS = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const;

for (const name of STARTERS) {
  const refuse = (): never => {
    throw new Error(
      `A unit test called child_process.${name}. Import what starts the process statically: test/tiers/tier.ts then leaves the file to test:all.`,
    );
  };
  Object.assign(childProcess, { [name]: refuse });
}
syncBuiltinESMExports();
