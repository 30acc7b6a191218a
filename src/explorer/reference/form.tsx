/** The fields of a request, with their types and descriptions, and what is wrong with each. */
import { type Choice, type Field, type FieldKind, isChoice, type Member } from "./fields.ts";
import { type FormState, fieldsOfChoice } from "./request.ts";

interface Writing {
  readonly form: FormState;
  readonly problems: Readonly<Record<string, string>>;
  readonly write: (key: string, text: string) => void;
  readonly chooseForm: (name: string, index: number) => void;
}

export interface FormProps extends Writing {
  readonly parameters: readonly Field[];
  readonly members: readonly (Field | Choice)[];
}

export function Form({ parameters, members, ...writing }: FormProps) {
  const isMain = (field: Field | Choice): boolean => field.isRequired || !isEmpty(field, writing.form);
  const inPath = parameters.filter((field) => field.in === "path");
  const others = parameters.filter((field) => field.in !== "path");
  const main = members.filter((member) => isChoice(member) || isMain(member) || member.name === "parameters");
  const rest = members.filter((member) => !main.includes(member));
  return (
    <>
      <Fields title="Path" fields={inPath} {...writing} />
      <Fields title="Body" fields={main} {...writing} />
      <Folded title="More of the body" fields={rest} {...writing} />
      <Folded title="Query and headers" fields={others} {...writing} />
    </>
  );
}

function isEmpty(field: Field | Choice, { texts }: FormState): boolean {
  if (isChoice(field)) return false;
  return (texts[field.key] ?? "") === "";
}

function Fields({
  title,
  fields,
  ...writing
}: { readonly title: string; readonly fields: FormProps["members"] } & Writing) {
  if (fields.length === 0) return null;
  return (
    <fieldset>
      <legend>{title}</legend>
      {fields.map((field) =>
        isChoice(field) ? (
          <ChoiceInput key={field.name} choice={field} {...writing} />
        ) : (
          <FieldInput key={field.key} field={field} {...writing} />
        ),
      )}
    </fieldset>
  );
}

function Folded({
  title,
  fields,
  ...writing
}: { readonly title: string; readonly fields: FormProps["members"] } & Writing) {
  if (fields.length === 0) return null;
  const isWrong = fields.some((field) => !isChoice(field) && writing.problems[field.key] !== undefined);
  return (
    <details {...(isWrong && { open: true })}>
      <summary>
        {title} ({fields.length})
      </summary>
      <Fields title={title} fields={fields} {...writing} />
    </details>
  );
}

function ChoiceInput({ choice, ...writing }: { readonly choice: Choice } & Writing) {
  const { name, description, forms, isRequired } = choice;
  const { form, chooseForm } = writing;
  return (
    <fieldset class="nested">
      <legend>
        {name} <small>{isRequired ? "object, required" : "object"}</small>
      </legend>
      {description !== "" && <p class="description">{description}</p>}
      {forms.length > 1 && (
        <div class="field">
          <label class="name" for={`${name} form`}>
            Form
          </label>
          <select
            id={`${name} form`}
            value={String(form.chosen[name] ?? 0)}
            onChange={(event) => chooseForm(name, Number(event.currentTarget.value))}
          >
            {forms.map(({ title }, index) => (
              <option key={title} value={String(index)}>
                {title}
              </option>
            ))}
          </select>
        </div>
      )}
      {fieldsOfChoice(choice, form).map((field) => (
        <FieldInput key={field.key} field={field} {...writing} />
      ))}
    </fieldset>
  );
}

const TYPES: Readonly<Record<FieldKind["kind"], string>> = {
  line: "text",
  lines: "text",
  secret: "text",
  number: "number",
  flag: "true or false",
  choice: "choice",
  manifest: "JSON, sent as base64",
  headers: "lines of name: value",
  json: "JSON",
};

function FieldInput({ field, form, problems, write }: { readonly field: Field } & Writing) {
  const { key, name, kind, isRequired, description, standard } = field;
  const problem = problems[key];
  const aboutId = `${key} about`;
  const problemId = `${key} problem`;
  return (
    <div class="field">
      <label class="name" for={key}>
        {name}{" "}
        <small>
          {kind.kind === "number" && kind.whole ? "whole number" : TYPES[kind.kind]}
          {isRequired && ", required"}
          {field.in === "header" && ", header"}
          {field.in === "query" && ", query"}
        </small>
      </label>
      <Input
        kind={kind}
        text={form.texts[key] ?? ""}
        write={(text) => write(key, text)}
        {...(standard !== undefined && { standard })}
        more={{
          id: key,
          "aria-required": isRequired,
          "aria-invalid": problem !== undefined,
          "aria-describedby": problem === undefined ? aboutId : `${problemId} ${aboutId}`,
        }}
      />
      {problem !== undefined && (
        <p class="problem" id={problemId}>
          {problem}
        </p>
      )}
      <div class="description" id={aboutId}>
        {description}
        {standard !== undefined && <> Default: {standard}.</>}
      </div>
      {kind.kind === "json" && kind.members.length > 0 && <Members members={kind.members} />}
    </div>
  );
}

interface InputProps {
  readonly kind: FieldKind;
  readonly text: string;
  readonly write: (text: string) => void;
  readonly standard?: string;
  readonly more: Readonly<Record<string, string | boolean>>;
}

const MOST_LINES = 18;

function Input({ kind, text, write, standard, more }: InputProps) {
  const plain = { spellcheck: false, autocomplete: "off" } as const;
  switch (kind.kind) {
    case "flag":
    case "choice": {
      const options = kind.kind === "flag" ? ["true", "false"] : kind.options;
      return (
        <select {...more} value={text} onChange={(event) => write(event.currentTarget.value)}>
          <option value="">{standard === undefined ? "not given" : `not given (${standard})`}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      );
    }
    case "lines":
    case "manifest":
    case "headers":
    case "json":
      return (
        <textarea
          {...more}
          {...plain}
          rows={Math.min(MOST_LINES, Math.max(kind.kind === "headers" ? 1 : 3, text.split("\n").length))}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      );
    case "secret":
      return (
        <input
          {...more}
          {...plain}
          type="password"
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      );
    case "line":
    case "number":
      return (
        <input
          {...more}
          {...plain}
          {...(kind.kind === "number" && { inputMode: "numeric" as const })}
          {...(standard !== undefined && { placeholder: standard })}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      );
    default:
      return kind satisfies never;
  }
}

function Members({ members }: { readonly members: readonly Member[] }) {
  return (
    <details class="members">
      <summary>Members ({members.length})</summary>
      <dl>
        {members.map(({ name, type, isRequired, description }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>{" "}
              <small>
                {type}
                {isRequired && ", required"}
              </small>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
