/**
 * Session properties that a connection passes on to the source's session, for the source's own row policies
 * (docs/reference/row-policies.md). The connection names the setting of the source for each property.
 */
import * as z from "zod/mini";
import type { DataSource, SessionSetting } from "../planner/plan.ts";
import { ConnectorFailure } from "./failure.ts";

/** One property, and the setting of the source that gets its value. */
export interface PassedProperty {
  readonly property: string;
  readonly setting: string;
}

/** The member of `connectionInfo`, and of an entry of CONNECTIONS. */
export const SESSION_SETTINGS = "sessionSettings";

interface SettingForm {
  readonly name: RegExp;
  readonly described: string;
}

/**
 * Names that cannot be settings of the server, of the dialect or of the service: a value of a caller must not change what a statement
 * means, who runs it or how long it may run.
 */
const FORMS: Readonly<Partial<Record<DataSource, SettingForm>>> = {
  postgres: { name: /^[a-z_]\w{0,62}(?:\.[a-z_]\w{0,62})+$/i, described: 'a name with a dot, such as "app.tenant"' },
  mysql: { name: /^@[a-z_]\w{0,62}$/i, described: 'a user variable, such as "@tenant"' },
  mssql: { name: /^[a-z_]\w{0,127}$/i, described: 'a key of SESSION_CONTEXT, such as "tenant"' },
  oracle: { name: /^CLIENT_IDENTIFIER$/, described: '"CLIENT_IDENTIFIER"' },
  clickhouse: { name: /^(?:SQL|custom)_\w{1,100}$/, described: 'a custom setting, such as "SQL_tenant"' },
  // https://docs.aws.amazon.com/redshift/latest/dg/r_SET_CONFIG.html
  redshift: { name: /^[a-z_]\w{0,62}\.[a-z_]\w{0,62}$/i, described: 'a name with one dot, such as "app.tenant"' },
  snowflake: { name: /^QUERY_TAG$/, described: '"QUERY_TAG"' },
};

/** Schemas of the member by source, for the API's description. */
export function sessionSettingShapes(): Readonly<Record<string, () => z.ZodMiniType>> {
  const shapeOf = ({ name, described }: SettingForm) => {
    const setting = z.string().check(z.regex(name), z.describe(`${described[0]?.toUpperCase()}${described.slice(1)}.`));
    const what = "Session properties, and the settings of the source's session that get their values.";
    return z.record(z.string(), setting).check(z.describe(what));
  };
  return Object.fromEntries(Object.entries(FORMS).map(([source, form]) => [source, () => shapeOf(form)]));
}

/** Most properties of one connection. */
const MOST = 16;

/**
 * The properties that `raw`, the member's value, passes on; none if it is absent. Throws `INVALID_CONNECTION`, naming members only.
 */
export function passedProperties(source: DataSource, raw: unknown): readonly PassedProperty[] {
  if (raw === undefined || raw === null) return [];
  const form = FORMS[source];
  if (form === undefined) {
    throw invalid(`${SESSION_SETTINGS} is not supported on ${source}.`, `It is on ${Object.keys(FORMS).join(", ")}.`);
  }
  if (typeof raw !== "object" || Array.isArray(raw)) throw invalid(`${SESSION_SETTINGS} must be an object.`);
  const passed = Object.entries(raw).map(([property, setting]): PassedProperty => {
    if (!/^[\w.-]{1,100}$/.test(property)) throw invalid(`${SESSION_SETTINGS} has a property without a valid name.`);
    if (typeof setting !== "string" || !form.name.test(setting)) {
      throw invalid(`${SESSION_SETTINGS}.${property} must be ${form.described}.`);
    }
    return { property: property.toLowerCase(), setting };
  });
  if (passed.length > MOST) throw invalid(`${SESSION_SETTINGS} has more than ${MOST} members.`);
  const names = new Set(passed.map(({ setting }) => setting.toLowerCase()));
  const properties = new Set(passed.map(({ property }) => property));
  if (names.size < passed.length || properties.size < passed.length) {
    throw invalid(`${SESSION_SETTINGS} names one property or one setting twice.`);
  }
  return passed;
}

function invalid(message: string, hint?: string): ConnectorFailure {
  return new ConnectorFailure("INVALID_CONNECTION", message, hint === undefined ? {} : { hint });
}

/** Whether the setting's value comes from the caller's session: it must not outlive the request. */
export const isOfCaller = ({ ofCaller }: SessionSetting): boolean => ofCaller === true;
