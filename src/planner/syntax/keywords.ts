/**
 * The words of the language in PostgreSQL's four keyword classes (`pg_get_keywords()`, version 18). The class decides
 * where a word may be a name without quotes.
 *
 * Only unreserved words that the grammar itself reads are listed; every other unreserved word is an ordinary name.
 */
import { CLASSES, DIGIT, LETTER } from "./characters.ts";

/** May never be a name, but may follow AS or a dot. */
const RESERVED =
  "all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create \
current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc \
distinct do else end except false fetch for foreign from grant group having in initially intersect into lateral \
leading limit localtime localtimestamp not null offset on only or order placing primary references returning \
select session_user some symmetric system_user table then to trailing true union unique user using variadic when \
where window with";

/** May be the name of a function or a type, not of a column or a table. */
const TYPE_OR_FUNCTION =
  "authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join left \
like natural notnull outer overlaps right similar tablesample verbose";

/** May be the name of a column or a table, not of a function or a type: followed by "(", they belong to the grammar. */
const COLUMN =
  "between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout int \
integer interval json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar \
json_serialize json_table json_value least merge_action national nchar none normalize nullif numeric out overlay \
position precision real row setof smallint substring time timestamp treat trim values varchar xmlattributes \
xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable";

/**
 * Ordinary names with a meaning at one position of the grammar. PostgreSQL does not know the words of the last two
 * lines.
 */
const UNRESERVED =
  "asensitive at by cube current day double escape exclude filter first following groups hour last local \
materialized minute month next no nulls ordinality others over partition preceding range recursive replace \
rollup rows second sets ties unbounded unknown varying within without year zone anti apply asof ignore minus \
pivot positional qualify rename respect safe_cast semi separator signed top try_cast unpivot unsigned";

/** Words that need AS before them when they are a column alias (`AS_LABEL` in PostgreSQL). */
const NEEDS_AS =
  "array as char character create day except fetch filter for from grant group having hour intersect into isnull \
limit minute month notnull offset on order over overlaps precision returning second to union varying where \
window with within without year";

/** The words of a list separated by blanks. */
export type Words<List extends string, Found extends string = never> = List extends `${infer First} ${infer Rest}`
  ? Words<Rest, Found | First>
  : Found | List;

/** Every keyword, in lower case. */
export type Keyword =
  | Words<typeof RESERVED>
  | Words<typeof TYPE_OR_FUNCTION>
  | Words<typeof COLUMN>
  | Words<typeof UNRESERVED>;

export type KeywordClass = "reserved" | "type" | "column" | "unreserved";

export interface KeywordFacts {
  readonly keywordClass: KeywordClass;
  /** True when the word may be a column alias without AS. */
  readonly bareLabel: boolean;
}

const FACTS: ReadonlyMap<string, KeywordFacts> = collectFacts();

function collectFacts(): Map<string, KeywordFacts> {
  const needsAs = new Set(NEEDS_AS.split(" "));
  const facts = new Map<string, KeywordFacts>();
  const add = (words: string, keywordClass: KeywordClass): void => {
    for (const word of words.split(" ")) {
      facts.set(word, { keywordClass, bareLabel: !needsAs.has(word) });
    }
  };
  add(RESERVED, "reserved");
  add(TYPE_OR_FUNCTION, "type");
  add(COLUMN, "column");
  add(UNRESERVED, "unreserved");
  return facts;
}

/** Facts about a lower-case word; `undefined` for an ordinary name. */
export function keywordFacts(word: string): KeywordFacts | undefined {
  return FACTS.get(word);
}

/** True for every keyword, whatever its class. `word` is compared without case. */
export function isKeyword(word: string): boolean {
  return FACTS.has(word.toLowerCase());
}

/** True for words that cannot name a column or a table without quotes. `word` is compared without case. */
export function isReservedAsName(word: string): boolean {
  return isReservedWord(word.toLowerCase());
}

/** The same for a lower-case word. */
export function isReservedWord(word: string): boolean {
  const found = FACTS.get(word)?.keywordClass;
  return found === "reserved" || found === "type";
}

/** `[a-z_][a-z0-9_$]*` in either case. */
function isPlainWord(name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (CLASSES[code] !== LETTER && (i === 0 || (CLASSES[code] !== DIGIT && code !== 0x24))) return false;
  }
  return name !== "";
}

/** True when the lexer reads the unquoted `name` as one word. Names with rare letters are quoted. */
export function isWord(name: string): boolean {
  return isPlainWord(name) || /^[\p{L}_][\p{L}\p{M}\p{N}_$]*$/u.test(name);
}

// The lexer finds keywords by a hash that it computes while it scans the word. It need not slice and lower-case a word
// only to find that it is a column name.
const TABLE_SIZE = 1024;
const TABLE: readonly (Keyword | undefined)[] = fillTable();

function fillTable(): (Keyword | undefined)[] {
  const table = new Array<Keyword | undefined>(TABLE_SIZE).fill(undefined);
  for (const word of FACTS.keys()) {
    let hash = 0;
    for (let i = 0; i < word.length; i++) {
      hash = extendWordHash(hash, word.charCodeAt(i));
    }
    let slot = hash & (TABLE_SIZE - 1);
    while (table[slot] !== undefined) {
      slot = (slot + 1) & (TABLE_SIZE - 1);
    }
    table[slot] = word as Keyword;
  }
  return table;
}

/** The hash of a word with one more letter; without case for ASCII letters. */
export function extendWordHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + (code | 0x20)) | 0;
}

/** The keyword that `text[start, end)` spells without case, given the word's hash. */
export function keywordAt(text: string, start: number, end: number, hash: number): Keyword | undefined {
  let slot = hash & (TABLE_SIZE - 1);
  for (;;) {
    const word = TABLE[slot];
    if (word === undefined) {
      return undefined;
    }
    if (word.length === end - start && spells(text, start, word)) {
      return word;
    }
    slot = (slot + 1) & (TABLE_SIZE - 1);
  }
}

function spells(text: string, start: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = text.charCodeAt(start + i);
    const lower = code >= 65 && code <= 90 ? code + 32 : code;
    if (lower !== word.charCodeAt(i)) {
      return false;
    }
  }
  return true;
}
