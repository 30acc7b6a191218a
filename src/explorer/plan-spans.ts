/** Which text of the question each part of the source's SQL comes from, and the other way round. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of a text; `span` is the part of the question that it comes from, undefined where there is none. */
export interface Piece {
  readonly text: string;
  readonly span: Span | undefined;
}

/** The span of the whole question says nothing. */
function isPart({ start, end }: Span, question: string): boolean {
  const first = question.length - question.trimStart().length;
  const isWhole = start <= first && end >= question.trimEnd().length;
  return start >= 0 && start < end && end <= question.length && !isWhole;
}

/** The source's SQL in pieces, by `origins` of the plan: triples of an offset, and the start and end in the question. */
export function sourcePieces(sql: string, origins: readonly number[], question: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const add = (from: number, to: number, span: Span | undefined): void => {
    if (to > from) pieces.push({ text: sql.slice(from, to), span });
  };
  const whole = origins.length - (origins.length % 3);
  add(0, whole === 0 ? sql.length : (origins[0] ?? 0), undefined);
  for (let place = 0; place < whole; place += 3) {
    const [offset = 0, start = 0, end = 0] = origins.slice(place, place + 3);
    const span = { start, end };
    add(offset, origins[place + 3] ?? sql.length, isPart(span, question) ? span : undefined);
  }
  return pieces;
}

/** The question in pieces: each has the shortest span of the source's SQL that it lies in. */
export function questionPieces(question: string, pieces: readonly Piece[]): readonly Piece[] {
  const spans = [
    ...new Map(pieces.flatMap(({ span }) => (span ? [[`${span.start} ${span.end}`, span] as const] : []))).values(),
  ];
  const bySize = spans.toSorted((a, b) => a.end - a.start - (b.end - b.start));
  const borders = [...new Set([0, question.length, ...spans.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  );
  return borders.slice(0, -1).map((start, place) => {
    const end = borders[place + 1] ?? question.length;
    return { text: question.slice(start, end), span: bySize.find((span) => span.start <= start && end <= span.end) };
  });
}

export const isSame = (a: Span | undefined, b: Span | undefined): boolean =>
  a !== undefined && b !== undefined && a.start === b.start && a.end === b.end;

export const isWithin = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;
