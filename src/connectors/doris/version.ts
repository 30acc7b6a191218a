/**
 * The version of a Doris server. Its greeting contains the compatible version of MySQL; its own is in `version_comment`: `Doris
 * version doris-4.0.1-rc02-1b2c3d4e5f`.
 */
import { ConnectorFailure } from "../failure.ts";

/**
 * Since this version, a session setting makes a failed cast an error, and the documentation defines the result of other values
 * that do not fit (https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/conversion/cast-expr).
 */
const FLOOR_MAJOR = 4;

/** Throws `SOURCE_ERROR` for another product, and for a version that is too old. */
export function checkVersion(comment: string): void {
  const [, major] = /\bdoris-(\d+)\.\d+/i.exec(comment) ?? [];
  if (major === undefined) {
    throw new ConnectorFailure("SOURCE_ERROR", "The server does not say that it is Apache Doris.", {
      hint: "Check that host and port are those of a frontend's queries (9030), and not of MySQL, MariaDB or StarRocks.",
    });
  }
  if (Number(major) >= FLOOR_MAJOR) return;
  throw new ConnectorFailure("SOURCE_ERROR", `Doris ${major} is not supported.`, {
    hint: `Use Doris ${FLOOR_MAJOR}.0 or later.`,
  });
}
