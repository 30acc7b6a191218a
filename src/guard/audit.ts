/**
 * Who asked which models, with which rules (setting `AUDIT`): one line per request that plans something. Names and a digest
 * of the text, and never a value: not of the SQL, of a rule, of a session property, or of a row.
 */

/** What of a plan an auditor wants to know. */
export interface PlannedReads {
  readonly reads: readonly { readonly model: string; readonly columns: readonly string[] }[];
  readonly rules: readonly { readonly model: string; readonly rule: string; readonly effect: string }[];
}

export interface AuditRecord {
  readonly statements: readonly StatementRecord[];
  /** Names of the session properties that were set. */
  readonly properties: readonly string[];
}

interface StatementRecord extends PlannedReads {
  /** SHA-256 of the caller's text, to be compared with that of a known one. */
  readonly sha256: string;
}

interface StatementPlanned {
  readonly text: string;
  planned: PlannedReads | undefined;
}

/** Names that callers choose are as long and as many as they like; a line is not. */
const MOST = 100;
const LONGEST = 200;

export class AuditTrail {
  readonly #statements: StatementPlanned[] = [];
  #properties: readonly string[] = [];

  /**
   * `text` is the caller's. What is not planned in the end is recorded without reads; what is planned again, for the server
   * that it is for, is one statement.
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

  /** Undefined where nothing was planned. */
  async record(): Promise<AuditRecord | undefined> {
    if (this.#statements.length === 0) return undefined;
    const statements = await Promise.all(
      this.#statements.map(async ({ text, planned }) => ({
        sha256: await digestOf(text),
        reads: (planned?.reads ?? []).slice(0, MOST).map(({ model, columns }) => ({ model, columns })),
        rules: (planned?.rules ?? []).slice(0, MOST).map(({ model, rule, effect }) => ({ model, rule, effect })),
      })),
    );
    return { statements, properties: this.#properties };
  }
}

async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
