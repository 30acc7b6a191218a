import type { ApiOptions } from "./exchange.ts";
type Json = Readonly<Record<string, unknown>>;
export interface OpenApiDocument {
    readonly openapi: "3.1.1";
    readonly info: {
        readonly title: string;
        readonly version: string;
        readonly description: string;
    };
    readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
    readonly components: Json;
}
export interface OperationObject {
    readonly operationId: string;
    readonly summary: string;
    readonly description?: string;
    readonly tags: readonly string[];
    readonly deprecated?: true;
    readonly parameters?: readonly Json[];
    readonly requestBody?: Json;
    readonly responses: Json;
}
export declare function openApiDocument(options: ApiOptions): OpenApiDocument;
export {};
