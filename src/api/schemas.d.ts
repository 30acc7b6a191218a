/** Request bodies and answers, as schemas: bodies are checked with them, OpenAPI is written from them. */
import * as z from "zod";
export declare const queryBody: z.ZodObject<{
    connectionInfo: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
    connectionFilePath: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    sql: z.ZodString;
    manifestStr: z.ZodString;
    columnDtypes: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodString>>>;
    sessionProperties: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodString>>>;
}, z.core.$strip>;
export declare const dryPlanBody: z.ZodObject<{
    sql: z.ZodString;
    manifestStr: z.ZodString;
    sessionProperties: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodString>>>;
}, z.core.$strip>;
export declare const validateBody: z.ZodObject<{
    connectionInfo: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
    connectionFilePath: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    manifestStr: z.ZodString;
    parameters: z.ZodRecord<z.ZodString, z.ZodUnknown>;
    sessionProperties: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodString>>>;
}, z.core.$strip>;
export declare const metadataBody: z.ZodObject<{
    connectionInfo: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
    connectionFilePath: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    filterInfo: z.ZodOptional<z.ZodNullable<z.ZodObject<{
        catalog: z.ZodOptional<z.ZodNullable<z.ZodString>>;
        schema: z.ZodOptional<z.ZodNullable<z.ZodString>>;
        table: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    }, z.core.$loose>>>;
    limit: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
}, z.core.$strip>;
/** The metadata operations of `/v2` know no `connectionFilePath` and miss `connectionInfo` in the `detail` shape. */
export declare const metadataV2Body: z.ZodObject<{
    filterInfo: z.ZodOptional<z.ZodNullable<z.ZodObject<{
        catalog: z.ZodOptional<z.ZodNullable<z.ZodString>>;
        schema: z.ZodOptional<z.ZodNullable<z.ZodString>>;
        table: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    }, z.core.$loose>>>;
    limit: z.ZodOptional<z.ZodNullable<z.ZodInt>>;
    connectionInfo: z.ZodRecord<z.ZodString, z.ZodUnknown>;
}, z.core.$strip>;
export declare const substituteBody: z.ZodObject<{
    connectionInfo: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
    connectionFilePath: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    sql: z.ZodString;
    manifestStr: z.ZodString;
}, z.core.$strip>;
export declare const analysisBody: z.ZodObject<{
    sql: z.ZodString;
    manifestStr: z.ZodString;
}, z.core.$strip>;
export declare const analysisBatchBody: z.ZodObject<{
    sqls: z.ZodArray<z.ZodString>;
    manifestStr: z.ZodString;
}, z.core.$strip>;
export declare const cubeBody: z.ZodObject<{
    connectionInfo: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
    connectionFilePath: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    cube: z.ZodRecord<z.ZodString, z.ZodUnknown>;
    manifestStr: z.ZodString;
    sessionProperties: z.ZodOptional<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodString>>>;
}, z.core.$strip>;
export declare const text: z.ZodString;
export declare function listOf<T extends z.ZodType>(item: T): z.ZodArray<T>;
export declare const queryAnswer: z.ZodObject<{
    columns: z.ZodArray<z.ZodString>;
    data: z.ZodArray<z.ZodArray<z.ZodUnknown>>;
    dtypes: z.ZodRecord<z.ZodString, z.ZodString>;
}, z.core.$strip>;
export declare const tableRecord: z.ZodObject<{
    name: z.ZodString;
    columns: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        type: z.ZodString;
        notNull: z.ZodBoolean;
        description: z.ZodNullable<z.ZodString>;
        properties: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
        nestedColumns: z.ZodNullable<z.ZodArray<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
    }, z.core.$strip>>;
    description: z.ZodNullable<z.ZodString>;
    properties: z.ZodObject<{
        schema: z.ZodNullable<z.ZodString>;
        catalog: z.ZodNullable<z.ZodString>;
        table: z.ZodNullable<z.ZodString>;
        path: z.ZodNullable<z.ZodString>;
    }, z.core.$strip>;
    primaryKey: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
