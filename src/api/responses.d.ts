/** Answers without rows: JSON values, and the bodies of errors. */
import type { ServiceError } from "../service/failure.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestProblems } from "./problems.ts";
export declare function jsonResponse(value: unknown, headers?: Readonly<Record<string, string>>): Response;
/** The six keys of contract §5.1, secrets taken out. */
export declare function errorBody(error: ServiceError, exchange: Pick<Exchange, "correlationId" | "redactor">): object;
export declare function errorResponse(error: ServiceError, exchange: Exchange): Response;
export declare function problemsResponse(error: RequestProblems, exchange: Exchange): Response;
/** Answers of the kind the framework of the reference gives itself: `{"detail":"Not Found"}`. */
export declare function plainDetail(status: number, detail: string, headers?: Readonly<Record<string, string>>): Response;
/** What the log line says of a failure. */
export declare function noteFailure(error: ServiceError, exchange: Exchange): void;
