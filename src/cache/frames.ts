/**
 * The functions of `result/encode/frames`, passed as an argument: `cache` is loaded when a request uses the cache, and modules that
 * it imported itself would not load earlier for the code that needs them from the start
 * (docs/decisions/0053-the-api-starts-without-drivers.md#decision).
 */
import type { resultFramer } from "../result/encode/frames/framer.ts";
import type { batchFrameReader, readFrameBytes } from "../result/encode/frames/reader.ts";

export interface Frames {
  readonly framer: typeof resultFramer;
  readonly batchReader: typeof batchFrameReader;
  readonly read: typeof readFrameBytes;
}
