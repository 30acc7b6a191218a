/** Options, questions and answers of the client. */

/** The shape of what `siskin types` prints. */
export interface ModelTypes {
  readonly models: object;
  readonly cubes: object;
}

/** The types of a client without generated types: every name is accepted. */
export interface AnyModel extends ModelTypes {
  readonly models: Readonly<Record<string, Row>>;
  readonly cubes: Readonly<Record<string, CubeMembers>>;
}

interface CubeMembers {
  readonly measures: string;
  readonly dimensions: string;
  readonly timeDimensions: string;
}

export interface ClientOptions {
  /** Address of the service, such as `https://siskin.example.com`. */
  readonly url: string;
  readonly project: string;
  /** Bearer token, or a function that returns a fresh one for each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** API key. */
  readonly key?: string;
  /** `text` (default): 64-bit integers are texts; `bigint`: they are bigints. Decimals are texts in both. */
  readonly numbers?: "text" | "bigint";
  /** How often a request is sent again after 429 or 503 with Retry-After; 2 by default. */
  readonly retries?: number;
  /** Milliseconds without a byte from the service after which a request fails; 120,000 by default, 0 for no limit. */
  readonly timeout?: number;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface RequestOptions {
  /** Cancels the request. The service then stops the statement at its source. */
  readonly signal?: AbortSignal | undefined;
  /** Session properties, as texts of SQL literals: `{tenant: "'acme'"}`. */
  readonly sessionProperties?: Readonly<Record<string, string>> | undefined;
  /** Session properties of another caller, as plain values. Needs the scope siskin:view-as. */
  readonly viewAs?: Readonly<Record<string, unknown>> | undefined;
  /** Time zone of the SQL and of its instants, such as `Europe/Paris`. */
  readonly timeZone?: string | undefined;
  /** Turns warnings into errors. */
  readonly strict?: boolean | undefined;
}

/** Values for `$1`, `$2` … A `Date` is an instant, a `Uint8Array` a binary value. */
export type Parameter =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly Parameter[]
  | { readonly type: string; readonly value: string | number | boolean | null | readonly unknown[] };

export interface StatementOptions extends RequestOptions {
  readonly parameters?: readonly Parameter[] | undefined;
}

export interface QueryOptions extends StatementOptions {
  /** Most rows of the answer. */
  readonly limit?: number | undefined;
}

export type Value = string | number | bigint | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type Row = Readonly<Record<string, Value>>;

export interface Column {
  readonly name: string;
  /** `int64`, `decimal128(15, 2)`, `date32[day]` … */
  readonly type: string;
}

export interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}

export interface Warning {
  readonly code: string;
  readonly message?: string;
  readonly position?: Position;
  readonly hint?: string;
}

export interface Result<R = Row> {
  readonly columns: readonly Column[];
  readonly rows: readonly R[];
  readonly warnings: readonly Warning[];
}

export type Granularity = "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute";
type Scalar = string | number | boolean;
/** The n-th value of `parameters`. */
type Placeholder = { readonly parameter: number };

interface CubeQueryOf<Name, M extends CubeMembers> {
  readonly cube: Name;
  readonly measures?: readonly M["measures"][];
  readonly dimensions?: readonly M["dimensions"][];
  readonly timeDimensions?: readonly {
    readonly dimension: M["timeDimensions"];
    readonly granularity?: Granularity | null;
    readonly dateRange?: readonly [string | Placeholder, string | Placeholder] | null;
  }[];
  readonly filters?: readonly {
    readonly dimension: M["measures"] | M["dimensions"] | M["timeDimensions"];
    readonly operator: CubeOperator;
    readonly value?: Scalar | Placeholder | readonly (Scalar | Placeholder)[] | null;
  }[];
  readonly orderBy?: readonly {
    readonly member: M["measures"] | M["dimensions"] | M["timeDimensions"];
    readonly direction?: "asc" | "desc" | null;
  }[];
  readonly limit?: number | null;
  readonly offset?: number | null;
}

