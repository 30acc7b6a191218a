/** Process 1 of the sidecar's image, behind `init.sh`. Wiring only. */
import { fileURLToPath } from "node:url";
import { WRONG_SETTINGS } from "../src/config/exit-code.ts";
import { checkedSettings, runUntilSignal, supervisionBy, wordsOf } from "./image.ts";
import { startSidecarProcess } from "./sidecar-process.ts";
import { Supervised } from "./supervised.ts";

const settings = checkedSettings(fileURLToPath(new URL("checked-settings.ts", import.meta.url)), "sidecar");
const output = wordsOf("The sidecar");
const sidecar = new Supervised({
  ...supervisionBy(settings),
  name: "The sidecar",
  start: () => startSidecarProcess({ environment: process.env, words: [], output }),
  onRefused: () => process.exit(WRONG_SETTINGS),
});
await runUntilSignal([sidecar]);
