/**
 * Skips row groups by page indexes, in addition to the statistics of the whole group
 * (https://github.com/apache/parquet-format/blob/master/PageIndex.md). A group is skipped if no page may contain a row that meets
 * a filter, or if the pages for two filters have no row in common. A group with an invalid index is kept.
 */
import type { ScanFilter } from "../../../planner/plan.ts";
import type { FileNeed } from "../need.ts";
import { type Field, readStruct, type Struct } from "./compact-protocol.ts";
import { type Chunk, type Footer, integerOf, type RowGroup } from "./footer.ts";
import { bytesOfGroup, isWorth, type ReadBytes, readPieces } from "./pieces.ts";
import { type ByteRange, isNeeded, leafOf } from "./projection.ts";
import { mayBeWithin } from "./statistics.ts";

export async function withinPageIndexes(footer: Footer, need: FileNeed, read: ReadBytes): Promise<Footer> {
  const groups = footer.rowGroups.filter((group) => isNeeded(group, footer.columns, need));
  const asked = new Map<Chunk, IndexPlaces>();
  for (const group of groups) {
    const size = bytesOfGroup(group, footer, need);
    for (const filter of need.uses.flat()) {
      const leaf = leafOf(filter, footer.columns, group);
      const places = leaf && placesOf(leaf.chunk, footer);
      if (leaf !== undefined && places !== undefined && isWorth(lengthOf(places), size)) asked.set(leaf.chunk, places);
    }
  }
  const pieceAt = await readPieces(
    [...asked.values()].flatMap(({ values, rows }) => [values, rows]),
    read,
  );
  if (pieceAt === undefined) return footer;
  const pages = new Map<Chunk, readonly Page[] | undefined>();
  const pagesOf = (chunk: Chunk, group: RowGroup): readonly Page[] | undefined => {
    const places = asked.get(chunk);
    if (places === undefined) return undefined;
    if (!pages.has(chunk)) pages.set(chunk, readPages(pieceAt(places.values), pieceAt(places.rows), group));
    return pages.get(chunk);
  };
  const mayMeetAll = (filters: readonly ScanFilter[], group: RowGroup): boolean => {
    let left: readonly RowRange[] = [{ from: 0n, to: group.rows }];
    for (const filter of filters) {
      const leaf = leafOf(filter, footer.columns, group);
      const own = leaf && pagesOf(leaf.chunk, group);
      if (leaf !== undefined && own !== undefined) left = common(left, rowsFor(filter, leaf.element, own));
    }
    return left.length > 0;
  };
  const rowGroups = groups.filter((group) =>
    need.uses.some(
      (filters) => isNeeded(group, footer.columns, { ...need, uses: [filters] }) && mayMeetAll(filters, group),
    ),
  );
  return { ...footer, rowGroups };
}

interface IndexPlaces {
  /** Position of the column index, with the bounds of each page. */
  readonly values: ByteRange;
  /** Position of the offset index, with the first row of each page. */
  readonly rows: ByteRange;
}

const lengthOf = ({ values, rows }: IndexPlaces): number => values.end - values.start + rows.end - rows.start;

function placesOf({ fields }: Chunk, { start: end }: Footer): IndexPlaces | undefined {
  const [rows, values] = [rangeOf(fields, 4, end), rangeOf(fields, 6, end)];
  return rows && values && { rows, values };
}

/** `id` is the field with the start; the next field is the length. */
function rangeOf(fields: Struct, id: number, most: number): ByteRange | undefined {
  const start = Number(integerOf(fields, id) ?? 0n);
  const length = Number(integerOf(fields, id + 1) ?? 0n);
  return start < 4 || length <= 0 || start + length > most ? undefined : { start, end: start + length };
}

/** `to` is exclusive. */
interface RowRange {
  readonly from: bigint;
  readonly to: bigint;
}

interface Page extends RowRange {
  /** Undefined if all values are NULL. */
  readonly bounds: { readonly least: Uint8Array; readonly most: Uint8Array } | undefined;
}

/** The pages in order, covering all rows of the group; undefined if the indexes do not define that. */
function readPages(values: Uint8Array, rows: Uint8Array, group: RowGroup): readonly Page[] | undefined {
  try {
    const [index, places] = [readStruct(values), readStruct(rows)];
    const firsts = listOf(places, 1).map((place) => (place.type === "struct" ? integerOf(place.value, 3) : undefined));
    const [nulls, least, most] = [1, 2, 3].map((id) => listOf(index, id));
    const isWhole = [nulls, least, most].every((list) => list?.length === firsts.length);
    if (!isWhole || firsts[0] !== 0n) return undefined;
    const pages: Page[] = [];
    for (const [number, from] of firsts.entries()) {
      const to = number + 1 < firsts.length ? firsts[number + 1] : group.rows;
      const [isNull, low, high] = [nulls?.[number], least?.[number], most?.[number]];
      if (from === undefined || to === undefined || from >= to) return undefined;
      if (isNull?.type !== "boolean" || low?.type !== "binary" || high?.type !== "binary") return undefined;
      pages.push({ from, to, bounds: isNull.value ? undefined : { least: low.value, most: high.value } });
    }
    return pages;
  } catch {
    return undefined;
  }
}

function listOf(fields: Struct, id: number): readonly Field[] {
  const field = fields.get(id);
  return field?.type === "list" ? field.value : [];
}

/** Rows of the pages that may contain a match; NULL never matches. */
function rowsFor(filter: ScanFilter, element: Struct, pages: readonly Page[]): readonly RowRange[] {
  return pages.filter(({ bounds }) => bounds !== undefined && mayBeWithin(filter, element, bounds.least, bounds.most));
}

/** Both lists are ascending and disjoint. */
function common(some: readonly RowRange[], others: readonly RowRange[]): readonly RowRange[] {
  const found: RowRange[] = [];
  for (let one = 0, other = 0; one < some.length && other < others.length; ) {
    const [a, b] = [some[one], others[other]];
    if (a === undefined || b === undefined) break;
    const from = a.from > b.from ? a.from : b.from;
    const to = a.to < b.to ? a.to : b.to;
    if (from < to) found.push({ from, to });
    if (a.to < b.to) one++;
    else other++;
  }
  return found;
}
