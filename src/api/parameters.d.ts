/** Path, query and header parameters: one definition each, read here and described by OpenAPI from the same schema. */
import * as z from "zod";
import { type DataSource } from "../service/data-sources.ts";
import { type Problem } from "./problems.ts";
/** How OpenAPI shows a parameter. */
export interface ParameterInfo {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required?: boolean;
    readonly description: string;
    readonly schema: z.ZodType;
}
export declare const PARAMETERS: {
    readonly dataSource: {
        readonly name: "data_source";
        readonly in: "path";
        readonly required: true;
        readonly description: "The kind of data source. Case counts.";
        readonly schema: z.ZodEnum<{
            athena: "athena";
            bigquery: "bigquery";
            canner: "canner";
            clickhouse: "clickhouse";
            databricks: "databricks";
            doris: "doris";
            duckdb: "duckdb";
            gcs_file: "gcs_file";
            local_file: "local_file";
            minio_file: "minio_file";
            mssql: "mssql";
            mysql: "mysql";
            oracle: "oracle";
            postgres: "postgres";
            redshift: "redshift";
            s3_file: "s3_file";
            snowflake: "snowflake";
            spark: "spark";
            trino: "trino";
        }>;
    };
    readonly rule: {
        readonly name: "rule_name";
        readonly in: "path";
        readonly required: true;
        readonly description: "The rule to check.";
        readonly schema: z.ZodString;
    };
    readonly functionName: {
        readonly name: "function_name";
        readonly in: "path";
        readonly required: true;
        readonly description: "Name of a function, in lower case.";
        readonly schema: z.ZodString;
    };
    readonly dryRun: {
        readonly name: "dryRun";
        readonly in: "query";
        readonly description: "Check the SQL on the source and answer 204 without running it.";
        readonly schema: z.ZodDefault<z.ZodBoolean>;
    };
    readonly cacheEnable: {
        readonly name: "cacheEnable";
        readonly in: "query";
        readonly description: "Use the query cache. Accepted; no answer is cached yet, so X-Cache-Hit is false.";
        readonly schema: z.ZodDefault<z.ZodBoolean>;
    };
    readonly overrideCache: {
        readonly name: "overrideCache";
        readonly in: "query";
        readonly description: "Replace an existing cache entry. Accepted.";
        readonly schema: z.ZodDefault<z.ZodBoolean>;
    };
    readonly limit: {
        readonly name: "limit";
        readonly in: "query";
        readonly description: "Most rows of the answer, pushed into the SQL.";
        readonly schema: z.ZodInt;
    };
    readonly isFallback: {
        readonly name: "is_fallback";
        readonly in: "query";
        readonly description: "Accepted and ignored.";
        readonly schema: z.ZodBoolean;
    };
    readonly statementTimeout: {
        readonly name: "x-wren-db-statement_timeout";
        readonly in: "header";
        readonly description: "Seconds the statement may take on the source.";
        readonly schema: z.ZodInt;
    };
    readonly timeZone: {
        readonly name: "x-wren-timezone";
        readonly in: "header";
        readonly description: "IANA zone or fixed offset in which instants are shown and zone-less instants are read.";
        readonly schema: z.ZodString;
    };
    readonly strict: {
        readonly name: "x-strict";
        readonly in: "header";
        readonly description: "Turn every warning into an error before anything runs.";
        readonly schema: z.ZodDefault<z.ZodBoolean>;
    };
    readonly sessionProperty: {
        readonly name: "x-wren-variable-{name}";
        readonly in: "header";
        readonly description: "Session property {name}: the text of a SQL literal, in UTF-8. The name is compared without case.";
        readonly schema: z.ZodString;
    };
    readonly userCatalog: {
        readonly name: "x-user-catalog";
        readonly in: "header";
        readonly description: "Catalog of tables that are written without one.";
        readonly schema: z.ZodString;
    };
    readonly userSchema: {
        readonly name: "x-user-schema";
        readonly in: "header";
        readonly description: "Schema of tables that are written without one.";
        readonly schema: z.ZodString;
    };
    readonly correlationId: {
        readonly name: "X-Correlation-ID";
        readonly in: "header";
        readonly description: "A UUID of version 4, repeated in the answer; any other is replaced by a new one.";
        readonly schema: z.ZodUUID;
    };
};
export type ParameterName = keyof typeof PARAMETERS;
/** Reads parameters and gathers what is wrong with them, so that a caller learns of everything at once. */
export declare class ParameterReader {
    #private;
    readonly problems: Problem[];
    constructor(query: URLSearchParams, headers: Headers);
    /** `undefined` when it is none, and then there is a problem. */
    dataSource(segment: string): DataSource | undefined;
    /** A query parameter in any of the spellings clients send; of repeated ones the last counts. */
    flag(name: "dryRun" | "cacheEnable" | "overrideCache"): boolean;
    limit(): number | undefined;
    /** Milliseconds. */
    statementTimeout(): number | undefined;
    timeZone(): string | undefined;
    strict(): boolean;
    /** Throws `SESSION_PROPERTY_INVALID` for a value that is no UTF-8: guessing it could open rows to the wrong person. */
    sessionProperties(headersAre: "text" | "bytes"): ReadonlyMap<string, string>;
}
