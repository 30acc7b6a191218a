/** The formats that file sources read. */
export const FILE_FORMATS = ["csv", "json", "parquet"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export function isFileFormat(text: string): text is FileFormat {
  return (FILE_FORMATS as readonly string[]).includes(text);
}
