/**
 * The one route table: served paths, their aliases, and their OpenAPI descriptions (docs/decisions/0001-two-profiles.md,
 * docs/decisions/0006-own-routes.md).
 */
import type * as z from "zod/mini";
import { handleAnalyseSql, handleAnalyseSqls } from "./handlers/analyse.ts";
import { handleFunction, handleFunctions, handleKnowledge } from "./handlers/descriptions.ts";
import { handleExplain } from "./handlers/explain.ts";
import { handleMetadata } from "./handlers/metadata.ts";
import { handleModelSubstitute } from "./handlers/model-substitute.ts";
import { handleCubeDryPlan, handleDryPlan } from "./handlers/plan.ts";
import {
  handleProject,
  handleProjectCube,
  handleProjectDryPlan,
  handleProjectExplain,
  handleProjectQuery,
  handleProjectSearch,
  handleProjects,
  handleProjectValidate,
  handleProjectValues,
  handleStoredQuestion,
} from "./handlers/projects.ts";
import { handleCube, handleQuery } from "./handlers/query.ts";
import { handleValidate } from "./handlers/validate.ts";
import type { ParameterName } from "./parameters.ts";
import type { AnswerInfo, Handler, Route, Version } from "./route.ts";
import * as schemas from "./schemas.ts";

const SESSION: readonly ParameterName[] = ["sessionProperty", "timeZone", "strict"];
const ON_SOURCE: readonly ParameterName[] = ["dataSource", "statementTimeout", ...SESSION];

export const ROUTES: readonly Route[] = [
  {
    operation: "query",
    id: "query",
    methods: ["POST"],
    path: "/:data_source/query",
    family: "connector",
    summary: "Run a query, or check it without running it",
    parameters: [
      ...ON_SOURCE,
      "dryRun",
      "limit",
      "cacheEnable",
      "overrideCache",
      "cacheControl",
      "endLine",
      "columnTypes",
      "isFallback",
    ],
    body: () => schemas.queryBody,
    answers: [
      {
        status: 200,
        description: "The rows, in the format that Accept asks for.",
        schema: schemas.queryAnswer,
        rows: true,
      },
      { status: 204, description: "The source accepts the SQL (dryRun).", cost: true },
    ],
    handle: handleQuery,
  },
  {
    operation: "dryPlan",
    id: "dryPlan",
    methods: ["POST"],
    path: "/dry-plan",
    family: "connector",
    summary: "Plan SQL into the input language, without a data source",
    parameters: [...SESSION, "isFallback"],
    body: () => schemas.dryPlanBody,
    answers: [{ status: 200, description: "The planned SQL.", schema: schemas.text }],
    handle: handleDryPlan,
  },
  {
    operation: "dryPlan",
    id: "dryPlanForSource",
    methods: ["POST"],
    path: "/:data_source/dry-plan",
    family: "connector",
    summary: "Plan SQL into the dialect of a data source, without touching it",
    parameters: ["dataSource", ...SESSION, "isFallback"],
    body: () => schemas.dryPlanBody,
    answers: [{ status: 200, description: "The SQL that would be sent to the source.", schema: schemas.text }],
    handle: handleDryPlan,
  },
  {
    operation: "validate",
    id: "validate",
    methods: ["POST"],
    path: "/:data_source/validate/:rule_name",
    family: "connector",
    summary: "Check a rule about the manifest, on its data source where the rule asks it",
    parameters: [...ON_SOURCE, "rule", "isFallback"],
    body: () => schemas.validateBody,
    answers: [{ status: 204, description: "The rule holds." }],
    handle: handleValidate,
  },
  {
    operation: "explain",
    id: "explain",
    methods: ["POST"],
    path: "/explain",
    family: "connector",
    summary: "Show how SQL is planned into the input language",
    parameters: SESSION,
    body: () => schemas.dryPlanBody,
    answers: [{ status: 200, description: "The plan.", schema: schemas.explainAnswer }],
    handle: handleExplain,
  },
  {
    operation: "explain",
    id: "explainForSource",
    methods: ["POST"],
    path: "/:data_source/explain",
    family: "connector",
    summary: "Show how SQL is planned for a data source",
    parameters: ["dataSource", ...SESSION],
    body: () => schemas.dryPlanBody,
    answers: [{ status: 200, description: "The plan.", schema: schemas.explainAnswer }],
    handle: handleExplain,
  },
  {
    operation: "substitute",
    id: "modelSubstitute",
    methods: ["POST"],
    path: "/:data_source/model-substitute",
    family: "connector",
    summary: "Turn SQL over physical tables into SQL over models",
    parameters: [...ON_SOURCE, "userCatalog", "userSchema", "isFallback"],
    body: () => schemas.substituteBody,
    answers: [{ status: 200, description: "The SQL over models.", schema: schemas.text }],
    handle: handleModelSubstitute,
  },
  {
    operation: "analyse",
    id: "analyseSql",
    methods: ["GET", "POST"],
    path: "/analysis/sql",
    family: "analysis",
    summary: "Analyse one statement",
    parameters: [],
    body: () => schemas.analysisBody,
    answers: [{ status: 200, description: "The analysis.", schema: schemas.listOf(schemas.analysisRecord) }],
    handle: handleAnalyseSql,
  },
  {
    operation: "analyse",
    id: "analyseSqls",
    methods: ["GET", "POST"],
    path: "/analysis/sqls",
    family: "analysis",
    summary: "Analyse several statements",
    parameters: [],
    body: () => schemas.analysisBatchBody,
    answers: [
      {
        status: 200,
        description: "One analysis per statement, in their order.",
        schema: schemas.listOf(schemas.listOf(schemas.analysisRecord)),
      },
    ],
    handle: handleAnalyseSqls,
  },
  ...cubeRoutes(),
  ...metadataRoutes(),
  ...descriptionRoutes(),
  ...projectRoutes(),
];

