/** `npm run dialects` writes docs/dialects. */
import { mkdirSync, writeFileSync } from "node:fs";
import { pageOf } from "./page.ts";
import { PAGES, PLACE } from "./pages.ts";

mkdirSync(PLACE, { recursive: true });
for (const page of PAGES) writeFileSync(new URL(`${page.source}.md`, PLACE), pageOf(page));
