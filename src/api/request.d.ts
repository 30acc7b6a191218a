/** From an HTTP request to the arguments of a use case: caller, parameters, body and session, checked in this order. */
import type * as z from "zod";
import type { CallContext } from "../service/services.ts";
import type { Exchange } from "./exchange.ts";
import { ParameterReader } from "./parameters.ts";
export interface ReadRequest<Parameters, Body> {
    readonly parameters: Parameters;
    readonly body: Body;
    readonly context: CallContext;
}
/**
 * Reads everything and reports everything that is wrong at once. Fails with `RequestProblems`, or `ServiceError` where
 * reading cannot go on. From here on the exchange knows the secrets of the request.
 */
export declare function readRequest<Parameters, Schema extends z.ZodType>(exchange: Exchange, schema: Schema, readParameters: (reader: ParameterReader) => Parameters): Promise<ReadRequest<Parameters, z.output<Schema>>>;
