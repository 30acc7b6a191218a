/** What is wrong with a file that should be Parquet; who knows its name says it. */
export class ParquetFault extends Error {
  override readonly name: string = "ParquetFault";
}

/** Nothing is wrong with the file that is known of: its footer says more than is looked into here. */
export class FooterTooLarge extends ParquetFault {
  override readonly name = "FooterTooLarge";
}
