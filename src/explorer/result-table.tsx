/** The rows of an answer. Only those in sight are in the document; `aria-rowcount` tells how many there are. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import type { Column } from "./row-stream.ts";
import { type ColumnKind, exactText, kindOf, shownText, typeLabel } from "./values.ts";

const ROW_HEIGHT = 30;
const MOST_COLUMNS = 200;

export interface ResultTableProps {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly unknown[])[];
  /** Number of `rows` to show: the list grows while an answer arrives. */
  readonly count: number;
}

export function ResultTable({ columns, rows, count }: ResultTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer(count, scroller);
  const shown = columns.slice(0, MOST_COLUMNS);
  const kinds = useMemo(() => shown.map(({ type }) => kindOf(type)), [columns]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard, too.
    <section class="table" ref={scroller} tabIndex={0} aria-label="Rows">
      {columns.length > shown.length && (
        <p class="note">
          {shown.length} of {columns.length} columns are shown. Save CSV or Arrow for all.
        </p>
      )}
      <table aria-rowcount={count + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {shown.map(({ name, type }, index) => (
              <th key={`${index}`} scope="col" class={kinds[index] === "number" ? "number" : undefined}>
                <bdi>{name}</bdi>
                <small>{typeLabel(type)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr class="space" style={{ height: `${before}px` }} />}
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2}>
              {shown.map((_, place) => (
                <Cell key={`${place}`} value={rows[index]?.[place]} kind={kinds[place] ?? "text"} />
              ))}
            </tr>
          ))}
          {after > 0 && <tr class="space" style={{ height: `${after}px` }} />}
        </tbody>
      </table>
    </section>
  );
}

const LONGEST_SHOWN = 300;

function Cell({ value, kind }: { readonly value: unknown; readonly kind: ColumnKind }) {
  if (value === null || value === undefined) return <td class="null">NULL</td>;
  const text = shownText(value, kind);
  if (text === "") return <td class="empty">empty</td>;
  const isLong = text.length > LONGEST_SHOWN;
  return (
    <td class={kind === "number" ? "number" : undefined} {...(isLong && { title: exactText(value).slice(0, 10_000) })}>
      <bdi>{isLong ? `${text.slice(0, LONGEST_SHOWN)}…` : text}</bdi>
    </td>
  );
}

function useVirtualizer(count: number, scroller: { readonly current: HTMLDivElement | null }) {
  const [, draw] = useReducer((times: number, _: undefined) => times + 1, 0);
  const options: VirtualizerOptions<HTMLDivElement, HTMLTableRowElement> = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(undefined),
  };
  const virtual = useMemo(() => new Virtualizer(options), []);
  virtual.setOptions(options);
  useEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}
