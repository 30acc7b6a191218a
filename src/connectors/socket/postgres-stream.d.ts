import { EventEmitter } from "node:events";
import type { Wire } from "./wire.ts";
/** One row, at most. A Worker has 128 MB for everything. */
export declare const MAX_MESSAGE: number;
export declare class PostgresStream extends EventEmitter {
    #private;
    writable: boolean;
    constructor(wire: Wire);
    /** The wire is connected already; the driver only has to be told. */
    connect(): this;
    /** No bytes are read until `resume`. What the driver has been given already is not taken back. */
    hold(): void;
    resume(): void;
    /** Bytes of one turn leave together: the driver writes a message at a time. */
    write(bytes: Uint8Array, done?: () => void): boolean;
    end(): void;
    destroy(): void;
    setNoDelay(): this;
    setKeepAlive(): this;
}
