/** `/v3/projects`: the operator's models under a name, with rules that bind whoever asks. */
import type { output, ZodMiniObject } from "zod/mini";
import { logLine } from "../../log-line.ts";
import { FORMATS } from "../../result/encode/encoders.ts";
import { ServiceError } from "../../service/failure.ts";
import { dryPlan } from "../../service/plan.ts";
import type { Question } from "../../service/planning.ts";
import { catalogueFor, listProjects } from "../../service/projects/catalogue.ts";
import { explainProject } from "../../service/projects/explain.ts";
import { failureOfProject, missingForQuestion } from "../../service/projects/failure.ts";
import {
  notFound,
  openProject,
  PROJECT_MANIFEST,
  type ProjectReport,
  type UsedProject,
} from "../../service/projects/open.ts";
import { searchIn } from "../../service/projects/search.ts";
import { MOST_VALUES, valuesOf } from "../../service/projects/values.ts";
import type { QueryRequest } from "../../service/query.ts";
import type { Services } from "../../service/services.ts";
import { validate } from "../../service/validate.ts";
import { cacheRequestOf } from "../cache-headers.ts";
import { callerOf } from "../callers.ts";
import type { Exchange } from "../exchange.ts";
import { refuseForeignPage } from "../origins.ts";
import { isLoopback } from "../project-request.ts";
import { readBodiless, readRequest } from "../request.ts";
import { jsonResponse } from "../responses.ts";
import type { Handler, RouteMatch } from "../route.ts";
import * as schemas from "../schemas.ts";
import { warningRecords } from "../warnings-header.ts";
import { warningHeaders, withPlace } from "./handler.ts";
import { answerRows, columnDtypesOf } from "./query.ts";

/** Runs `work` on the project of the path, if the caller may use it. */
function inProject(work: (match: RouteMatch, project: UsedProject, release: () => void) => Promise<Response>): Handler {
  return async (match) => {
    const { exchange } = match;
    refuseOutsiders(exchange);
    const report = reportIn(exchange);
    const { services } = exchange.options;
    const project = await openProject(services, callerOf(exchange), match.path.project ?? "", report);
    exchange.project = { name: project.name, version: project.version };
    exchange.dataSource = project.connection.source;
    exchange.shownFailure = (error) => failureOfProject(error, project, report);
    return withPlace(exchange, (release) => work(match, project, release));
  };
}

/** Throws `PROJECTS_CLOSED`, `ORIGIN_NOT_ALLOWED`. */
export function refuseOutsiders(exchange: Exchange): void {
  const { authenticator, projectsOpen } = exchange.options;
  if (authenticator.scheme === "none" && projectsOpen !== true && !isLoopback(exchange.url.hostname)) {
    throw new ServiceError("PROJECTS_CLOSED", "Without authentication, projects are served on this machine only.", {
      metadata: { hint: "The operator sets AUTH, or PROJECTS_OPEN=true." },
      ownWords: true,
    });
  }
  refuseForeignPage(exchange);
}

/** Each fault of a project is one line of the log for an isolate, until it changes. */
const reported = new WeakMap<object, Map<string, string>>();
const MOST_REPORTED = 1000;

export function reportIn({ options }: Exchange): ProjectReport {
  let known = reported.get(options);
  if (known === undefined) {
    known = new Map();
    reported.set(options, known);
  }
  const lines = known;
  return (project, code, message) => {
    const key = `${code} ${project}`;
    if (lines.get(key) === message) return;
    if (lines.size >= MOST_REPORTED) lines.clear();
    lines.set(key, message);
    const level = code === "PROJECT_CONNECTION_OPEN" ? "info" : "error";
    options.log(logLine({ level, event: "project", project, code, message }));
  };
}

export const handleProjects: Handler = async ({ exchange }) => {
  refuseOutsiders(exchange);
  const cursor = exchange.url.searchParams.get("cursor") ?? undefined;
  if ((cursor?.length ?? 0) > 1000) throw notFound();
  return jsonResponse(await listProjects(exchange.options.services, callerOf(exchange), cursor));
};

