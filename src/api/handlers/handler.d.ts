/** What a route calls, and the steps that handlers share. */
import { type DataSource } from "../../service/data-sources.ts";
import { type Operation } from "../../service/operations.ts";
import type { PlannerWarning } from "../../service/services.ts";
import type { Exchange } from "../exchange.ts";
import { ParameterReader } from "../parameters.ts";
export type Version = "v2" | "v3";
export interface RouteMatch {
    readonly exchange: Exchange;
    readonly version: Version;
    /** Path parameters, percent-decoded. */
    readonly path: Readonly<Record<string, string>>;
}
export type Handler = (match: RouteMatch) => Promise<Response>;
/** Runs `work` while holding one of the isolate's places; a streamed answer gives it back itself, by way of `release`. */
export declare function withPlace(exchange: Exchange, work: (release: () => void) => Promise<Response>): Promise<Response>;
/** The data source of the path; a wrong one is reported together with everything else, so `undefined` goes on for now. */
export declare function dataSourceOf(match: RouteMatch, reader: ParameterReader): DataSource | undefined;
/** For after the request has been read, which fails when the data source is wrong. */
export declare function known(source: DataSource | undefined): DataSource;
export declare function warningHeaders(exchange: Exchange, warnings: readonly PlannerWarning[], sql?: string): Readonly<Record<string, string>>;
/** An operation that has its route and its documentation, and is built later. */
export declare function notImplemented(operation: Operation): Handler;
