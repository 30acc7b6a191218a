/** All texts that a caller sent with a request, for the redactor (`redactorOfOperator`). */

/** All names and values in `values`, at any depth. A base64 manifest is followed by its decoded text. */
export function requestTexts(values: readonly unknown[]): string {
  const found: string[] = [];
  for (const value of values) collect(value, found);
  return found.join("\n");
}

/** The depth of a body's JSON is limited before it arrives here. */
function collect(value: unknown, found: string[]): void {
  if (typeof value === "string") {
    found.push(value);
    const decoded = decodedBase64(value);
    if (decoded !== undefined) found.push(decoded, unescaped(decoded));
  } else if (typeof value === "number" || typeof value === "bigint") {
    found.push(String(value));
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      found.push(name);
      collect(item, found);
    }
  }
}

function decodedBase64(text: string): string | undefined {
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** The texts of a JSON document without its escapes. */
function unescaped(text: string): string {
  try {
    return requestTexts([JSON.parse(text)]);
  } catch {
    return "";
  }
}
