/**
 * Connection of `bigquery`: fields of both kinds, the cost limit of statements, and the canonical form
 * (docs/spec/contract.md#connections).
 */
import * as z from "zod/mini";
import { once } from "../../once.ts";
import type { PlannerWarning } from "../../planner/plan.ts";
import { type CanonicalConnection, invalidConnection, type ParsedConnection } from "./connection.ts";
import { type GivenOption, memberOfUrl, optionsOf, optionsShape } from "./server-fields.ts";
import { canonicalServiceAccount, type ServiceAccount, serviceAccountOf } from "./service-account.ts";
import { readMembersWithoutTls, unknownOption } from "./unknown-members.ts";

export interface BigQueryConnection {
  readonly source: "bigquery";
  /** The project that runs statements and pays for them. */
  readonly project: string;
  /** Default dataset of table names; undefined for a connection to all datasets that the account may read. */
  readonly dataset: string | undefined;
  /** Without it, BigQuery chooses the location by the tables of a statement. */
  readonly location: string | undefined;
  readonly account: ServiceAccount;
  /** Milliseconds; a statement may have a shorter limit. */
  readonly jobTimeoutMs: number | undefined;
  /** A statement that would cost more fails before it costs anything. */
  readonly maximumBytesBilled: bigint | undefined;
  /** Labels of every job, for billing reports. */
  readonly labels: Readonly<Record<string, string>>;
}

const count = () => z.nullish(z.union([z.string(), z.number()]));
const commonFields = () => ({
  credentials: z.string(),
  job_timeout_ms: count(),
  maximum_bytes_billed: count(),
  labels: z.nullish(z.record(z.string(), z.string())),
  kwargs: optionsShape(),
});
const datasetFields = once(() =>
  z.object({
    bigquery_type: z.nullish(z.literal("dataset")),
    project_id: z.string(),
    dataset_id: z.string(),
    location: z.nullish(z.string()),
    ...commonFields(),
  }),
);
const projectFields = once(() =>
  z.object({
    bigquery_type: z.literal("project"),
    billing_project_id: z.string(),
    region: z.string(),
    ...commonFields(),
  }),
);

/** The schema of `connectionInfo`, for the API's description. */
export const bigQueryConnectionShape = once(() => z.union([datasetFields(), projectFields()]));

/** Old projects of a company's domain have the domain before a colon. */
const PROJECT = /^(?:[a-z\d][a-z\d.-]{0,252}:)?[a-z\d][a-z\d-]{0,62}$/i;
/** https://cloud.google.com/bigquery/docs/datasets#dataset-naming */
const DATASET = /^\w{1,1024}$/;
const LOCATION = /^[a-z][a-z\d-]{1,63}$/i;
/** https://cloud.google.com/bigquery/docs/labels-intro#requirements */
const LABEL = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const LABEL_VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;
const MAX_LABELS = 64;

/** Names that need no escapes between back-ticks. */
export function isProject(text: string): boolean {
  return PROJECT.test(text);
}

export function isDataset(text: string): boolean {
  return DATASET.test(text);
}

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseBigQueryConnection(raw: unknown): ParsedConnection<BigQueryConnection> {
  const url = memberOfUrl(raw);
  if (url !== undefined) throw invalidConnection(url, "there is no URL for this source", "Give its fields.");
  const kind = (raw as { readonly bigquery_type?: unknown } | null)?.bigquery_type ?? "dataset";
  if (kind !== "dataset" && kind !== "project") {
    throw invalidConnection("bigquery_type", "must be dataset or project");
  }
  const rules = { hint: TLS_HINT };
  const { given, warnings } =
    kind === "dataset"
      ? readMembersWithoutTls(datasetFields(), raw, rules)
      : readMembersWithoutTls(projectFields(), raw, rules);
  const jobTimeout = positive(given.job_timeout_ms, "job_timeout_ms");
  return {
    info: {
      source: "bigquery",
      ...placeOf(given),
      account: serviceAccountOf("credentials", given.credentials),
      jobTimeoutMs: jobTimeout === undefined ? undefined : Number(jobTimeout),
      maximumBytesBilled: positive(given.maximum_bytes_billed, "maximum_bytes_billed"),
      labels: labelsOf(given.labels ?? {}),
    },
    warnings: [...warnings, ...optionsOf(given.kwargs).map(notHonoured)],
  };
}

type Fields = z.infer<ReturnType<typeof datasetFields>> | z.infer<ReturnType<typeof projectFields>>;

function placeOf(given: Fields): Pick<BigQueryConnection, "project" | "dataset" | "location"> {
  if (given.bigquery_type === "project") {
    const project = named("billing_project_id", given.billing_project_id, PROJECT, "a project");
    const location = named("region", given.region, LOCATION, "a region, as in US or asia-east1");
    return { project, dataset: undefined, location };
  }
  return {
    project: named("project_id", given.project_id, PROJECT, "a project"),
    dataset: named("dataset_id", given.dataset_id, DATASET, "a dataset"),
    location: given.location
      ? named("location", given.location, LOCATION, "a region, as in US or asia-east1")
      : undefined,
  };
}

/** The names become parts of addresses and of the connector's statements. */
function named(member: string, text: string, form: RegExp, what: string): string {
  const name = text.trim();
  if (!form.test(name)) throw invalidConnection(member, `does not name ${what}`);
  return name;
}

function positive(value: string | number | null | undefined, member: string): bigint | undefined {
  if (value == null || value === "") return undefined;
  const text = String(value).trim();
  if (/^[1-9]\d{0,17}$/.test(text)) return BigInt(text);
  throw invalidConnection(member, "must be an integer above 0");
}

function labelsOf(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(given);
  const isRight = entries.every(([name, value]) => LABEL.test(name) && LABEL_VALUE.test(value));
  if (isRight && entries.length <= MAX_LABELS) return given;
  throw invalidConnection(
    "labels",
    `must be at most ${MAX_LABELS} names and values of lower-case letters, digits, _ and -, 63 characters each`,
  );
}

const TLS_HINT = "Leave it out: BigQuery is asked over HTTPS, and certificates are verified.";

function notHonoured(option: GivenOption): PlannerWarning {
  // Text that cannot be an option's name may be a value in the wrong place.
  const described = /^\w{1,64}$/.test(option.name) ? `the option ${option.name}` : "an option";
  return {
    ...unknownOption(option, [], TLS_HINT, described),
    hint: "location, job_timeout_ms, maximum_bytes_billed and labels are members of connectionInfo itself.",
  };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalBigQueryConnection(connection: BigQueryConnection): CanonicalConnection {
  const { project, dataset, location, account, jobTimeoutMs, maximumBytesBilled, labels } = connection;
  return {
    ...(dataset === undefined
      ? { bigquery_type: "project", billing_project_id: project, region: location ?? "" }
      : { project_id: project, dataset_id: dataset, ...(location !== undefined && { location }) }),
    credentials: canonicalServiceAccount(account),
    ...(jobTimeoutMs !== undefined && { job_timeout_ms: jobTimeoutMs }),
    ...(maximumBytesBilled !== undefined && { maximum_bytes_billed: String(maximumBytesBilled) }),
    ...(Object.keys(labels).length > 0 && { labels }),
  };
}
