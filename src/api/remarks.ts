/** Names in a request that its operation does not have: warnings in the answer, errors with `x-strict`. */
import { refuseWarnings } from "../service/planning.ts";
import { protectedName, unknownNames } from "../service/unknown-names.ts";
import type { Exchange } from "./exchange.ts";
import { isStrict, queryParameters } from "./parameters.ts";
import { type Problem, RequestProblems } from "./problems.ts";
import type { Route } from "./route.ts";

type RouteNames = Pick<Route, "operation" | "parameters">;

/** Throws `RequestProblems` or, with `x-strict`, `ServiceError`. */
export function remarkOnQuery(exchange: Exchange, { operation, parameters }: RouteNames): void {
  const given = new Set(exchange.url.searchParams.keys());
  if (given.size === 0) return;
  const known = queryParameters(parameters);
  refuseProtected(given, known, "query");
  exchange.remarks.push(...unknownNames({ given, known, problem: "the operation has no query parameter" }));
  refuseWhereStrict(exchange, operation);
}

/** Clients send these with every operation, whether it needs them or not. */
const ANYWHERE = ["manifestStr", "connectionInfo", "connectionFilePath", "sessionProperties", "columnDtypes"];

/** `known`: members of the body's schema; `spelled`: alternative spellings of members. */
export function remarkOnBody(
  exchange: Exchange,
  { operation, parameters }: RouteNames,
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  spelled: readonly string[],
): void {
  const given = Object.keys(body);
  if (given.length > MOST_MEMBERS) {
    const msg = `Dictionary should have at most ${MOST_MEMBERS} items`;
    throw new RequestProblems([{ type: "too_long", loc: ["body"], msg }]);
  }
  const passed = [...ANYWHERE, ...spelled];
  refuseProtected(given, [...known, ...passed], "body");
  const ofQuery = queryParameters(parameters);
  const elsewhere = (name: string): string | undefined =>
    ofQuery.includes(name) ? `It is a query parameter: ?${name}=…` : undefined;
  exchange.remarks.push(...unknownNames({ given, known, passed, problem: "the body has no member", elsewhere }));
  refuseWhereStrict(exchange, operation);
}

/** An object in the place of a statement's parameters. Throws `ServiceError` with `x-strict`. */
export function remarkOnParameters(exchange: Exchange, { operation }: RouteNames): void {
  const message = "parameters: an object has no effect, the parameters of a statement are a list";
  exchange.remarks.push({ code: "UNKNOWN_OPTION", message, hint: 'Send "parameters": [1, "text"] for $1 and $2.' });
  refuseWhereStrict(exchange, operation);
}

/** Maximum number of body members that are compared with the known names. */
const MOST_MEMBERS = 1000;

/** Maximum number of reported problems. */
const MOST_PROBLEMS = 20;

function refuseProtected(given: Iterable<string>, known: readonly string[], where: "query" | "body"): void {
  const problems = [...given].flatMap((name): Problem[] => {
    const meant = known.includes(name) ? undefined : protectedName(name);
    if (meant === undefined) return [];
    const place = meant === "sessionProperties" ? "sessionProperties of the body" : "members of connectionInfo";
    const msg = `Extra inputs are not permitted: session properties and TLS are given by ${place}`;
    return [{ type: "extra_forbidden", loc: [where, name.slice(0, 100)], msg }];
  });
  if (problems.length > 0) throw new RequestProblems(problems.slice(0, MOST_PROBLEMS));
}

function refuseWhereStrict({ remarks, request }: Exchange, operation: Route["operation"]): void {
  if (isStrict(request.headers)) refuseWarnings(remarks, operation, undefined);
}
