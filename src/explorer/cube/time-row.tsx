/** One time dimension of the builder: the part of time that makes groups, and a range of days. */

import { useState } from "preact/hooks";
import { GRANULARITIES, type Granularity, type TimeDimension } from "./cube-query.ts";

export interface TimeRowProps {
  readonly name: string;
  /** Undefined if the query does not use it. */
  readonly of: TimeDimension | undefined;
  readonly write: (time: TimeDimension | undefined) => void;
}

export function TimeRow({ name, of, write }: TimeRowProps) {
  const [start = "", end = ""] = of?.dateRange ?? [];
  // A range needs both of its days: until then the first one is the row's own.
  const [open, keep] = useState<readonly [start: string, end: string]>(["", ""]);
  const days = of?.dateRange === undefined ? open : ([start, end] as const);
  const put = (granularity: Granularity | undefined, range: readonly [start: string, end: string]): void => {
    const isRange = range[0] !== "" && range[1] !== "";
    keep(range);
    write(
      granularity === undefined && !isRange
        ? undefined
        : { dimension: name, ...(granularity && { granularity }), ...(isRange && { dateRange: range }) },
    );
  };
  return (
    <div class="row">
      <bdi class="member">{name}</bdi>
      <label>
        by{" "}
        <select
          aria-label={`Granularity of ${name}`}
          value={of?.granularity ?? ""}
          onChange={({ currentTarget: { value } }) =>
            put(
              GRANULARITIES.find((each) => each === value),
              days,
            )
          }
        >
          <option value="">no group</option>
          {GRANULARITIES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <label>
        from{" "}
        <input
          type="date"
          aria-label={`First day of ${name}`}
          value={days[0]}
          onInput={({ currentTarget: { value } }) => put(of?.granularity, [value, days[1]])}
        />
      </label>
      <label>
        to{" "}
        <input
          type="date"
          aria-label={`Last day of ${name}`}
          value={days[1]}
          onInput={({ currentTarget: { value } }) => put(of?.granularity, [days[0], value])}
        />
      </label>
    </div>
  );
}
