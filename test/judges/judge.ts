/** The makers' own clients of `test/judges/package.json`, which `npm run engines` installs with the lockfile beside it. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const PLACE = new URL("package.json", import.meta.url);

export type JudgeName = "snowflake-sdk" | "tedious" | "tedious/lib/collation.js";

/** Path of a module or program of an installed package. */
export const judgePath = (module: string): string => fileURLToPath(new URL(`node_modules/${module}`, PLACE));

/** Whether the clients are installed; tests report that they did not run where they are not. */
export const hasJudges = existsSync(new URL("node_modules/tedious/package.json", PLACE));

/** Whether the conformance suite of the Model Context Protocol is installed. */
export const hasConformance = existsSync(new URL("node_modules/@modelcontextprotocol/conformance/package.json", PLACE));

/** Whether an OAuth server is installed. */
export const hasOidcProvider = existsSync(new URL("node_modules/oidc-provider/package.json", PLACE));

/** The module, whose types the caller states: the packages are not there when types are checked. */
export const judge = <Module>(name: JudgeName): Module => createRequire(PLACE)(name) as Module;
