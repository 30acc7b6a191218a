/**
 * CodeMirror over the project's model. It lives in a shadow root, where its styles are adopted style sheets: the page's policy allows
 * no style element.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, sql as sqlLanguage } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Failure, Position, Project, Warning } from "./answers.ts";
import { quotedName } from "./quoted-name.ts";

export interface CodeEditor {
  readonly setText: (text: string) => void;
  readonly insert: (text: string) => void;
  readonly setModel: (project: Project | undefined) => void;
  readonly setDiagnostics: (refusal: Failure | undefined, warnings: readonly Warning[]) => void;
}

export interface CodeEditorOptions {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--keyword)" },
  { tag: [tags.string], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.comment], color: "var(--dim)", fontStyle: "italic" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, Menlo, Consolas, monospace", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection) !important" },
});

export function openCodeEditor(host: HTMLElement, { text, onChange, onRun }: CodeEditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const language = new Compartment();
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        closeBrackets(),
        autocompletion(),
        EditorView.lineWrapping,
        keymap.of([
          {
            key: "Mod-Enter",
            run: () => {
              onRun();
              return true;
            },
          },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
        ]),
        language.of(languageOf(undefined)),
        syntaxHighlighting(COLOURS),
        LOOK,
        EditorView.contentAttributes.of({ "aria-label": "SQL", spellcheck: "false", tabindex: "0" }),
        EditorView.domEventHandlers({ beforeinput: replaced }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  const setText = (wanted: string): void => {
    const { doc } = view.state;
    if (doc.toString() === wanted) return;
    view.dispatch({ changes: { from: 0, to: doc.length, insert: wanted } });
  };
  return {
    setText,
    insert(name) {
      view.dispatch(view.state.replaceSelection(name));
      view.focus();
    },
    setModel: (project) => view.dispatch({ effects: language.reconfigure(languageOf(project)) }),
    setDiagnostics(refusal, warnings) {
      const { length } = view.state.doc;
      const errors = refusal?.position === undefined ? [] : [diagnosticOf(refusal.position, "error", refusal, length)];
      const notes = warnings.flatMap((warning) =>
        warning.position === undefined ? [] : [diagnosticOf(warning.position, "warning", warning, length)],
      );
      view.dispatch(setDiagnostics(view.state, [...errors, ...notes]));
    },
  };
}

/**
 * Replaces a selection by typed text. The browser's own way would give the text the style of what it replaces, by an attribute that
 * the page's policy refuses and reports.
 */
function replaced(event: InputEvent, view: EditorView): boolean {
  const { selection } = view.state;
  if (event.inputType !== "insertText" || event.isComposing || event.data === null || selection.main.empty)
    return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

function diagnosticOf(
  position: Position,
  severity: "error" | "warning",
  { message }: { readonly message: string },
  length: number,
): Diagnostic {
  const from = Math.min(Math.max(position.offset - 1, 0), length);
  return { from, to: Math.min(from + position.length, length), severity, message };
}

function languageOf(project: Project | undefined) {
  const objects =
    project === undefined ? [] : [...project.models, ...project.views.map((view) => ({ ...view, columns: [] }))];
  const schema = Object.fromEntries(
    objects.map((object) => [
      object.name,
      object.columns.map(({ name, type, description }) => ({
        label: name,
        apply: quotedName(name),
        detail: type,
        type: "property",
        ...(description !== undefined && { info: description }),
      })),
    ]),
  );
  return sqlLanguage({ dialect: PostgreSQL, schema, upperCaseKeywords: true });
}
