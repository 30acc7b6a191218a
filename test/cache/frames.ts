import type { Frames } from "../../src/cache/frames.ts";
import { resultFramer } from "../../src/result/encode/frames/framer.ts";
import { batchFrameReader, readFrameBytes } from "../../src/result/encode/frames/reader.ts";

/** Frames in the Worker's form. */
export const FRAMES: Frames = { framer: resultFramer, batchReader: batchFrameReader, read: readFrameBytes };
