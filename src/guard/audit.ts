/**
 * Records which caller queried which models under which rules (setting `AUDIT`): one line per request that plans a statement. A
 * line contains names and a digest of the text, and never a value of the SQL, of a rule, of a session property or of a row.
 */

/** The part of a plan that the audit records. */
export interface PlannedReads {
  readonly reads: readonly { readonly model: string; readonly columns: readonly string[] }[];
  readonly rules: readonly { readonly model: string; readonly rule: string; readonly effect: string }[];
  /** The guarantee of the statement for rows that row rules exclude: the header `x-row-rules`. */
  readonly rowRules: string;
}

export interface AuditRecord {
  readonly statements: readonly StatementRecord[];
  /** Names of the session properties that were set. */
  readonly properties: readonly string[];
  /** Names of the session properties that the caller viewed the project with, in the place of its own. */
  readonly viewAs?: readonly string[];
}

interface StatementRecord extends Omit<PlannedReads, "rowRules"> {
  /** Absent if the statement was not planned. */
  readonly rowRules?: string;
  /** SHA-256 of the caller's text, for comparison with a known text. */
  readonly sha256: string;
}

interface StatementPlanned {
  readonly text: string;
  planned: PlannedReads | undefined;
}

/** Limits for a line: callers choose the number and length of names. */
const MOST = 100;
const LONGEST = 200;

export class AuditTrail {
  readonly #statements: StatementPlanned[] = [];
  #properties: readonly string[] = [];
  #viewAs: readonly string[] | undefined;

  /**
   * `text` is the caller's. A statement that is never planned is recorded without reads. A statement that is planned again for a
   * specific server counts once.
   */
  asks(text: string, properties: Iterable<string>): (planned: PlannedReads) => void {
    const last = this.#statements.at(-1);
    const isRepeated = last !== undefined && last.text === text && last.planned === undefined;
    const statement: StatementPlanned = isRepeated ? last : { text, planned: undefined };
    if (!isRepeated && this.#statements.length < MOST) this.#statements.push(statement);
    this.#properties = [...properties].slice(0, MOST).map((name) => name.slice(0, LONGEST));
    return (planned) => {
      statement.planned = planned;
    };
  }

  /** The request is answered for another session than the caller's. */
  views(properties: readonly string[]): void {
    this.#viewAs = properties.slice(0, MOST).map((name) => name.slice(0, LONGEST));
  }

  /** Undefined if no statement was planned. */
  async record(): Promise<AuditRecord | undefined> {
    if (this.#statements.length === 0 && this.#viewAs === undefined) return undefined;
    const statements = await Promise.all(
      this.#statements.map(async ({ text, planned }) => ({
        sha256: await digestOf(text),
        reads: (planned?.reads ?? []).slice(0, MOST).map(({ model, columns }) => ({ model, columns })),
        rules: (planned?.rules ?? []).slice(0, MOST).map(({ model, rule, effect }) => ({ model, rule, effect })),
        ...(planned !== undefined && { rowRules: planned.rowRules }),
      })),
    );
    return { statements, properties: this.#properties, ...(this.#viewAs !== undefined && { viewAs: this.#viewAs }) };
  }
}

async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
