/** Determines the variant of a server from the version in its greeting. */
import type { Variant } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";
import { isItself } from "./fences.ts";

export interface MySqlVariant extends Variant {
  readonly product: "mysql" | "mariadb";
  /** `8.0.40`, `10.11.19`. */
  readonly version: readonly [major: number, minor: number, patch: number];
  /** The server is MySQL or MariaDB, and not another product with their protocol. */
  readonly isItself: boolean;
}

/** Older versions lack window functions, common table expressions or roles, and are not tested. */
const FLOORS = { mysql: [8, 0], mariadb: [10, 6] } as const;
const NAMES = { mysql: "MySQL", mariadb: "MariaDB" } as const;

/**
 * MariaDB puts `5.5.5-` before its own version, for replicas of old MySQL servers; derivatives of MySQL (Percona, Aurora, Vitess)
 * begin with the version that they are compatible with. Throws `SOURCE_ERROR` for a version that is too old.
 */
export function variantOf(serverVersion: string): MySqlVariant {
  const product = /mariadb/i.test(serverVersion) ? "mariadb" : "mysql";
  const own = product === "mariadb" ? serverVersion.replace(/^5\.5\.5-/, "") : serverVersion;
  const [, major = "0", minor = "0", patch = "0"] = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(own) ?? [];
  const version = [Number(major), Number(minor), Number(patch)] as const;
  const [floorMajor, floorMinor] = FLOORS[product];
  if (version[0] < floorMajor || (version[0] === floorMajor && version[1] < floorMinor)) {
    const name = NAMES[product];
    throw new ConnectorFailure("SOURCE_ERROR", `${name} ${version[0]}.${version[1]} is not supported.`, {
      hint: `Use ${name} ${floorMajor}.${floorMinor} or later.`,
    });
  }
  return { product, version, isItself: isItself(serverVersion) };
}