export const handleProject = inProject(async (match, project) => {
  const { context } = await readBodiless(match, () => undefined, project);
  const { pointer, name, version } = project;
  const { title, description, instructions, examples, questions } = pointer;
  const catalogue = catalogueFor(project, context.session);
  return jsonResponse({
    name,
    ...(title !== undefined && { title }),
    version,
    dataSource: project.connection.source,
    ...(instructions !== undefined && { instructions }),
    examples,
    questions: [...questions].map(([question, { title, description }]) => ({
      name: question,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    })),
    ...catalogue,
    ...(description !== undefined && { description }),
  });
});

const ROWS = { dryRun: false, endLine: false, columnTypes: false } as const;

function rowsOf<Body extends ZodMiniObject>(
  schema: schemas.Schema<Body>,
  questionIn: (body: output<Body>) => Question & { readonly limit?: number | null | undefined },
): Handler {
  return inProject(async (match, project, release) => {
    const { exchange } = match;
    const { parameters, body, context } = await readRequest(
      match,
      schema,
      (reader) => ({
        dryRun: reader.flag("dryRun"),
        endLine: reader.headerFlag("endLine"),
        columnTypes: reader.headerFlag("columnTypes"),
        cache: { enable: reader.flag("cacheEnable"), override: reader.flag("overrideCache") },
      }),
      project,
    );
    const { limit, ...question } = questionIn(body);
    const { columnDtypes: given } = body as { readonly columnDtypes?: Readonly<Record<string, string>> | null };
    const columnDtypes = columnDtypesOf(given ?? {});
    const request: QueryRequest = {
      ...requestOf(project, question),
      limit: limit ?? undefined,
      shownColumns: [...columnDtypes.keys()],
      cache: cacheRequestOf(parameters.cache, exchange.request.headers.get("cache-control")),
    };
    return answerRows(match, { services: project.services, context, request, columnDtypes, ...parameters, release });
  });
}

function requestOf({ connection, pointer }: UsedProject, question: Question): QueryRequest {
  return {
    ...question,
    source: connection.source,
    manifestStr: PROJECT_MANIFEST,
    connectionInfo: { name: pointer.connection },
  };
}

export const handleProjectQuery = rowsOf(schemas.projectQueryBody, ({ sql, parameters, limit }) => ({
  sql,
  parameters: parameters ?? undefined,
  limit,
}));

export const handleProjectCube = rowsOf(schemas.projectCubeBody, ({ cube, parameters, limit }) => ({
  cube,
  parameters: parameters ?? undefined,
  limit,
}));

export const handleProjectDryPlan = inProject(async (match, project) => {
  const { exchange } = match;
  const { body, context } = await readRequest(match, schemas.projectPlanBody, () => undefined, project);
  if (!project.pointer.show.sql) {
    throw new ServiceError("SQL_NOT_SHOWN", "The project does not show the SQL for its source.", {
      metadata: { hint: "Use explain, or query with dryRun=true to check a statement." },
      ownWords: true,
    });
  }
  const { sql, parameters } = body;
  const answer = dryPlan(project.services, context, {
    sql,
    parameters: parameters ?? undefined,
    source: project.connection.source,
    manifestStr: PROJECT_MANIFEST,
  });
  return jsonResponse(answer.sql, warningHeaders(exchange, answer.warnings, sql));
});

export const handleProjectExplain = inProject(async (match, project) => {
  const { exchange } = match;
  const { body, context } = await readRequest(match, schemas.projectPlanBody, () => undefined, project);
  const { sql, parameters } = body;
  const question = { sql, parameters: parameters ?? undefined };
  const { warnings, descriptionsOmitted = 0, reads, plannedSql, ...shown } = explainProject(project, context, question);
  const answer = {
    ...(shown.dialectSql !== undefined && { plannedSql: plannedSql ?? null }),
    ...shown,
    ...(reads !== undefined && {
      reads: reads.map(({ model, columns, physical }) => ({ model, columns, physical: physical ?? null })),
    }),
    ...(descriptionsOmitted > 0 && { descriptionsOmitted }),
    warnings: warningRecords([...exchange.remarks, ...warnings], sql, (text) => exchange.redactor.redactName(text)),
  };
  return jsonResponse(answer, warningHeaders(exchange, warnings, sql));
});

export const handleProjectValues = inProject(async (match, project) => {
  const { body, context } = await readRequest(match, schemas.projectValuesBody, () => undefined, project);
  const limit = body.limit ?? MOST_VALUES;
  const term = body.term ?? undefined;
  return jsonResponse(await valuesOf(project, context, { column: body.column, term, limit }));
});

