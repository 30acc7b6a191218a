/**
 * The contract between the API, which authenticates callers and runs use cases, and the MCP Worker, which speaks the protocol. Both
 * ends are of one release: `npm run deploy` uploads the MCP Worker first.
 */

/** Routes of a project that agents may use, and `view`: the HTML that hosts show results with. */
export type UseCase =
  | "view"
  | "project"
  | "search"
  | "values"
  | "query"
  | "cube"
  | "explain"
  | "functions"
  | "knowledge";

export interface AskOptions {
  /** Rows as NDJSON, in place of JSON. */
  readonly lines?: boolean;
  /** Checks the statement on the source and runs nothing. */
  readonly dryRun?: boolean;
  readonly timeZone?: string;
}

/**
 * Runs a use case for the caller of this request, on this project. The answer is that of the project's route, errors included. Once
 * the client closes its stream, running use cases end with an error.
 */
export type Ask = (useCase: UseCase, body: object | undefined, options: AskOptions) => Promise<Response>;

/** The project as it was opened for the caller. */
export interface AskedProject {
  readonly name: string;
  readonly title: string | undefined;
  /** Whether `view` answers. */
  readonly hasView: boolean;
}

/** A request of the protocol: credentials and cookies stay with the API. */
export interface ForwardedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** The MCP Worker, as the API calls it. */
export type McpDoor = (request: ForwardedRequest, project: AskedProject, ask: Ask) => Promise<Response>;

/** The data that handlers of one request share. */
export interface Session {
  readonly project: AskedProject;
  readonly ask: Ask;
}
