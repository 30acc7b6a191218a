/** What is wrong with a file that should be Parquet; who knows its name says it. */
export class ParquetFault extends Error {
  override readonly name = "ParquetFault";
}
