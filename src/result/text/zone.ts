/** Time zones: their offset from UTC at an instant, exact to the second for every date in the tz database. */
import { DAYS_PER_CYCLE, SECONDS_PER_DAY } from "./calendar.ts";
import { paddedDigits } from "./digits.ts";

export interface Zone {
  /** The caller's spelling; fixed offsets as `±HH:MM`. */
  readonly name: string;
  /** Seconds east of UTC at an instant given in seconds since 1970-01-01T00:00:00Z. */
  offsetAt(epochSecond: number): number;
}

const FIXED = /^([+-])(\d{2})(?::?(\d{2}))?$/;
const NAME = /^[A-Za-z][A-Za-z0-9_+\-/]*$/;
const ALWAYS_UTC: ReadonlySet<string> = new Set(["utc", "etc/utc", "gmt", "etc/gmt"]);

/** The limit of `Date`, in seconds before and after 1970. */
const DATE_RANGE = 8_640_000_000_000;

/** Maximum cached days per zone; a stream with more days clears the cache. */
const MAX_CACHED_DAYS = 20_000;

/** Whether a name is an IANA zone or a fixed offset (`+02:00`, `-0330`, `+02`): the API answers 422 for any other. */
export function isKnownZone(name: string): boolean {
  return openZone(name) !== undefined;
}

/** The zone of a name, or undefined for an unknown name. A zone caches its offsets: open one per stream. */
export function openZone(name: string): Zone | undefined {
  const fixed = FIXED.exec(name);
  if (fixed !== null) return fixedZone(fixed[1] === "-" ? -1 : 1, Number(fixed[2]), Number(fixed[3] ?? "0"));
  if (ALWAYS_UTC.has(name.toLowerCase())) return { name, offsetAt: () => 0 };
  if (!NAME.test(name)) return undefined;
  const format = offsetFormat(name);
  return format === undefined ? undefined : new NamedZone(name, format);
}

/** `±HH:MM`, with `:SS` for local mean times before standard time, which are not whole minutes. */
export function offsetText(seconds: number): string {
  const size = Math.abs(seconds);
  const hours = Math.floor(size / 3600);
  const minutes = Math.floor((size - hours * 3600) / 60);
  const rest = size % 60;
  const text = `${seconds < 0 ? "-" : "+"}${paddedDigits(hours, 2)}:${paddedDigits(minutes, 2)}`;
  return rest === 0 ? text : `${text}:${paddedDigits(rest, 2)}`;
}

function fixedZone(sign: 1 | -1, hours: number, minutes: number): Zone | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  const offset = sign * (hours * 3600 + minutes * 60);
  return { name: offsetText(offset), offsetAt: () => offset };
}

function offsetFormat(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch (error) {
    // The only test for the existence of a zone: `Intl.supportedValuesOf` omits the links (`US/Pacific`).
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** One UTC day: `before` holds until the second `change`, `after` from then on. */
interface OffsetsOfDay {
  readonly before: number;
  readonly change: number;
  readonly after: number;
}

/**
 * `Intl` needs 2 µs for one instant, which would be most of the cost of a zoned column, so offsets are cached per UTC day. No
 * zone of the tz database changes twice within a UTC day.
 */
class NamedZone implements Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #days = new Map<number, OffsetsOfDay>();

  constructor(name: string, format: Intl.DateTimeFormat) {
    this.name = name;
    this.#format = format;
  }

  offsetAt(epochSecond: number): number {
    const second = withinDateRange(Math.floor(epochSecond));
    const day = Math.floor(second / SECONDS_PER_DAY);
    let offsets = this.#days.get(day);
    if (offsets === undefined) {
      offsets = this.#offsetsOf(day);
      if (this.#days.size >= MAX_CACHED_DAYS) this.#days.clear();
      this.#days.set(day, offsets);
    }
    return second < offsets.change ? offsets.before : offsets.after;
  }

  #offsetsOf(day: number): OffsetsOfDay {
    let low = day * SECONDS_PER_DAY;
    let high = Math.min(low + SECONDS_PER_DAY, DATE_RANGE);
    const before = this.#ask(low);
    const after = this.#ask(high);
    if (before === after) return { before, change: Number.POSITIVE_INFINITY, after };
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#ask(middle) === before) low = middle;
      else high = middle;
    }
    return { before, change: high, after };
  }

  #ask(second: number): number {
    const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(this.#format.format(second * 1000));
    if (match === null) throw new Error(`The platform does not tell offsets of the zone ${this.name}.`);
    const [, sign, hours = "0", minutes = "0", seconds = "0"] = match;
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === "-" ? -size : size;
  }
}

/** Beyond the range of `Date`, the current rules repeat with the calendar; before it, local mean time applies. */
function withinDateRange(second: number): number {
  if (second < -DATE_RANGE) return -DATE_RANGE;
  if (second < DATE_RANGE) return second;
  const cycle = DAYS_PER_CYCLE * SECONDS_PER_DAY;
  return second - Math.ceil((second - DATE_RANGE + 1) / cycle) * cycle;
}
