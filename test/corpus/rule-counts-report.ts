/** `npm run rule-counts` writes the table of docs/reference/access-rules.md. */
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { writeEvidence } from "../support/evidence.ts";
import { ruleCounts, ruleCountsTable } from "./rule-counts.ts";

const PAGE = new URL("../../docs/reference/access-rules.md", import.meta.url);
const counts = DATA_SOURCES.map((source) => ruleCounts(source));
writeEvidence(PAGE, "npm run rule-counts", "counts", ruleCountsTable(counts));
