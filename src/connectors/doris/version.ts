/**
 * Which Doris a server is. Its greeting says the version of MySQL that it resembles; its own stands in `version_comment`:
 * `Doris version doris-4.0.1-rc02-1b2c3d4e5f`.
 */
import { ConnectorFailure } from "../failure.ts";

/**
 * Since then a cast that fails is an error, where a session asks for that, and what else becomes of values that do not fit is
 * documented (https://doris.apache.org/docs/dev/sql-manual/basic-element/sql-data-types/conversion/cast-expr).
 */
const FLOOR_MAJOR = 4;

/** Fails with `SOURCE_ERROR` for another product, and for what is too old. */
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
