/** `npm run dialects` writes docs/reference/dialects, and the record of the SQL that every dialect sends. */
import { mkdirSync, writeFileSync } from "node:fs";
import { writeRecords } from "../../sent-sql/files.ts";
import { pageOf } from "./page.ts";
import { PAGES, PLACE } from "./pages.ts";

mkdirSync(PLACE, { recursive: true });
for (const page of PAGES) writeFileSync(new URL(`${page.source}.md`, PLACE), pageOf(page));
writeRecords();
