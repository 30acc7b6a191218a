/**
 * Errors of DuckDB's readers of CSV and JSON. DuckDB's own texts recommend options of `read_csv` that a caller cannot set, and print
 * the settings of the reader. These texts name the file, the line and the column.
 */
export interface TextFileError {
  readonly message: string;
  readonly hint: string;
}

/** Longer values of a file are cut off. */
const MOST_LETTERS = 100;

/** Undefined for other errors. `message`: without paths of this machine. */
export function textFileError(message: string): TextFileError | undefined {
  return csvError(message) ?? encodingError(message) ?? jsonError(message);
}

const DECLARE =
  "Correct the value, or declare the column's type in the manifest as the file has it (VARCHAR takes any text).";

function csvError(message: string): TextFileError | undefined {
  const [, line] = /^CSV Error on Line: (\d+)\n/.exec(message) ?? [];
  const [, file] = /\n {2}file = ([^\n]*)\n/.exec(message) ?? [];
  if (line === undefined || file === undefined) return undefined;
  const place = `Line ${line} of "${file}"`;
  const converting = between(message, '\nError when converting column "', '". ');
  if (converting !== undefined) {
    const value = between(message, '. Could not convert string "', "\" to '");
    const type = between(message, "\" to '", "'\n");
    if (value === undefined || type === undefined) {
      return { message: `${place}: a value of the column "${converting}" has another type.`, hint: DECLARE };
    }
    return { message: `${place}: "${cut(value)}" in the column "${converting}" is no ${type}.`, hint: DECLARE };
  }
  const [, expected, found] = /\nExpected Number of Columns: (\d+) Found: (\d+)\n/.exec(message) ?? [];
  if (expected !== undefined) {
    return {
      message: `${place} has ${found} values, and the first line of the file names ${expected} columns.`,
      hint: "Add or remove values in that line, or put a value that holds the separator in double quotes. The options delimiter, quote and escape describe other files.",
    };
  }
  if (message.includes("\nValue with unterminated quote found.")) {
    return {
      message: `${place}: a double quote has no end.`,
      hint: "Close the quotes, and write a double quote within quotes twice.",
    };
  }
  if (message.includes("file is not utf-8 encoded")) {
    return {
      message: `${place} is not UTF-8.`,
      hint: "Convert the file to UTF-8, or set encoding (latin-1, utf-16) in csv of the connection or in properties.csv of the model.",
    };
  }
  return undefined;
}

/** DuckDB does not name the file. */
function encodingError(message: string): TextFileError | undefined {
  const [, encoding] = /^File is not (latin-1|utf-16) encoded/.exec(message) ?? [];
  if (encoding === undefined) return undefined;
  const lacks =
    encoding === "latin-1"
      ? "Latin-1 lacks some characters of Windows-1252: €, typographic quotes and dashes."
      : "Characters beyond U+FFFF are not supported in UTF-16.";
  return {
    message: `A CSV file has bytes that the option encoding (${encoding}) does not allow.`,
    hint: `${lacks} Convert the file to UTF-8.`,
  };
}

function jsonError(message: string): TextFileError | undefined {
  const [head = ""] = message.split("\n", 1);
  const [, file, place, number, what] =
    /^JSON transform error in file "([^"]*)", in (record\/value|line) (\d+): (.*)$/.exec(head) ?? [];
  if (file === undefined || what === undefined) return undefined;
  const where = place === "line" ? "Line" : "Record";
  return { message: `${where} ${number} of "${file}" has a value of another type: ${cut(what)}.`, hint: DECLARE };
}

function between(text: string, before: string, behind: string): string | undefined {
  const start = text.indexOf(before);
  if (start < 0) return undefined;
  const end = text.indexOf(behind, start + before.length);
  return end < 0 ? undefined : text.slice(start + before.length, end);
}

function cut(value: string): string {
  return value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)}…` : value;
}
