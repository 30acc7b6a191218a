/**
 * TLS in TDS 7: the handshake travels in packets of the protocol, and later data goes over the socket directly (MS-TDS
 * §2.2.6.5 and §3.2.5.2).
 */
import { Duplex } from "node:stream";
import type { Wire, WireTls } from "../../src/connectors/socket/wire.ts";
import { secureWire } from "../dial.ts";
import { FIRST_PACKET_BYTES, MESSAGES, PacketSplitter, packetsOf } from "./packets.ts";

/** The wire is used up. Rejects with `TLS_UNTRUSTED`, or with what reading it fails with. */
export async function encrypted(wire: Wire, tls: WireTls): Promise<Wire> {
  const stream = new HandshakeStream(wire);
  try {
    // SQL Server supports TLS 1.3 only where TLS comes first.
    const secure = await secureWire(stream, { ...tls, newest: "TLSv1.2" }, wire.peer);
    stream.isDone = true;
    return secure;
  } catch (error) {
    wire.close();
    throw stream.failure ?? error;
  }
}

class HandshakeStream extends Duplex {
  /** From now on bytes are passed as they are. */
  isDone = false;
  /** The failure if the server's bytes were no handshake. */
  failure: unknown;
  readonly #wire: Wire;
  readonly #splitter = new PacketSplitter([MESSAGES.answer, MESSAGES.prelogin]);

  constructor(wire: Wire) {
    super();
    this.#wire = wire;
  }

  override _read(): void {
    this.#next().then(
      (bytes) => this.push(bytes ?? null),
      (error) => {
        this.failure ??= error;
        this.destroy(error);
      },
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk).then(() => done(), done);
  }

  /** One flight is one message, which the server answers with one. */
  override _writev(chunks: { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#wire.close();
    done(error);
  }

  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.isDone) {
        const rest = this.#splitter.rest();
        return rest.length > 0 ? rest : this.#wire.read();
      }
      const part = this.#splitter.take();
      if (part !== undefined && part.payload.length > 0) return part.payload;
      if (part !== undefined) continue;
      const bytes = await this.#wire.read();
      if (bytes === undefined) return undefined;
      // A read that began in the handshake may end behind it.
      if (this.isDone) return bytes;
      this.#splitter.add(bytes);
    }
  }

  async #send(bytes: Buffer): Promise<void> {
    if (this.isDone) return this.#wire.write(bytes);
    await this.#wire.write(Buffer.concat(packetsOf(MESSAGES.prelogin, bytes, FIRST_PACKET_BYTES)));
  }
}
