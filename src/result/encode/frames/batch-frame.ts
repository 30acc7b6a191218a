/** One frame of rows under the pen: room for what is known last, and the bounds of frames. */
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

/** The header and the number of rows. */
const BEGIN = HEADER_BYTES + 4;

export class BatchFrameWriter {
  /** Where the values of a row are written, one after another. */
  readonly out = new ByteWriter();
  #rows = 0;

  constructor() {
    this.out.raw(new Uint8Array(BEGIN));
  }

  /** Of those that are finished. */
  get rows(): number {
    return this.#rows;
  }

  /** The row that was written last has no place beside those before it. */
  get isFull(): boolean {
    return (
      this.#rows > 0 && (this.out.length - HEADER_BYTES > TARGET_PAYLOAD_BYTES || this.#rows === MAX_ROWS_PER_FRAME)
    );
  }

  finishRow(): void {
    this.#rows++;
  }

  /** The finished rows, which end at `length`, as a frame; the next row begins a new one. */
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

  /** Forgets what has been written. */
  restart(): void {
    this.out.truncate(BEGIN);
    this.#rows = 0;
  }
}
