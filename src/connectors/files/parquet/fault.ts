/** A defect of a Parquet file; the code that knows the file's name adds it. */
export class ParquetFault extends Error {
  override readonly name: string = "ParquetFault";
}

/** The file may be valid, but its footer exceeds the limits of this reader. */
export class FooterTooLarge extends ParquetFault {
  override readonly name = "FooterTooLarge";
}
