/** The member `csv` of connections to files. */
import { describe, expect, it } from "vitest";
import { canonicalConnection, parseConnection } from "../../../src/connectors/sources.ts";

const S3 = { bucket: "lake", region: "eu-central-1", access_key: "k", secret_key: "s" };
const MINIO = { endpoint: "localhost:9000", bucket: "lake", access_key: "k", secret_key: "s" };
const GCS = { bucket: "lake", key_id: "k", secret_key: "s" };

const SOURCES = [
  ["local_file", {}],
  ["s3_file", S3],
  ["minio_file", MINIO],
  ["gcs_file", GCS],
] as const;

describe.each(SOURCES)("of %s", (source, fields) => {
  it("is part of the connection and of its canonical form", () => {
    const csv = { encoding: "LATIN1", delimiter: ";", header: false, nullText: "NA", dateFormat: "%d/%m/%Y" };
    const { info, warnings } = parseConnection(source, { ...fields, csv: { ...csv, quote: null } });
    expect(info).toMatchObject({ csv: { ...csv, encoding: "latin-1" } });
    expect(warnings).toEqual([]);
    const canonical = canonicalConnection(info);
    expect(canonical).toHaveProperty("csv.encoding", "latin-1");
    expect(parseConnection(source, canonical).info).toEqual(info);
  });

  it.each<[csv: unknown, message: string]>([
    [{ encodng: "latin-1" }, 'connectionInfo.csv: the option "encodng" is unknown'],
    [{ "a b": 1 }, "connectionInfo.csv: one of its options is unknown"],
    [{ encoding: "ebcdic" }, "connectionInfo.csv.encoding: must be one of utf-8, latin-1, utf-16"],
    [
      { delimiter: "" },
      "connectionInfo.csv.delimiter: must be one ASCII character that is no letter, digit or line end",
    ],
    [
      { delimiter: "||" },
      "connectionInfo.csv.delimiter: must be one ASCII character that is no letter, digit or line end",
    ],
    [
      { quote: "»" },
      "connectionInfo.csv.quote: must be one ASCII character that is no letter, digit or line end, or empty",
    ],
    [{ header: "yes" }, "connectionInfo.csv.header: has the wrong type"],
    [{ nullText: "a\nb" }, "connectionInfo.csv.nullText: must be a part of one line"],
    [{ dateFormat: "dd/mm/yyyy" }, "connectionInfo.csv.dateFormat: must be a format of dates"],
    [{ dateFormat: "%Q" }, "connectionInfo.csv.dateFormat: must be a format of dates"],
    ["latin-1", "connectionInfo.csv: has the wrong type"],
  ])("refuses %o", (csv, message) => {
    expect(() => parseConnection(source, { ...fields, csv })).toThrow(
      expect.objectContaining({ reason: "INVALID_CONNECTION", message }),
    );
  });
});

it("is refused for a connection that attaches databases", () => {
  expect(() => parseConnection("duckdb", { csv: { header: true } })).toThrow(
    /connectionInfo\.csv: describes CSV files/,
  );
});