export type CubeOperator =
  | "eq"
  | "neq"
  | "in"
  | "not_in"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "contains"
  | "starts_with"
  | "is_null"
  | "is_not_null";

/** A structured query over a cube of the model, with its members. */
export type CubeQuery<M extends ModelTypes = AnyModel> = {
  [Name in keyof M["cubes"]]: M["cubes"][Name] extends CubeMembers ? CubeQueryOf<Name, M["cubes"][Name]> : never;
}[keyof M["cubes"]];

export interface ValuesOptions extends RequestOptions {
  /** Only values that contain it, in any case. */
  readonly term?: string | undefined;
  readonly limit?: number | undefined;
}

export interface SearchOptions extends RequestOptions {
  /** A model or a cube. */
  readonly within?: string | undefined;
  readonly kinds?: readonly SearchKind[] | undefined;
  readonly limit?: number | undefined;
}

export type SearchKind = "model" | "column" | "view" | "cube" | "measure" | "dimension" | "example";

export interface Described {
  readonly name: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface DescribedMember extends Described {
  readonly type: string;
}

export interface Description extends Described {
  readonly title?: string;
  readonly version: string;
  readonly dataSource: string;
  readonly instructions?: string;
  readonly examples: readonly { readonly question: string; readonly sql: string; readonly verified?: string }[];
  readonly questions: readonly { readonly name: string; readonly title?: string; readonly description?: string }[];
  readonly models: readonly (Described & {
    readonly primaryKey?: readonly string[];
    readonly columns: readonly (DescribedMember & { readonly nullable: boolean })[];
    readonly paths: readonly (Described & { readonly model: string; readonly joinType: string })[];
  })[];
  /** Relationships that compare visible columns by equality alone.. */
  readonly relationships?: readonly (Described & {
    readonly models: readonly string[];
    readonly joinType: string;
    readonly on: readonly (readonly string[])[];
  })[];
  readonly views: readonly Described[];
  readonly cubes: readonly (Described & {
    readonly measures: readonly DescribedMember[];
    readonly dimensions: readonly DescribedMember[];
    readonly timeDimensions: readonly DescribedMember[];
  })[];
}

export interface Explanation {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly descriptions: readonly (Omit<Described, "name"> & {
    readonly kind: string;
    readonly name: string;
    readonly of?: string;
  })[];
  readonly warnings: readonly Warning[];
  /** Only where the project shows the SQL for its source. */
  readonly dialectSql?: string;
}

export interface Values {
  readonly values: readonly string[];
  readonly truncated: boolean;
}

export interface Matches {
  readonly matches: readonly (Omit<Described, "properties"> & {
    readonly kind: SearchKind;
    readonly of?: string;
    readonly type?: string;
  })[];
  readonly more: number;
}

export interface ListedProject {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
  readonly status: "ready" | "unavailable";
}

export interface Client<M extends ModelTypes = AnyModel> {
  /** All rows of a statement. */
  query<R = Row>(sql: string, options?: QueryOptions): Promise<Result<R>>;
  /** Rows as they arrive. Ends with an error if the answer breaks off. Leaving the loop stops the statement. */
  stream<R = Row>(sql: string, options?: QueryOptions): AsyncGenerator<R, void, undefined>;
  /** The answer in Arrow's stream format. */
  arrow(sql: string, options?: QueryOptions): Promise<Uint8Array>;
  /** All rows of a structured query over a cube. */
  cube<R = Row>(query: CubeQuery<M>, options?: QueryOptions): Promise<Result<R>>;
  /** Models, columns, cubes and examples by words. */
  search(question: string, options?: SearchOptions): Promise<Matches>;
  /** Models, views and cubes that the caller may use. */
  describe(options?: RequestOptions): Promise<Description>;
  /** Columns, descriptions and warnings of a statement, without running it. */
  explain(sql: string, options?: StatementOptions): Promise<Explanation>;
  /** Values of a column, written as `model.column`, for filters. */
  values(column: string, options?: ValuesOptions): Promise<Values>;
  /** Projects that the caller may use. */
  projects(options?: Pick<RequestOptions, "signal">): Promise<readonly ListedProject[]>;
}
