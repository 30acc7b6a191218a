/** Members of a struct, or keys and values of a map, that are not equally many: the file is refused, and no memory is answered. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FilesService, startFilesService } from "../support/files-service.ts";
import { int64s, leaf, list, map, parquetFile, struct } from "../support/parquet-file.ts";

const MANY = 20_000;
const many = (definition: number) => ({
  repetitions: Array.from({ length: MANY }, (_, i) => Math.min(i, 1)),
  definitions: new Array<number>(MANY).fill(definition),
  values: new Uint8Array(MANY * 8).fill(1),
});
const one = (definition: number) => ({ repetitions: [0], definitions: [definition], values: int64s(7n) });

const members = [leaf("a", "int64"), leaf("b", "int64")] as const;
const listColumns = [list("l", struct("e", ...members))];
const mapColumns = [map("l", ...members)];

const FILES = {
  "fewer-b.parquet": parquetFile({ columns: listColumns, rows: 1, leaves: [many(4), one(4)] }),
  "fewer-a.parquet": parquetFile({ columns: listColumns, rows: 1, leaves: [one(4), many(4)] }),
  "fewer-values.parquet": parquetFile({ columns: mapColumns, rows: 1, leaves: [many(2), one(3)] }),
  "fewer-keys.parquet": parquetFile({ columns: mapColumns, rows: 1, leaves: [one(2), many(3)] }),
  // The same number of entries in total, but not in each list.
  "moved.parquet": parquetFile({
    columns: listColumns,
    rows: 2,
    leaves: [
      { repetitions: [0, 1, 0], definitions: [4, 4, 4], values: int64s(1n, 2n, 3n) },
      { repetitions: [0, 0, 1], definitions: [4, 4, 4], values: int64s(1n, 2n, 3n) },
    ],
  }),
};

let service: FilesService;
beforeAll(async () => {
  service = await startFilesService(FILES);
}, 300_000);
afterAll(() => service.close());

it.each(Object.keys(FILES))("%s", async (table) => {
  expect(await service.ask("SELECT l FROM t", table, { l: "unknown" })).toMatchObject({
    status: 422,
    reason: "FILE_INVALID",
    data: undefined,
  });
});
