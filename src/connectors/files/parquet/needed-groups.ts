/** Groups of rows that a statement needs, by all that a file tells of them: bounds are in its footer, the rest stands beside it. */
import type { FileNeed } from "../need.ts";
import { withinBloomFilters } from "./bloom-filters.ts";
import type { Footer } from "./footer.ts";
import { withinPageIndexes } from "./page-indexes.ts";
import type { ReadBytes } from "./pieces.ts";

export async function withinNeed(footer: Footer, need: FileNeed, read: ReadBytes): Promise<Footer> {
  return withinBloomFilters(await withinPageIndexes(footer, need, read), need, read);
}
