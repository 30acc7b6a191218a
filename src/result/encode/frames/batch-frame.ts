/** Builds one frame of rows: reserves space for the header and row count, and respects the size limits of frames. */
import { ResultError } from "../../failure.ts";
import { ByteWriter } from "./bytes.ts";
import {
  FRAME,
  HEADER_BYTES,
  MAX_PAYLOAD_BYTES,
  MAX_ROWS_PER_FRAME,
  TARGET_PAYLOAD_BYTES,
  writeHeader,
} from "./format.ts";

/** The header and the row count. */
const BEGIN = HEADER_BYTES + 4;

export class BatchFrameWriter {
  /** Buffer for the values of the rows, one after another. */
  readonly out = new ByteWriter();
  #rows = 0;

  constructor() {
    this.out.raw(new Uint8Array(BEGIN));
  }

  /** Number of finished rows. */
  get rows(): number {
    return this.#rows;
  }

  /** The last row does not fit into the frame with the rows before it. */
  get isFull(): boolean {
    return (
      this.#rows > 0 && (this.out.length - HEADER_BYTES > TARGET_PAYLOAD_BYTES || this.#rows === MAX_ROWS_PER_FRAME)
    );
  }

  finishRow(): void {
    this.#rows++;
  }

  /** The finished rows, up to `length`, as a frame; the next row begins a new frame. */
  cut(length: number = this.out.length): Uint8Array {
    if (length - HEADER_BYTES > MAX_PAYLOAD_BYTES) {
      throw new ResultError("ROW_TOO_LARGE", `A row takes more than ${MAX_PAYLOAD_BYTES / 2 ** 20} MiB.`);
    }
    this.out.patchUint32(HEADER_BYTES, this.#rows);
    const frame = this.out.bytes(0, length);
    writeHeader(frame, FRAME.batch, length - HEADER_BYTES);
    this.restart();
    return frame;
  }

  /** Discards everything written. */
  restart(): void {
    this.out.truncate(BEGIN);
    this.#rows = 0;
  }
}
