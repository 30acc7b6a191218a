/** Who calls (decisions C9). Every request passes here, so that turning authentication on changes one place. */
import type { WorkerSettings } from "../config.ts";

/** Names of connections that the operator has configured (decisions C8). */
export type UsableConnections = "all" | ReadonlySet<string>;

export interface Caller {
  /** Shown in logs; `anonymous` where callers are not told apart. */
  readonly id: string;
  /** Session properties that the caller's credentials fix: names in lower case, values as SQL literal text. */
  readonly claims: ReadonlyMap<string, string>;
  /** Which of the operator's connections it may use; of the others it does not even learn the names. */
  readonly connections: UsableConnections;
}

export interface Authenticator {
  authenticate(request: Request): Promise<Caller>;
}

const ANONYMOUS: Caller = { id: "anonymous", claims: new Map(), connections: "all" };

/** Throws when the setting names a way that this version does not offer: serving everyone instead would be worse. */
export function createAuthenticator(auth: WorkerSettings["AUTH"]): Authenticator {
  switch (auth) {
    case "none":
      return { authenticate: () => Promise.resolve(ANONYMOUS) };
    case "keys":
    case "jwt":
      throw new Error(`AUTH=${auth} is not available yet; this version offers AUTH=none only`);
    default:
      return auth satisfies never;
  }
}