export const handleProjectSearch = inProject(async (match, project) => {
  const { body, context } = await readRequest(match, schemas.projectSearchBody, () => undefined, project);
  const { question, within, kinds, limit } = body;
  const catalogue = catalogueFor(project, context.session);
  const answer = searchIn(catalogue, project.pointer.examples, {
    question: question ?? undefined,
    within: within ?? undefined,
    kinds: kinds ?? undefined,
    limit: limit ?? 10,
  });
  return jsonResponse(answer);
});

/** Names hidden members and reads past row rules: for the operator alone. */
export const handleProjectValidate = inProject(async (match, project) => {
  const { exchange } = match;
  if (callerOf(exchange).operates !== true) {
    const message = "Your credentials do not allow it: validation needs the scope siskin:operator.";
    throw new ServiceError("OPERATOR_REQUIRED", message, { ownWords: true });
  }
  // The operator reads the manifest's faults as they are.
  exchange.shownFailure = (error) => error;
  const { body, context } = await readRequest(match, schemas.projectValidateBody, () => undefined, project);
  const { warnings } = await validate({ ...project.services, planner: exchange.options.services.planner }, context, {
    rule: match.path.rule_name ?? "",
    source: project.connection.source,
    manifestStr: PROJECT_MANIFEST,
    connectionInfo: { name: project.pointer.connection },
    parameters: body.parameters,
  });
  return new Response(null, { status: 204, headers: warningHeaders(exchange, warnings) });
});

function questionNotFound(): ServiceError {
  const hint = "GET /v3/projects/{project} lists the questions; formats are csv, json and arrow.";
  const message = "The project has no question of that name in that format, or none for you.";
  return new ServiceError("QUESTION_NOT_FOUND", message, { metadata: { hint }, ownWords: true });
}

/** Warnings about the operator's statement are not the caller's to read. */
function withoutWarnings(services: Services): Services {
  const { planner } = services;
  const plan: typeof planner.plan = (request) => {
    const outcome = planner.plan(request);
    return outcome.ok ? { ok: true, value: { ...outcome.value, warnings: [] } } : outcome;
  };
  return { ...services, planner: { ...planner, plan } };
}

/** Formats by the ending of the path: spreadsheets choose no Accept. */
const ENDINGS: Readonly<Record<string, string>> = {
  csv: "text/csv",
  json: "application/json",
  arrow: "application/vnd.apache.arrow.stream",
};

export const handleStoredQuestion = inProject(async (match, project, release) => {
  const { exchange } = match;
  const [, name = "", ending = ""] = /^([a-z0-9-]{1,63})\.([a-z]{1,10})$/.exec(match.path.question ?? "") ?? [];
  const question = project.pointer.questions.get(name);
  const accept = FORMATS.find(({ contentType }) => contentType === ENDINGS[ending])?.contentType;
  if (question === undefined || accept === undefined) throw questionNotFound();
  const report = reportIn(exchange);
  const ofProject = exchange.shownFailure;
  // The statement is the operator's: what is wrong with it, or not for this caller, names columns that the caller may not know.
  exchange.shownFailure = (error) => {
    const missing = missingForQuestion(error, project);
    if (missing !== undefined) return missing;
    const shown = ofProject(error);
    if (shown.outcome.code !== "INVALID_SQL") return shown;
    report(project.name, "QUESTION_REFUSED", `questions.${name}: ${error.message}`);
    return questionNotFound();
  };
  const { parameters, context } = await readBodiless(
    match,
    (reader) => ({
      cache: { enable: reader.flag("cacheEnable"), override: reader.flag("overrideCache") },
      endLine: reader.headerFlag("endLine"),
    }),
    project,
  );
  const { sql, limit } = question;
  const request: QueryRequest = {
    ...requestOf(project, { sql, parameters: question.parameters }),
    limit,
    cache: cacheRequestOf(parameters.cache, exchange.request.headers.get("cache-control")),
  };
  const services = withoutWarnings(project.services);
  const columnDtypes = columnDtypesOf({});
  return answerRows(match, {
    services,
    context,
    request,
    columnDtypes,
    ...ROWS,
    endLine: parameters.endLine,
    release,
    accept,
  });
});