/** Below `/v3/projects`. */
function projectRoutes(): Route[] {
  const session: readonly ParameterName[] = ["project", "statementTimeout", ...SESSION];
  const rows: readonly AnswerInfo[] = [
    {
      status: 200,
      description: "The rows, in the format that Accept asks for.",
      schema: schemas.queryAnswer,
      rows: true,
    },
    { status: 204, description: "The source accepts the SQL (dryRun).", cost: true },
  ];
  const asking: readonly ParameterName[] = [
    ...session,
    "dryRun",
    "cacheEnable",
    "overrideCache",
    "cacheControl",
    "endLine",
    "columnTypes",
  ];
  const post = (
    id: string,
    path: string,
    route: Pick<Route, "operation" | "summary" | "parameters" | "body" | "answers" | "handle">,
  ): Route => ({ id, methods: ["POST"], path: `/:project/${path}`, family: "project", ...route });
  return [
    {
      operation: "projects",
      id: "projects",
      methods: ["GET"],
      path: "",
      family: "project",
      summary: "List the projects that the caller may use",
      parameters: ["cursor"],
      answers: [{ status: 200, description: "The projects.", schema: schemas.projectsAnswer }],
      handle: handleProjects,
    },
    {
      operation: "describe",
      id: "project",
      methods: ["GET"],
      path: "/:project",
      family: "project",
      summary: "Show what the caller may use of a project",
      parameters: session,
      answers: [{ status: 200, description: "Models, views and cubes.", schema: schemas.projectAnswer }],
      handle: handleProject,
    },
    post("projectQuery", "query", {
      operation: "query",
      summary: "Run a query over a project, or check it without running it",
      parameters: asking,
      body: () => schemas.projectQueryBody,
      answers: rows,
      handle: handleProjectQuery,
    }),
    post("projectCube", "cube", {
      operation: "cube",
      summary: "Run a structured query over a cube of a project",
      parameters: asking,
      body: () => schemas.projectCubeBody,
      answers: rows,
      handle: handleProjectCube,
    }),
    post("projectDryPlan", "dry-plan", {
      operation: "dryPlan",
      summary: "Plan SQL for the source of a project, where the project shows it",
      parameters: session,
      body: () => schemas.projectPlanBody,
      answers: [{ status: 200, description: "The SQL that would be sent to the source.", schema: schemas.text }],
      handle: handleProjectDryPlan,
    }),
    post("projectExplain", "explain", {
      operation: "explain",
      summary: "Show the columns and descriptions of a query over a project",
      parameters: session,
      body: () => schemas.projectPlanBody,
      answers: [{ status: 200, description: "What the project shows.", schema: schemas.projectExplainAnswer }],
      handle: handleProjectExplain,
    }),
    post("projectValues", "values", {
      operation: "values",
      summary: "List values of a column, for filters",
      parameters: session,
      body: () => schemas.projectValuesBody,
      answers: [{ status: 200, description: "The values.", schema: schemas.valuesAnswer }],
      handle: handleProjectValues,
    }),
    post("projectSearch", "search", {
      operation: "search",
      summary: "Find models, columns and cubes of a project by words",
      parameters: session,
      body: () => schemas.projectSearchBody,
      answers: [{ status: 200, description: "The best matches first.", schema: schemas.searchAnswer }],
      handle: handleProjectSearch,
    }),
    post("projectValidate", "validate/:rule_name", {
      operation: "validate",
      summary: "Check a rule about the manifest of a project, for its operator",
      parameters: [...session, "rule"],
      body: () => schemas.projectValidateBody,
      answers: [{ status: 204, description: "The rule holds." }],
      handle: handleProjectValidate,
    }),
    {
      operation: "query",
      id: "storedQuestion",
      methods: ["GET"],
      path: "/:project/questions/:question",
      family: "project",
      summary: "The answer of a stored question, for spreadsheets",
      parameters: [...session, "storedQuestion", "cacheEnable", "overrideCache", "cacheControl", "endLine"],
      answers: rows.slice(0, 1),
      handle: handleStoredQuestion,
    },
  ];
}

