/** `npm run refusals` writes docs/evidence/refusals.md. */
import { writeEvidence } from "../support/evidence.ts";
import { PLANNED_SOURCES } from "../support/statements.ts";
import { refusalsOf, refusalsTable } from "./refusals.ts";

const PAGE = new URL("../../docs/evidence/refusals.md", import.meta.url);
writeEvidence(PAGE, "npm run refusals", "counts", refusalsTable(PLANNED_SOURCES.map((source) => refusalsOf(source))));
