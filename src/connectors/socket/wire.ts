/**
 * A byte connection that is read by pulling, so that a slow reader slows the source down. The runtime of the connector dials it:
 * `platform-dial.ts` in a Worker, the sidecar's own dialler in Node.
 */
export interface Wire {
  /** The dialled address if the runtime reports it, otherwise the host. */
  readonly peer: string;
  /**
   * Certificates are always checked against public authorities and the host's name, whatever the options are: true for workerd.
   */
  readonly alwaysVerifies: boolean;
  /** The next bytes; `undefined` when the other side has ended. Rejects with `ConnectorFailure` when the connection broke. */
  read(): Promise<Uint8Array | undefined>;
  /** Resolves when the bytes have been sent. Rejects with `ConnectorFailure`. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * The same connection with TLS; this wire cannot be used any more. A certificate that is not accepted fails with
   * `TLS_UNTRUSTED` in this call or, if the runtime reports it later, in the first `read`.
   */
  startTls(options: WireTls): Promise<Wire>;
  /** Drops the connection and all unread bytes. Idempotent, never throws. */
  close(): void;
}

export interface WireTls {
  /** The expected name in the certificate, which is also sent by SNI; an address sends none. */
  readonly serverName: string;
  /** `name`: chain and name. `chain`: any name. `none`: encryption only. */
  readonly verify: "name" | "chain" | "none";
  /** PEM of the only trusted authority, in place of the runtime's own. */
  readonly certificateAuthority: string | undefined;
  /** The member or option that contains it, for messages; undefined if a connection has none. */
  readonly authorityMember?: string | undefined;
  /** The protocol, announced in the handshake (ALPN) if the runtime supports it. */
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
