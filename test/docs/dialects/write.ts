/** `npm run dialects` writes docs/reference/dialects, the sections of docs/reference/sources.md, and the record of the SQL that every dialect sends. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeRecords } from "../../sent-sql/files.ts";
import { pageOf } from "./page.ts";
import { PAGES, PLACE } from "./pages.ts";
import { pageWithSections } from "./sources.ts";

mkdirSync(PLACE, { recursive: true });
for (const page of PAGES) writeFileSync(new URL(`${page.source}.md`, PLACE), pageOf(page));
const sources = new URL("../sources.md", PLACE);
writeFileSync(sources, pageWithSections(readFileSync(sources, "utf8")));
writeRecords();
