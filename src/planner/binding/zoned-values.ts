/** Instants and local times of the session's zone (docs/decisions/0011-time-zones.md), as bound expressions that name the zone. */
import { unsupported } from "../diagnostics.ts";
import {
  atZone,
  binary,
  call,
  cast,
  comparison,
  concatenation,
  integer,
  interval,
  text,
  typed,
  typeName,
  when,
} from "../syntax/build.ts";
import type { Expression, Span } from "../syntax/tree.ts";
import { INTEGER, INTERVAL, NUMERIC, type SqlType, TEXT, TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../types.ts";
import { zoneNamed } from "../zone-names.ts";

const FIXED = /^([+-])(\d\d)(?::?(\d\d))?$/;
const ALWAYS_UTC: ReadonlySet<string> = new Set(["utc", "etc/utc", "gmt", "etc/gmt", "z"]);

/** Zones with a fixed offset, whose names PostgreSQL takes for abbreviations behind AT TIME ZONE. */
const FIXED_NAMES: Readonly<Record<string, string>> = { est: "-05:00", mst: "-07:00", hst: "-10:00" };

/** Zones with summer times, of which there are none in the abbreviations that PostgreSQL would take their names for. */
const ALSO_ABBREVIATIONS: ReadonlySet<string> = new Set(["cet", "eet", "met", "wet"]);

/** `UTC` under all of its names, a fixed offset as `+02:00`, and other names as the database writes them. */
export function sessionZone(name: string): string {
  const lower = name.toLowerCase();
  if (ALWAYS_UTC.has(lower)) return "UTC";
  if (Object.hasOwn(FIXED_NAMES, lower)) return FIXED_NAMES[lower] ?? name;
  const fixed = FIXED.exec(name);
  if (fixed === null) return zoneNamed(name) ?? name;
  const [, sign = "+", hours = "00", minutes = "00"] = fixed;
  return hours === "00" && minutes === "00" ? "UTC" : `${sign}${hours}:${minutes}`;
}

export const isInstant = ({ type }: Expression): boolean => isInstantType(type);
export const isInstantType = (type: SqlType | undefined): boolean => type?.kind === "timestamp" && type.zoned;

/** A date, or a timestamp without a zone. */
export const isLocalTime = ({ type }: Expression): boolean => isLocalTimeType(type);
export const isLocalTimeType = (type: SqlType | undefined): boolean =>
  type?.kind === "date" || (type?.kind === "timestamp" && !type.zoned);

/** The clocks of a zone: of the session by its name, or of an expression that names one. */
export class Clock {
  readonly zone: string;
  readonly #named: Expression | undefined;
  readonly #offset: number | undefined;

  constructor(zone: string | Expression) {
    this.zone = typeof zone === "string" ? zone : "…";
    this.#named = typeof zone === "string" ? undefined : zone;
    const fixed = FIXED.exec(this.zone);
    if (fixed === null) return;
    const [, sign, hours, minutes = "0"] = fixed;
    this.#offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  }

  /** A fixed offset has no name: as one, `+02:00` would be west of UTC. */
  get isNamed(): boolean {
    return this.#offset === undefined;
  }

  name(at: { readonly span: Span }): Expression {
    if (this.#named !== undefined) return this.#named;
    if (!ALSO_ABBREVIATIONS.has(this.zone.toLowerCase())) return text(this.zone, at);
    throw unsupported(`the session zone ${this.zone}`, at.span, "Name the zone by a place, such as 'Europe/Brussels'.");
  }

  /** The local time at an instant. */
  local(instant: Expression): Expression {
    const at = typed(TIMESTAMP, instant);
    if (this.#offset === undefined) return atZone(instant, this.name(instant), at);
    return binary(atZone(instant, text("UTC", instant), at), "+", this.#ahead(instant), at);
  }

  /** The instant of a local time or of the beginning of a day. */
  instant(local: Expression): Expression {
    const at = typed(TIMESTAMPTZ, local);
    const clock = typeOrUnknown(local).kind === "date" ? cast(local, "timestamp", typed(TIMESTAMP, local)) : local;
    if (this.#offset === undefined) return atZone(clock, this.name(local), at);
    return atZone(binary(clock, "-", this.#ahead(local), typed(TIMESTAMP, local)), text("UTC", local), at);
  }

  #ahead(at: { readonly span: Span }): Expression {
    return interval(`${this.#offset ?? 0} minutes`, at);
  }

  /** Seconds that the clocks of the zone are ahead of UTC at an instant. */
  secondsAhead(instant: Expression): Expression {
    if (this.#offset !== undefined) return integer(this.#offset * 60, instant);
    const inUtc = atZone(instant, text("UTC", instant), typed(TIMESTAMP, instant));
    const ahead = binary(this.local(instant), "-", inUtc, typed(INTERVAL, instant));
    const { span } = instant;
    return cast(
      { kind: "extract", field: "epoch", operand: ahead, span, type: NUMERIC },
      "integer",
      typed(INTEGER, instant),
    );
  }

  /** The text of an instant as PostgreSQL writes it: `2024-07-01 14:00:00+02`. */
  text(instant: Expression): Expression {
    return concatenation(
      cast(this.local(instant), "text", typed(TEXT, instant)),
      this.#offsetText(instant, false),
      instant,
    );
  }

  /** The same in JSON: `2024-07-01T14:00:00+02:00`. */
  jsonText(instant: Expression): Expression {
    const local = cast(this.local(instant), "text", typed(TEXT, instant));
    const joined = call("replace", [local, text(" ", instant), text("T", instant)], typed(TEXT, instant));
    return concatenation(joined, this.#offsetText(instant, true), instant);
  }

  /** `+02`, `-03:30`, and with seconds before standard times: parts that are zero are left out. */
  #offsetText(instant: Expression, hasMinutes: boolean): Expression {
    if (this.#offset !== undefined) {
      return text(hasMinutes || !this.zone.endsWith(":00") ? this.zone : this.zone.slice(0, 3), instant);
    }
    const at = typed(TEXT, instant);
    const ahead = this.secondsAhead(instant);
    const size = binary(
      call("abs", [ahead], typed(INTEGER, instant)),
      "*",
      interval("1 second", instant),
      typed(INTERVAL, instant),
    );
    const clock = binary(midnight(instant), "+", size, typed(TIMESTAMP, instant));
    const shown = concatenation(call("to_char", [clock, text("HH24:MI:SS", instant)], at), text("|", instant), instant);
    const without = (of: Expression, zero: string): Expression =>
      call("replace", [of, text(zero, instant), text("|", instant)], at);
    const shortened = hasMinutes ? without(shown, ":00|") : without(without(shown, ":00|"), ":00|");
    const isWest = comparison(ahead, "<", integer(0, instant), instant);
    const sign = when(isWest, text("-", instant), text("+", instant), at);
    return concatenation(sign, call("replace", [shortened, text("|", instant), text("", instant)], at), instant);
  }
}

const midnight = (at: { readonly span: Span }): Expression => ({
  kind: "typed",
  typeName: typeName("timestamp", at),
  value: "2000-01-01 00:00:00",
  span: at.span,
  type: TIMESTAMP,
});