export declare const constraintRecord: z.ZodObject<{
    constraintName: z.ZodString;
    constraintType: z.ZodEnum<{
        "FOREIGN KEY": "FOREIGN KEY";
        "PRIMARY KEY": "PRIMARY KEY";
        UNIQUE: "UNIQUE";
    }>;
    constraintTable: z.ZodString;
    constraintColumn: z.ZodString;
    constraintedTable: z.ZodString;
    constraintedColumn: z.ZodString;
}, z.core.$strip>;
export declare const schemaRecord: z.ZodObject<{
    name: z.ZodString;
    schemas: z.ZodArray<z.ZodString>;
}, z.core.$strip>;
export declare const explainAnswer: z.ZodObject<{
    plannedSql: z.ZodString;
    dialectSql: z.ZodString;
    columns: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        type: z.ZodString;
        nullable: z.ZodBoolean;
    }, z.core.$strip>>;
    reads: z.ZodArray<z.ZodObject<{
        model: z.ZodString;
        columns: z.ZodArray<z.ZodString>;
        physical: z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    }, z.core.$strip>>;
    lineage: z.ZodArray<z.ZodObject<{
        column: z.ZodString;
        sources: z.ZodArray<z.ZodString>;
    }, z.core.$strip>>;
    warnings: z.ZodArray<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    session: z.ZodArray<z.ZodObject<{
        name: z.ZodString;
        value: z.ZodString;
    }, z.core.$strip>>;
}, z.core.$strip>;
export declare const functionRecord: z.ZodObject<{
    function_type: z.ZodEnum<{
        aggregate: "aggregate";
        scalar: "scalar";
        window: "window";
    }>;
    name: z.ZodString;
    return_type: z.ZodNullable<z.ZodString>;
    param_names: z.ZodNullable<z.ZodString>;
    param_types: z.ZodNullable<z.ZodString>;
    description: z.ZodNullable<z.ZodString>;
}, z.core.$strip>;
export declare const knowledgeAnswer: z.ZodRecord<z.ZodString, z.ZodUnknown>;
export declare const analysisRecord: z.ZodRecord<z.ZodString, z.ZodUnknown>;
export declare const errorBody: z.ZodObject<{
    errorCode: z.ZodString;
    message: z.ZodString;
    metadata: z.ZodNullable<z.ZodObject<{
        reason: z.ZodOptional<z.ZodString>;
        position: z.ZodOptional<z.ZodObject<{
            line: z.ZodInt;
            column: z.ZodInt;
            offset: z.ZodInt;
            length: z.ZodInt;
        }, z.core.$strip>>;
        suggestions: z.ZodOptional<z.ZodArray<z.ZodString>>;
        hint: z.ZodOptional<z.ZodString>;
        plannedSql: z.ZodOptional<z.ZodString>;
        dialectSql: z.ZodOptional<z.ZodString>;
    }, z.core.$loose>>;
    phase: z.ZodNullable<z.ZodString>;
    timestamp: z.ZodString;
    correlationId: z.ZodString;
}, z.core.$strip>;
export declare const detailBody: z.ZodObject<{
    detail: z.ZodArray<z.ZodObject<{
        type: z.ZodString;
        loc: z.ZodArray<z.ZodUnion<readonly [z.ZodString, z.ZodInt]>>;
        msg: z.ZodString;
    }, z.core.$loose>>;
}, z.core.$strip>;
export declare const configAnswer: z.ZodObject<{
    wren_engine_endpoint: z.ZodNullable<z.ZodString>;
    remote_function_list_path: z.ZodNullable<z.ZodString>;
    remote_white_function_list_path: z.ZodNullable<z.ZodString>;
    app_timeout_seconds: z.ZodNumber;
    diagnose: z.ZodBoolean;
}, z.core.$strip>;
export declare const healthAnswer: z.ZodObject<{
    status: z.ZodLiteral<"ok">;
}, z.core.$strip>;