function cubeRoutes(): Route[] {
  return [
    {
      operation: "cube",
      id: "cube",
      methods: ["POST"],
      path: "/:data_source/cube",
      family: "connector",
      summary: "Run a structured query over a cube, or check it without running it",
      parameters: [
        ...ON_SOURCE,
        "dryRun",
        "limit",
        "cacheEnable",
        "overrideCache",
        "cacheControl",
        "endLine",
        "columnTypes",
      ],
      body: () => schemas.cubeBody,
      answers: [
        {
          status: 200,
          description: "The rows, in the format that Accept asks for.",
          schema: schemas.queryAnswer,
          rows: true,
        },
        { status: 204, description: "The source accepts the SQL (dryRun).", cost: true },
      ],
      handle: handleCube,
    },
    {
      operation: "cube",
      id: "cubeDryPlan",
      methods: ["POST"],
      path: "/:data_source/cube/dry-plan",
      family: "connector",
      summary: "Plan a structured query over a cube, without touching the data source",
      parameters: ["dataSource", ...SESSION],
      body: () => schemas.cubeBody,
      answers: [{ status: 200, description: "The SQL that would be sent to the source.", schema: schemas.text }],
      handle: handleCubeDryPlan,
    },
  ];
}

function metadataRoutes(): Route[] {
  const body = (version: Version): schemas.Schema<z.ZodMiniObject> =>
    version === "v2" ? schemas.metadataV2Body : schemas.metadataBody;
  const listing = (
    kind: "tables" | "constraints" | "schemas" | "version",
    summary: string,
    answer: Pick<AnswerInfo, "description" | "schema" | "wrapped">,
  ): Route => ({
    operation: kind,
    id: `metadata${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    methods: ["POST"],
    path: `/:data_source/metadata/${kind}`,
    family: "connector",
    summary,
    parameters: ["dataSource", "statementTimeout", "strict"],
    body,
    answers: [{ status: 200, ...answer }],
    handle: handleMetadata(kind),
  });
  return [
    listing("tables", "List tables and their columns", {
      description: "The tables.",
      schema: schemas.listOf(schemas.tableRecord),
      wrapped: "tables",
    }),
    listing("constraints", "List foreign keys", {
      description: "The constraints.",
      schema: schemas.listOf(schemas.constraintRecord),
      wrapped: "constraints",
    }),
    listing("schemas", "List catalogs and their schemas", {
      description: "The catalogs.",
      schema: schemas.listOf(schemas.schemaRecord),
    }),
    listing("version", "Version of the data source", { description: "The version.", schema: schemas.text }),
  ];
}

function descriptionRoutes(): Route[] {
  const describing = (
    id: string,
    path: string,
    summary: string,
    answer: Pick<AnswerInfo, "description" | "schema">,
    handle: Handler,
  ): Route => ({
    operation: id === "knowledge" ? "knowledge" : "functions",
    id,
    methods: ["GET"],
    path: `/:data_source/${path}`,
    family: "connector",
    summary,
    parameters: ["dataSource", ...(path.includes(":") ? ["functionName" as const] : [])],
    answers: [{ status: 200, ...answer }],
    handle,
  });
  const records = schemas.listOf(schemas.functionRecord);
  return [
    describing(
      "functions",
      "functions",
      "List the functions that a data source is planned with",
      { description: "One entry per signature.", schema: records },
      handleFunctions,
    ),
    describing(
      "function",
      "function/:function_name",
      "Show the signatures of one function",
      { description: "One entry per signature; none where the name is not known.", schema: records },
      handleFunction,
    ),
    describing(
      "knowledge",
      "knowledge",
      "Rules and hints for writing SQL for a data source",
      { description: "Texts for people and language models.", schema: schemas.knowledgeAnswer },
      handleKnowledge,
    ),
  ];
}

export interface Mount {
  readonly version: Version;
  readonly family: Route["family"];
  readonly prefix: string;
  /** An older name of another route; OpenAPI lists only the newer one. */
  readonly alias?: true;
}

/** Until 2024 the path segment `connector` was `ibis` (docs/spec/contract.md#routes). */
export const MOUNTS: readonly Mount[] = [
  { version: "v3", family: "connector", prefix: "/v3/connector" },
  { version: "v2", family: "connector", prefix: "/v2/connector" },
  { version: "v3", family: "analysis", prefix: "/v3" },
  { version: "v3", family: "project", prefix: "/v3/projects" },
  { version: "v2", family: "analysis", prefix: "/v2" },
  { version: "v3", family: "connector", prefix: "/v3/ibis", alias: true },
  { version: "v2", family: "connector", prefix: "/v2/ibis", alias: true },
];
