/** The OpenAPI 3.1 document, generated from the route table and the schemas that requests are checked with. */
import type * as z from "zod/mini";
import { FORMATS } from "../../result/encode/encoders.ts";
import type { Operation } from "../../service/operations.ts";
import { VERSION } from "../../version.ts";
import type { ApiOptions } from "../exchange.ts";
import { PARAMETERS, type ParameterInfo } from "../parameters.ts";
import type { AnswerInfo, Route, Version } from "../route.ts";
import { MOUNTS, type Mount, ROUTES } from "../routes.ts";
import { configAnswer, detailBody, errorBody, healthAnswer, readyAnswer, type Schema } from "../schemas.ts";
import { anyConnection, connectionComponents } from "./connections.ts";
import { CUBE_COMPONENTS } from "./cube-query.ts";
import { EXAMPLES } from "./examples.ts";
import { isJson, type Json, schemaOf } from "./json-schema.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: Readonly<Record<"title" | "version" | "description", string>> & { readonly license: Json };
  /** The address that served the document. */
  readonly servers: readonly Json[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Json;
  /** Any one of these; empty where authentication is off. */
  readonly security: readonly Json[];
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
  /** Empty where the operation needs no authentication. */
  readonly security?: readonly Json[];
}

const DESCRIPTION = [
  "SQL over a semantic model, planned at the edge and run on your data source.",
  "/v2/ibis and /v3/ibis are older names of /v2/connector and /v3/connector.",
  "/v2 is deprecated in favour of /v3, which carries every operation.",
].join(" ");

const LICENSE = { name: "Apache-2.0", identifier: "Apache-2.0" };

export function openApiDocument(options: ApiOptions): OpenApiDocument {
  const paths: Record<string, Readonly<Record<string, OperationObject>>> = {
    "/health": { get: { ...plainOperation("health", "Whether the service is up", healthAnswer), security: [] } },
    "/ready": {
      get: {
        ...plainOperation("ready", "Whether all parts of the service are there; 503 when one is not", readyAnswer),
        security: [],
      },
    },
    "/config": { get: plainOperation("config", "Settings that clients may know", configAnswer) },
  };
  for (const mount of MOUNTS.filter(({ alias }) => alias === undefined)) {
    for (const route of ROUTES.filter(({ family }) => family === mount.family)) {
      const path = (mount.prefix + route.path).replaceAll(/:(\w+)/g, "{$1}");
      paths[path] = Object.fromEntries(
        route.methods.map((method) => [method.toLowerCase(), operationObject(route, mount, method, options)]),
      );
    }
  }
  const schemes = SECURITY[options.authenticator.scheme];
  return {
    openapi: "3.1.1",
    info: { title: "Siskin", version: VERSION, description: DESCRIPTION, license: LICENSE },
    servers: [{ url: "/" }],
    paths,
    security: Object.keys(schemes ?? {}).map((name) => ({ [name]: [] })),
    components: {
      ...(schemes !== undefined && { securitySchemes: schemes }),
      schemas: {
        Error: schemaOf(errorBody),
        RequestProblems: schemaOf(detailBody),
        ...connectionComponents(options.connectionShapes, options.sessionSettingShapes),
        ...CUBE_COMPONENTS,
      },
      parameters: Object.fromEntries(Object.entries(PARAMETERS).map(([name, info]) => [name, parameterObject(info)])),
    },
  };
}

/** Authentication schemes, by the setting `AUTH`. */
const SECURITY: Readonly<Record<ApiOptions["authenticator"]["scheme"], Readonly<Record<string, Json>> | undefined>> = {
  none: undefined,
  keys: {
    bearerKey: { type: "http", scheme: "bearer", description: "A key of the service's operator." },
    apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The same key, in a header of its own." },
  },
  jwt: { bearerToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
  access: { accessToken: { type: "apiKey", in: "header", name: "Cf-Access-Jwt-Assertion" } },
};

function plainOperation(id: string, summary: string, schema: Schema): OperationObject {
  const content = { "application/json": { schema: schemaOf(schema) } };
  return { operationId: id, summary, tags: ["service"], responses: { "200": { description: "OK", content } } };
}

function operationObject(route: Route, mount: Mount, method: "GET" | "POST", options: ApiOptions): OperationObject {
  const { version } = mount;
  const suffix = route.methods.length > 1 ? method.charAt(0) + method.slice(1).toLowerCase() : "";
  const body = route.body?.(version);
  const example = version === "v3" ? EXAMPLES[route.id] : undefined;
  return {
    operationId: `${version}_${route.id}${suffix}`,
    summary: route.summary,
    tags: [version],
    ...(version === "v2" && { deprecated: true as const }),
    parameters: [...route.parameters, ...EVERYWHERE].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: bodySchema(body, options), ...(example?.body && { example: example.body }) },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        route.answers.map((answer) => [String(answer.status), answerObject(answer, version, options, example?.answer)]),
      ),
      ...errorResponses(route),
      ...(options.authenticator.scheme !== "none" && callerResponses()),
    },
  };
}

