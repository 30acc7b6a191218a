/**
 * Infers the types that DuckDB's `read_json` infers from records (https://duckdb.org/docs/stable/data/json/loading_json), if they
 * are certain. Values for which DuckDB might infer another type (texts that could be dates in a format other than ISO's, values
 * of several kinds, objects that could be maps) throw `Beyond`.
 */
import type { LogicalType, Value } from "../../../result/types.ts";
import { sqlIdentifier } from "../../duckdb/sql-text.ts";
import { Beyond } from "../beyond.ts";
import type { JsonObject, JsonValue } from "./scanner.ts";

export interface JsonType {
  /** The type's text in `CREATE TABLE`. */
  readonly sql: string;
  readonly logical: LogicalType;
  /** Throws `Beyond` for a value of another type. */
  readonly read: (value: JsonValue) => Value;
}

export interface JsonColumn extends JsonType {
  readonly name: string;
}

/** DuckDB infers a map for objects with 200 different names, and for objects that have a tenth of the names on average. */
const MOST_MEMBERS = 150;
const LEAST_FILLED = 0.3;
/** Maximum number of shapes in all records: each is kept in memory. */
const MOST_PLACES = 10_000;

/** The values seen at one path. */
class Shape {
  readonly #kinds = new Set<"boolean" | "integer" | "real" | "text" | "list" | "object">();
  readonly #texts: Texts;
  readonly #seen: Seen;
  readonly #members = new Map<string, { count: number; readonly shape: Shape }>();
  #objects = 0;
  #element: Shape | undefined;

  constructor(seen: Seen) {
    if (++seen.places > MOST_PLACES) throw new Beyond("values in so many places");
    this.#seen = seen;
    this.#texts = new Texts(seen);
  }

  add(value: JsonValue): void {
    if (value === null) return;
    if (typeof value === "boolean") this.#kinds.add("boolean");
    else if (typeof value === "bigint") this.#kinds.add("integer");
    else if (typeof value === "number") this.#kinds.add("real");
    else if (typeof value === "string") {
      this.#kinds.add("text");
      this.#texts.add(value);
    } else if (Array.isArray(value)) {
      this.#kinds.add("list");
      this.#element ??= new Shape(this.#seen);
      for (const element of value) this.#element.add(element);
    } else {
      this.addObject(value);
    }
  }

