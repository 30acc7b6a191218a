/** `POST …/{data_source}/query`: rows in the format the caller accepts, or a dry run. */
import type { Encoder } from "../../result/encode/encoder.ts";
import type { ProfileName } from "../../result/encode/profiles.ts";
import type { Exchange } from "../exchange.ts";
import { type Handler, type RouteMatch } from "./handler.ts";
/** In our order of preference: the first is what `*` `/*` gets. */
export declare const FORMATS: readonly Encoder[];
export declare const handleQuery: Handler;
/** Decisions W1. */
export declare function profileOf(match: Pick<RouteMatch, "version"> & {
    readonly exchange: Exchange;
}): ProfileName;
