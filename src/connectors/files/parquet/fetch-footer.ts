/** Reads the footer of a Parquet file in a store: usually in one request, in two if it is large. */
import { concatenated } from "../../../result/bytes.ts";
import type { ObjectStore, StoredObject } from "../object-store.ts";
import { ParquetFault } from "./fault.ts";
import { footerStart, type StoredFooter, TAIL_BYTES } from "./footer.ts";

/** Large enough for most footers. */
export const LIKELY_FOOTER_BYTES = 64 * 1024;

/** `take` is called with the number of further bytes. Rejects with `ParquetFault`, and with the store's errors. */
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

/** The whole footer, in memory. */
export async function storedBytes(
  store: ObjectStore,
  object: StoredObject,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return new Uint8Array(await new Response(await store.read(object, start, end, signal)).arrayBuffer());
}
