/** The shapes of the API's answers that the page reads (docs/guide/projects.md). */

export interface ListedProject {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly status: "ready" | "unavailable";
}

export interface Described {
  readonly name: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, string>>;
}

export interface ModelColumn extends Described {
  readonly type: string;
  readonly nullable: boolean;
}

export interface Path extends Described {
  readonly model: string;
  readonly joinType: string;
}

export interface Model extends Described {
  readonly primaryKey?: readonly string[];
  readonly columns: readonly ModelColumn[];
  readonly paths: readonly Path[];
}

export interface CubeMember extends Described {
  readonly type: string;
}

export interface Cube extends Described {
  readonly measures: readonly CubeMember[];
  readonly dimensions: readonly CubeMember[];
  readonly timeDimensions: readonly CubeMember[];
}

export interface StoredQuestion {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

export interface Example {
  readonly question: string;
  readonly sql: string;
}

/** `GET /v3/projects/{project}` */
export interface Project {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly dataSource: string;
  readonly instructions?: string;
  readonly examples: readonly Example[];
  readonly questions: readonly StoredQuestion[];
  readonly models: readonly Model[];
  readonly views: readonly Described[];
  readonly cubes: readonly Cube[];
  /** Names of the session properties that row rules read. */
  readonly rowRuleProperties?: readonly string[];
}

/** A place in the statement; lines, columns and `offset` are counted from 1, in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly position?: Position;
}

/** `POST …/explain`: without `show` of the project, some members are absent. */
export interface Explanation {
  readonly dialectSql?: string;
  /** Triples: an offset in `dialectSql`, and the start and end in the statement that the text from there comes from. */
  readonly origins?: readonly number[];
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly lineage?: readonly { readonly column: string; readonly sources: readonly string[] }[];
  /** Models and columns that the plan needs. */
  readonly reads?: readonly { readonly model: string; readonly columns: readonly string[] }[];
  readonly warnings: readonly Warning[];
}

/** An answer that is no success, or none at all. */
export interface Failure {
  /** HTTP status; 0 if the service did not answer. */
  readonly status: number;
  readonly message: string;
  readonly code: string;
  readonly reason?: string;
  readonly hint?: string;
  readonly position?: Position;
  readonly suggestions: readonly string[];
  readonly correlationId?: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export class ApiFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}
