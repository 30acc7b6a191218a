/**
 * The frames of `result/encode/frames`, as an argument: this room is loaded when a request asks for the cache, and what it
 * imported itself would be loaded no earlier by those who need it from the start (docs/decisions.md S171).
 */
import type { resultFramer } from "../result/encode/frames/framer.ts";
import type { batchFrameReader, readFrameBytes } from "../result/encode/frames/reader.ts";

export interface Frames {
  readonly framer: typeof resultFramer;
  readonly batchReader: typeof batchFrameReader;
  readonly read: typeof readFrameBytes;
}
