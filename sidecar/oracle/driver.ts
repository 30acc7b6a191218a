/**
 * The driver, `oracledb` in its thin mode, loaded with the first connection, with four of its internals replaced. Its
 * version is pinned: if one of them is missing, every connection fails.
 *
 * 1. The driver dials any address that a listener names: it gets a stream that was dialled and checked like all others.
 *    2. It converts timestamps to `Date`, which ends at milliseconds: their bytes are kept. 3. It decompresses data
 *    that a server compressed unasked: this is rejected, because a few bytes can expand to gigabytes. 4. It logs off
 *    when a connection is garbage-collected, and nobody could catch the error if the server is gone: this is no error.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Duplex } from "node:stream";
import type { Connection, ConnectionAttributes } from "oracledb";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { DialTarget } from "../../src/connectors/socket/wire.ts";
import { notOracle } from "./failures.ts";

/** Dials for a connection. */
export interface DriverDial {
  /** `isEncrypted`: TLS follows. */
  open(target: DialTarget, isEncrypted: boolean): Promise<Duplex>;
}

/** A timestamp as the server sends it, in seven, eleven or thirteen bytes. */
export interface TimestampBytes {
  readonly bytes: Uint8Array;
  /** The database's offset, in which timestamps without their own zone are sent; undefined if it is a region. */
  readonly databaseOffset: number | undefined;
}

export type OracleDriver = typeof import("oracledb")["default"];

const dials = new AsyncLocalStorage<DriverDial>();

/** Environment variables that could change where or how the driver connects, or where it reports. */
const ENVIRONMENT = ["TNS_ADMIN", "ORA_SDTZ", "ORA_EDITION", "ORA_DEBUG_JDWP", "NODE_ORACLEDB_DEBUG_PACKETS"];

let loaded: Promise<OracleDriver> | undefined;

export function oracleDriver(): Promise<OracleDriver> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<OracleDriver> {
  const [driver, transport, session, buffers] = await Promise.all([
    import("oracledb"),
    import("oracledb/lib/thin/sqlnet/ntTcp.js"),
    import("oracledb/lib/thin/sqlnet/networkSession.js"),
    import("oracledb/lib/impl/datahandlers/buffer.js"),
  ]);
  const { prototype: ofTransport } = transport.default;
  const { prototype: ofSession } = session.default.NetworkSession;
  const { prototype: ofBuffer } = buffers.default.BaseBuffer;
  const { _processPacket: processPacket, disconnect } = ofSession;
  const known = [ofTransport.ntConnect, processPacket, disconnect, ofBuffer.parseOracleDate];
  if (known.some((method) => typeof method !== "function")) {
    throw new ConnectorFailure(
      "NOT_IMPLEMENTED",
      "The driver of Oracle is another than the one that this is made for.",
    );
  }
  ofTransport.ntConnect = async function ({ host, hostname, port, protocol }) {
    const dial = dials.getStore();
    if (dial === undefined) throw new ConnectorFailure("EGRESS_DENIED", "A connection of nobody's.");
    // The driver has resolved the name: its address is checked as the name's.
    this.stream = await dial.open({ host: hostname, port, peer: host }, protocol.toLowerCase() === "tcps");
    this.connected = true;
  };
  ofSession._processPacket = function (packet) {
    processPacket.call(this, packet);
    if (this.sAtts.networkCompressionEnabled) throw notOracle();
  };
  ofSession.disconnect = function (type) {
    try {
      disconnect.call(this, type);
    } catch {
      // Its stream was closed before, by us or by the server.
    }
  };
  ofBuffer.parseOracleDate = function (bytes, _isLocal, isOfDatabase = false): TimestampBytes {
    const { dbTzOffset = 0, dbTzRegion = null } = this.caps ?? {};
    const databaseOffset = dbTzRegion === null ? (dbTzOffset ?? 0) : undefined;
    return { bytes: Uint8Array.from(bytes), databaseOffset: isOfDatabase ? databaseOffset : 0 };
  };
  return driver.default;
}

/** Logs in; all that the driver dials for it is dialled by `dial`. Fails as the driver does, or as `dial`. */
export async function connectBy(dial: DriverDial, attributes: ConnectionAttributes): Promise<Connection> {
  const driver = await oracleDriver();
  for (const name of ENVIRONMENT) delete process.env[name];
  return dials.run(dial, () => driver.getConnection(attributes));
}
