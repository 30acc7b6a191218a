/** Debian's Chromium by Playwright, without its own calls to other hosts. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export const hasBrowser = CHROMIUM !== undefined;
/** For the name of a suite that cannot run. */
export const WITHOUT_BROWSER = "not run: Chromium is not installed (Debian: apt-get install chromium)";

const WORDS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(WITHOUT_BROWSER);
  return chromium.launch({ executablePath: CHROMIUM, args: WORDS });
}
