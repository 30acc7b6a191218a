/** The words for a number of rows. */

export const rowsInWords = (count: number): string => (count === 1 ? "1 row" : `${count.toLocaleString("en")} rows`);