/** The body's schema. Members that a connector or the planner validates have their own schema instead of "an object". */
function bodySchema(body: Schema<z.ZodMiniObject>, { connectionShapes }: ApiOptions): Json {
  const schema = schemaOf(body);
  const { properties } = schema;
  if (!isJson(properties)) return schema;
  const known: Record<string, Json> = { cube: { $ref: "#/components/schemas/CubeQuery" } };
  if (Object.keys(connectionShapes).length > 0) known["connectionInfo"] = anyConnection(connectionShapes);
  const described = Object.entries(properties).map(([name, property]) => [name, known[name] ?? property]);
  return { ...schema, properties: Object.fromEntries(described) };
}

function answerObject(answer: AnswerInfo, version: Version, options: ApiOptions, example: unknown): Json {
  const headers = answerHeaders(answer);
  if (answer.schema === undefined) return { description: answer.description, headers };
  const bare = schemaOf(answer.schema);
  const { wrapped } = answer;
  const classic = version === "v2" && options.v2Profile === "classic";
  const schema =
    classic && wrapped !== undefined ? { type: "object", properties: { [wrapped]: bare }, required: [wrapped] } : bare;
  const json = { "application/json": { schema, ...(example !== undefined && { example }) } };
  const others = FORMATS.filter(({ contentType }) => contentType !== "application/json").map(
    ({ contentType, isText }) => [contentType, { schema: isText ? { type: "string" } : {} }] as const,
  );
  return {
    description: answer.description,
    headers,
    content: answer.rows === true ? { ...json, ...Object.fromEntries(others) } : json,
  };
}

function answerHeaders(answer: AnswerInfo): Json {
  const header = (description: string): Json => ({ description, schema: { type: "string" } });
  return {
    "X-Correlation-ID": header("The id of the request."),
    "X-Process-Time": header("Seconds until the answer began."),
    "x-warnings": header("JSON array of warnings, when there are any."),
    "x-row-rules": header(
      "none, plain, fenced or besteffort: the guarantee for rows that row rules exclude, of a planned statement.",
    ),
    ...(answer.cost === true && {
      "X-Bytes-Processed": header("Bytes that running the statement would read, where the source tells."),
    }),
    ...(answer.rows === true && {
      "X-Cache-Hit": header("true when no query was run for this request."),
      "X-Cache-Create-At": header("Epoch milliseconds of the cached entry; of the old one where it is overridden."),
      "X-Cache-Override": header("true when the entry is replaced."),
      "X-Cache-Override-At": header("Epoch milliseconds of the entry that replaces it."),
      "Cache-Status": header("What the cache had to do with the answer (RFC 9211); with cacheEnable."),
    }),
  };
}

/** Error statuses of every operation; the table of reasons is `service/errors.ts`. */
function errorResponses(route: Route): Json {
  const error = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  const refused = {
    "application/json": {
      schema: { anyOf: [{ $ref: "#/components/schemas/Error" }, { $ref: "#/components/schemas/RequestProblems" }] },
    },
  };
  const described: Record<string, { description: string; content: Json }> = {
    "422": { description: "The request, the SQL, the manifest or the connection is wrong.", content: refused },
    "500": { description: "A fault of the service.", content: error },
    "501": { description: "Not available yet, for this operation or this data source.", content: error },
    "503": { description: "Too many requests at once; see Retry-After.", content: error },
  };
  if (route.body !== undefined) {
    described["408"] = { description: "The body did not arrive in time.", content: error };
    described["413"] = { description: "The body is too large.", content: error };
    described["415"] = { description: "The body is compressed in an unknown way.", content: error };
  }
  if (route.parameters.includes("statementTimeout")) {
    described["502"] = { description: "The data source or the way to it failed.", content: error };
    described["504"] = { description: "The data source did not answer in time.", content: error };
  }
  if (route.answers.some((answer) => answer.rows === true)) {
    described["406"] = { description: "None of the accepted formats is available.", content: error };
  }
  if (route.family === "project") {
    described["403"] = {
      description: "The credentials lack a right, the page is of another origin, or the project does not show it.",
      content: error,
    };
  }
  const missing = route.parameters.includes("project") ? MISSING.describe : MISSING[route.operation];
  if (missing !== undefined) described["404"] = { description: missing, content: error };
  return described;
}

/** Parameters of every operation. */
const EVERYWHERE = ["correlationId", "traceparent"] as const;

function callerResponses(): Json {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return {
    "401": { description: "The request does not prove who calls; see WWW-Authenticate.", content },
    "403": { description: "The credentials lack something, or fix what the request tries to set.", content },
    "429": { description: "The caller asks too often, or too much at once; see Retry-After.", content },
  };
}

/** Meaning of 404, apart from an unknown path. */
const MISSING: Readonly<Partial<Record<Operation, string>>> = {
  validate: "No such rule.",
  describe: "No project of that name that the caller may use.",
  values: "No project of that name that the caller may use.",
  search: "No project of that name that the caller may use.",
  substitute: "No model is defined over a table of the SQL.",
};

function parameterObject(info: ParameterInfo): Json {
  return {
    name: info.name,
    in: info.in,
    required: info.required ?? false,
    description: info.description,
    schema: schemaOf(info.schema),
    ...(info.example !== undefined && { example: info.example }),
  };
}
