/** Connection of `spark`: fields, options, and the canonical form (docs/spec/contract.md#connections). */
import * as z from "zod/mini";
import { canonicalHost } from "../../guard/egress.ts";
import { Secret } from "../../guard/secret.ts";
import { once } from "../../once.ts";
import type { PlannerWarning } from "../../planner/plan.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { memberOfUrl, optionsShape, portNumber, portShape } from "./server-fields.ts";
import { readMembers, takenTls, unknownOption, withWarnings } from "./unknown-members.ts";

export interface SparkConnection {
  readonly source: "spark";
  /** Canonical (`guard/egress.ts`): the checked host is the dialled host. */
  readonly host: string;
  /** Port of Spark Connect. */
  readonly port: number;
  /** TLS with a certificate that is verified by name. Spark itself speaks plain HTTP/2; a proxy in front of it may use TLS. */
  readonly isSecure: boolean;
  /** For a proxy in front of the server; never sent without TLS. */
  readonly token: Secret | undefined;
  /** The user name of sessions on the server. It proves nothing. */
  readonly user: string;
}

/** The schema of `connectionInfo`, for the API's description. */
export const sparkConnectionShape = once(() =>
  z.object({ host: z.string(), port: portShape(), kwargs: optionsShape() }),
);

/** Servers reject requests without a user. */
const NOBODY = "siskin";

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseSparkConnection(raw: unknown): ParsedConnection<SparkConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "is not read for Spark", "Give host and port.");
  const { given: fields, tls, warnings: unknown } = readMembers(sparkConnectionShape(), raw);
  const host = canonicalHost(fields.host.trim());
  if (host === undefined) {
    throw invalidConnection("host", "names no host that can be dialled", "Give one host name or address.");
  }
  const port = portNumber(fields.port, "port");
  const { options, warnings } = readOptions({
    ...fields.kwargs,
    ...takenTls(tls, ["use_ssl"], TLS_HINT),
  });
  return withWarnings({ info: { source: "spark", host, port, ...options }, warnings }, unknown);
}

interface Options {
  readonly options: Pick<SparkConnection, "isSecure" | "token" | "user">;
  readonly warnings: readonly PlannerWarning[];
}

const OPTIONS: readonly string[] = ["use_ssl", "token", "user_id"];
const TLS_HINT =
  "The option of TLS is use_ssl: certificates are then verified, by the authorities that the sidecar trusts.";

/**
 * Options have the names of Spark Connect's connection strings
 * (https://github.com/apache/spark/blob/v4.0.1/sql/connect/docs/client-connection-string.md).
 */
function readOptions(kwargs: Readonly<Record<string, string | number | boolean | null>> | null | undefined): Options {
  let isSecure: boolean | undefined;
  let token: Secret | undefined;
  let user = NOBODY;
  const warnings: PlannerWarning[] = [];
  for (const [key, given] of Object.entries(kwargs ?? {})) {
    if (given === null) continue;
    const value = String(given);
    switch (key.toLowerCase()) {
      case "use_ssl":
        if (!/^(?:true|false)$/i.test(value))
          throw invalidConnection("kwargs", "the option use_ssl must be true or false");
        isSecure = value.toLowerCase() === "true";
        break;
      case "token":
        // The token is sent in a header.
        if (!/^[\x21-\x7e]+$/.test(value)) throw invalidConnection("kwargs", "the option token is not a token");
        token = new Secret(value);
        break;
      case "user_id":
        if (value === "" || !value.isWellFormed())
          throw invalidConnection("kwargs", "the option user_id names no user");
        user = value;
        break;
      default:
        warnings.push(unknownOption({ member: "kwargs", name: key, value }, OPTIONS, TLS_HINT));
    }
  }
  if (token !== undefined && isSecure === false) {
    throw invalidConnection("kwargs", "a token is sent over TLS alone", "Leave use_ssl out: a token implies it.");
  }
  return { options: { isSecure: isSecure ?? token !== undefined, token, user }, warnings };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalSparkConnection({ host, port, isSecure, token, user }: SparkConnection): CanonicalConnection {
  return {
    host,
    port,
    kwargs: { use_ssl: isSecure, user_id: user, ...(token !== undefined && { token: token.reveal() }) },
  };
}
