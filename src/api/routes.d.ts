/** The one route table: what is served, under which names, and what OpenAPI says about it (decisions W9, W10). */
import type * as z from "zod";
import type { Operation } from "../service/operations.ts";
import { type Handler, type Version } from "./handlers/handler.ts";
import type { ParameterName } from "./parameters.ts";
/** `wrapped`: the member that the classic profile puts the value in. */
export interface AnswerInfo {
    readonly status: 200 | 204;
    readonly description: string;
    readonly schema?: z.ZodType;
    readonly wrapped?: string;
    /** In the formats of the query encoder. */
    readonly rows?: boolean;
}
export interface Route {
    readonly operation: Operation;
    /** Unique within a version. */
    readonly id: string;
    readonly methods: readonly ("GET" | "POST")[];
    /** Below `/v2/connector` or, for analysis, below `/v2`. Parameters as `:name`. */
    readonly path: string;
    readonly family: "connector" | "analysis";
    readonly summary: string;
    readonly parameters: readonly ParameterName[];
    readonly body?: (version: Version) => z.ZodObject;
    readonly answers: readonly AnswerInfo[];
    readonly handle: Handler;
    /** Has its route and its documentation; answers 501. */
    readonly planned?: true;
}
export declare const ROUTES: readonly Route[];
export interface Mount {
    readonly version: Version;
    readonly family: Route["family"];
    readonly prefix: string;
    /** An older name of the same thing; not listed in OpenAPI again. */
    readonly alias?: true;
}
/** Until 2024 the path segment `connector` was `ibis` (contract §0.3). */
export declare const MOUNTS: readonly Mount[];
