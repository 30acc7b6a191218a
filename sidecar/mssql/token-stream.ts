/** Reads tokens and waits for bytes that have not arrived. */
import { type AnswerReader, MORE } from "./answer-reader.ts";
import { notTds } from "./failures.ts";

/** The result of `read`, once all its bytes have arrived. Fails if it needs more than `most` bytes. */
export async function nextToken<T>(reader: AnswerReader, read: (reader: AnswerReader) => T, most: number): Promise<T> {
  for (;;) {
    const token = tokenOf(reader, read);
    if (token !== MORE) return token;
    if (reader.held > most) throw notTds();
    await reader.more();
  }
}

/** The result of `read`, or `MORE` with the reader at the start. */
export function tokenOf<T>(reader: AnswerReader, read: (reader: AnswerReader) => T): T | typeof MORE {
  const start = reader.at;
  try {
    return read(reader);
  } catch (error) {
    if (error !== MORE) throw error;
    reader.at = start;
    return MORE;
  }
}
