/** The question beside the SQL for the source: a part that is pointed at, or reached by arrow keys, lights up on both sides. */
import { useMemo, useState } from "preact/hooks";
import { isSame, isWithin, type Piece, questionPieces, type Span, sourcePieces } from "./plan-spans.ts";
import { announcement, explained, project, refusal } from "./state.ts";

export function PlanPanel() {
  const { dialectSql, origins = [], sql = "" } = explained.value ?? {};
  if (refusal.value !== undefined) return <p class="note">{refusal.value.message}</p>;
  if (dialectSql === undefined) return <p class="note">The project does not show the SQL for its source.</p>;
  return (
    <Spans question={sql} source={dialectSql} origins={origins} name={project.value?.dataSource ?? "the source"} />
  );
}

interface SpansProps {
  readonly question: string;
  readonly source: string;
  readonly origins: readonly number[];
  readonly name: string;
}

function Spans({ question, source, origins, name }: SpansProps) {
  const [lit, light] = useState<Span>();
  const right = useMemo(() => sourcePieces(source, origins, question), [source, origins, question]);
  const left = useMemo(() => questionPieces(question, right), [question, right]);
  const choose = (span: Span | undefined): void => {
    light(span);
    if (span === undefined) return;
    const made = right.flatMap((piece) => (isSame(piece.span, span) ? [piece.text.trim()] : [])).filter(Boolean);
    announcement.value = `${question.slice(span.start, span.end)} becomes ${made.join(" … ")}`;
  };
  let at = 0;
  const places = left.map(({ text }) => {
    at += text.length;
    return { start: at - text.length, end: at };
  });
  return (
    <div class="compared">
      <div>
        <h3>Question</h3>
        <Pieces
          label="Question, by its parts"
          pieces={left}
          isLit={(_, place) => lit !== undefined && isWithin(places[place] ?? { start: -1, end: -1 }, lit)}
          lit={lit}
          light={light}
          choose={choose}
        />
      </div>
      <div>
        <h3>SQL for {name}</h3>
        <Pieces
          label="SQL for the source, by its parts"
          pieces={right}
          isLit={({ span }) => isSame(span, lit)}
          lit={lit}
          light={light}
          choose={choose}
        />
      </div>
    </div>
  );
}

interface PiecesProps {
  readonly label: string;
  readonly pieces: readonly Piece[];
  readonly isLit: (piece: Piece, place: number) => boolean;
  readonly lit: Span | undefined;
  readonly light: (span: Span | undefined) => void;
  readonly choose: (span: Span | undefined) => void;
}

function Pieces({ label, pieces, isLit, lit, light, choose }: PiecesProps) {
  const step = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const spans = pieces.flatMap(({ span }) => span ?? []);
    const place = spans.findIndex((span) => isSame(span, lit));
    choose(spans[place < 0 ? 0 : (place + by + spans.length) % spans.length]);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go through the parts.
    <section tabIndex={0} aria-label={`${label}; arrow keys go through them`} class="pieces" onKeyDown={step}>
      <pre onPointerLeave={() => light(undefined)}>
        {pieces.map((piece, place) => (
          <span key={place} class={isLit(piece, place) ? "lit" : undefined} onPointerEnter={() => light(piece.span)}>
            {piece.text}
          </span>
        ))}
      </pre>
    </section>
  );
}