  addObject(members: JsonObject): void {
    this.#kinds.add("object");
    this.#objects++;
    for (const [name, value] of members) {
      let member = this.#members.get(name);
      if (member === undefined) {
        member = { count: 0, shape: new Shape(this.#seen) };
        this.#members.set(name, member);
      }
      member.count++;
      member.shape.add(value);
    }
  }

  columns(): readonly JsonColumn[] {
    const names = [...this.#members.keys()];
    if (names.length === 0 || names.includes("")) throw new Beyond("objects without names");
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
      throw new Beyond("names that differ only in case");
    }
    let filled = 0;
    for (const { count } of this.#members.values()) filled += count;
    if (names.length > MOST_MEMBERS || filled < LEAST_FILLED * names.length * this.#objects) {
      throw new Beyond("objects of which each has other names");
    }
    return [...this.#members].map(([name, { shape }]) => ({ name, ...shape.#type(name) }));
  }

  #type(name: string): JsonType {
    const kinds = [...this.#kinds].sort().join();
    switch (kinds) {
      case "boolean":
        return { sql: "BOOLEAN", logical: { kind: "boolean" }, read: of((value) => typeof value === "boolean") };
      case "integer":
        return { sql: "BIGINT", logical: { kind: "int64" }, read: of((value) => typeof value === "bigint") };
      case "real":
      case "integer,real":
        return { sql: "DOUBLE", logical: { kind: "float64" }, read: double };
      case "text":
        return this.#texts.type(name);
      case "list":
        return listOf((this.#element ?? new Shape(this.#seen)).#type(name));
      case "object":
        return structOf(this.columns());
      default:
        throw new Beyond(
          kinds === "" ? `"${name}", which has no values` : `"${name}", whose values are of several kinds`,
        );
    }
  }
}

const misfit = () => new Beyond("a value of another type than those before");

/** NULL, or a value for which `is` returns true. */
const of =
  (is: (value: JsonValue) => boolean) =>
  (value: JsonValue): Value => {
    if (value !== null && !is(value)) throw misfit();
    return value as Value;
  };

function double(value: JsonValue): Value {
  if (value === null) return null;
  if (typeof value !== "number" && typeof value !== "bigint") throw misfit();
  return Number(value);
}

function listOf({ sql, logical, read }: JsonType): JsonType {
  return {
    sql: `${sql}[]`,
    logical: { kind: "list", element: logical },
    read: (value) => {
      if (value === null) return null;
      if (!Array.isArray(value)) throw misfit();
      return value.map(read);
    },
  };
}

function structOf(members: readonly JsonColumn[]): JsonType {
  return {
    sql: `STRUCT(${members.map(({ name, sql }) => `${sqlIdentifier(name)} ${sql}`).join(", ")})`,
    logical: { kind: "struct", fields: members.map(({ name, logical }) => ({ name, type: logical })) },
    read: (value) => {
      if (value === null) return null;
      if (!(value instanceof Map)) throw misfit();
      return rowOf(value, members);
    },
  };
}

/** A missing member is NULL. */
export function rowOf(record: JsonObject, columns: readonly JsonColumn[]): readonly Value[] {
  return columns.map(({ name, read }) => read(record.get(name) ?? null));
}

/** Columns of the records, in the order in which names first occur. Throws `Beyond`. */
export function columnsOf(records: Iterable<JsonObject>): readonly JsonColumn[] {
  const shape = new Shape({ places: 0, forms: new Set(), hasDoubtful: false });
  for (const record of records) shape.addObject(record);
  return shape.columns();
}

type TextForm = "date" | "moment" | "moment with a fraction" | "moment in UTC";

/** State of all records together. */
interface Seen {
  places: number;
  /** The formats of texts in all columns: DuckDB looks for one format that all of them have. */
  readonly forms: Set<TextForm>;
  hasDoubtful: boolean;
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:([ T])(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z?))?$/;
/**
 * Blanks, a sign or digits, with which every text begins that DuckDB may read as a date or time; and its words for some dates.
 */
const LIKE_A_MOMENT = /^\s*(?:[-+\d]|infinity|epoch)/i;
/** A character that no date or time format contains. */
const OTHER_LETTERS = /[^\d\s:.,/+\-ATZPM]/i;
const LIKE_AN_ID = /^[{(]?[\da-f-]{32,38}[)}]?$/i;

/** The common format of all texts at one path. */
class Texts {
  readonly #seen: Seen;
  readonly #forms = new Set<TextForm>();
  #isText = false;
  #isDoubtful = false;

  constructor(seen: Seen) {
    this.#seen = seen;
  }

  add(text: string): void {
    const form = formOf(text);
    if (form !== undefined) {
      this.#forms.add(form);
      this.#seen.forms.add(form);
    } else if (isNoMoment(text)) {
      this.#isText = true;
    } else {
      this.#isDoubtful = true;
      this.#seen.hasDoubtful = true;
    }
  }

  type(name: string): JsonType {
    // One text without a date or time format makes the column VARCHAR.
    if (this.#isText) {
      return { sql: "VARCHAR", logical: { kind: "string" }, read: of((value) => typeof value === "string") };
    }
    const [form] = this.#forms;
    const others = [...this.#seen.forms].filter((each) => each !== form && each !== "date");
    const isAlone = form === "date" ? this.#forms.size === 1 : others.length === 0 && this.#forms.size === 1;
    if (form === undefined || this.#isDoubtful || this.#seen.hasDoubtful || !isAlone) {
      throw new Beyond(`"${name}", whose texts may be dates`);
    }
    if (form === "date") return { sql: "DATE", logical: { kind: "date" }, read: days };
    const logical: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
    const read = (value: JsonValue): Value => (value === null ? null : microseconds(value, form));
    return { sql: "TIMESTAMP", logical, read };
  }
}

function days(value: JsonValue): Value {
  return value === null ? null : Number(microseconds(value, "date") / DAY);
}

const DAY = 86_400_000_000n;

function isNoMoment(text: string): boolean {
  if (text === "" || /^\d+$/.test(text)) return true;
  return !LIKE_AN_ID.test(text) && (!LIKE_A_MOMENT.test(text) || (OTHER_LETTERS.test(text) && /^\s*\d/.test(text)));
}

function formOf(text: string): TextForm | undefined {
  const [, day, between, time, fraction, zone] = MOMENT.exec(text) ?? [];
  if (day === undefined || day.startsWith("0000") || !isDay(day)) return undefined;
  if (time === undefined) return "date";
  if ((between === "T") !== (zone === "Z") || Number.isNaN(Date.parse(`${day}T${time}Z`)) || time > "23:59:59")
    return undefined;
  if (fraction === undefined) return zone === "Z" ? "moment in UTC" : "moment";
  // With a fraction and a zone, this version of DuckDB infers VARCHAR.
  return zone === "Z" ? undefined : "moment with a fraction";
}

function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

function microseconds(value: JsonValue, form: TextForm): bigint {
  if (typeof value !== "string" || formOf(value) !== form) throw misfit();
  const [, day, , time = "00:00:00", fraction = ""] = MOMENT.exec(value) ?? [];
  return BigInt(Date.parse(`${day}T${time}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0"));
}
