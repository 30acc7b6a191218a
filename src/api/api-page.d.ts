/** The API page: one HTML document without scripts or external resources, written from the OpenAPI document. */
import type { OpenApiDocument } from "./openapi.ts";
/** The policy allows this style by its digest and nothing else: even injected markup could load and run nothing. */
export declare function apiPage(document: OpenApiDocument): Promise<Response>;
