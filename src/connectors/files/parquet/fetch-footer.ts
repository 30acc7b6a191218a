/** The footer of a Parquet file in a store: in one request mostly, in two where it is large. */
import { concatenated } from "../../../result/bytes.ts";
import type { ObjectStore, StoredObject } from "../object-store.ts";
import { ParquetFault } from "./fault.ts";
import { footerStart, type StoredFooter, TAIL_BYTES } from "./footer.ts";

/** Where most footers fit in. */
export const LIKELY_FOOTER_BYTES = 64 * 1024;

/** `take` is told of bytes beyond those. Throws `ParquetFault`, and what the store does. */
export async function fetchFooter(
  store: ObjectStore,
  object: StoredObject,
  take: (bytes: number) => void,
  signal: AbortSignal,
): Promise<StoredFooter> {
  const { size } = object;
  if (size < TAIL_BYTES) throw new ParquetFault("It is no Parquet file, or not whole.");
  const from = Math.max(0, size - LIKELY_FOOTER_BYTES);
  const end = await storedBytes(store, object, from, size, signal);
  const start = footerStart(end.subarray(end.length - TAIL_BYTES), size);
  if (start >= from) return { bytes: end.subarray(start - from, end.length - TAIL_BYTES), start };
  take(from - start);
  const begin = await storedBytes(store, object, start, from, signal);
  return { bytes: concatenated([begin, end.subarray(0, end.length - TAIL_BYTES)]), start };
}

/** Whole, in memory. */
export async function storedBytes(
  store: ObjectStore,
  object: StoredObject,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(await store.read(object, start, end, signal)).arrayBuffer());
}
