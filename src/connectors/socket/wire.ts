/**
 * A byte connection that is read by pulling, so that not reading is what slows the source down. Dialled by the runtime
 * that hosts the connector: `workerd-dial.ts` in a Worker, the sidecar's own dialler in Node.
 */
export interface Wire {
  /** What was dialled: the address where the runtime knows it, else the host. */
  readonly peer: string;
  /** Certificates are checked against public authorities and the host's name, whatever is asked for: workerd. */
  readonly alwaysVerifies: boolean;
  /** The next bytes; `undefined` when the other side has ended. Rejects with `ConnectorFailure` when the connection broke. */
  read(): Promise<Uint8Array | undefined>;
  /** Resolves when the bytes are on their way. Rejects with `ConnectorFailure`. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * The same connection with TLS on top; this wire is used up. A certificate that is not accepted fails with `TLS_UNTRUSTED`
   * here or, where the runtime tells only then, on the first `read`.
   */
  startTls(options: WireTls): Promise<Wire>;
  /** Drops the connection with whatever is unread. Idempotent, never throws. */
  close(): void;
}

export interface WireTls {
  /** The name that the certificate must be for, and that SNI sends; an address sends none. */
  readonly serverName: string;
  /** `name`: chain and name. `chain`: any name. `none`: encryption only. */
  readonly verify: "name" | "chain" | "none";
  /** PEM of the only authority to trust instead of the runtime's own. */
  readonly certificateAuthority: string | undefined;
  /** The member or option that takes it, for messages; undefined where a connection has none. */
  readonly authorityMember?: string | undefined;
  /** What is going to be spoken, told in the handshake (ALPN), where the runtime can. */
  readonly protocol?: string;
}

export interface DialTarget {
  /** Canonical (`guard/egress.ts`). */
  readonly host: string;
  readonly port: number;
  /** `peer` of an earlier wire, to reach the same machine again when the name has several addresses. */
  readonly peer?: string;
}

/** Connects. Rejects with `ConnectorFailure`: `HOST_UNREACHABLE`, `EGRESS_DENIED`, or the signal's reason. */
export type Dial = (target: DialTarget, options: { readonly signal: AbortSignal }) => Promise<Wire>;
