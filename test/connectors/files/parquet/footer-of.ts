/** The footer of a Parquet file that is here whole. Throws `ParquetFault`. */
import { type Footer, footerStart, readFooter, TAIL_BYTES } from "../../../../src/connectors/files/parquet/footer.ts";

export function footerOf(bytes: Uint8Array): Footer {
  const start = footerStart(bytes.subarray(bytes.length - TAIL_BYTES), bytes.length);
  return readFooter({ bytes: bytes.subarray(start, bytes.length - TAIL_BYTES), start });
}
