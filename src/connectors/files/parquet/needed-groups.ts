/** Selects the row groups that a statement needs: by statistics in the footer, and by indexes and filters outside of it. */
import type { FileNeed } from "../need.ts";
import { withinBloomFilters } from "./bloom-filters.ts";
import type { Footer } from "./footer.ts";
import { withinPageIndexes } from "./page-indexes.ts";
import type { ReadBytes } from "./pieces.ts";

export async function withinNeed(footer: Footer, need: FileNeed, read: ReadBytes): Promise<Footer> {
  return withinBloomFilters(await withinPageIndexes(footer, need, read), need, read);
}
