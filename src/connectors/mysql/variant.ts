/** Which of the family a server is, from what it says of itself when somebody connects. */
import type { Variant } from "../../planner/plan.ts";
import { ConnectorFailure } from "../failure.ts";
import { isItself } from "./fences.ts";

export interface MySqlVariant extends Variant {
  readonly product: "mysql" | "mariadb";
  /** `8.0.40`, `10.11.19`. */
  readonly version: readonly [major: number, minor: number, patch: number];
  /** It is MySQL or MariaDB, and not another program that speaks their protocol. */
  readonly isItself: boolean;
}

/** Below them window functions, common table expressions or roles of the time are missing, and nobody has tested. */
const FLOORS = { mysql: [8, 0], mariadb: [10, 6] } as const;
const NAMES = { mysql: "MySQL", mariadb: "MariaDB" } as const;

/**
 * MariaDB puts `5.5.5-` before its own version, so that replicas of old MySQLs go on; derivatives of MySQL (Percona, Aurora,
 * Vitess) begin with the version that they are compatible with. Fails with `SOURCE_ERROR` for what is too old.
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
