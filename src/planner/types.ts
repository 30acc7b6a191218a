/** The types of the input language, as far as a rewrite needs them. */

export type SqlType =
  | { readonly kind: "boolean" }
  | { readonly kind: "integer"; readonly bits: 8 | 16 | 32 | 64 }
  /** Without precision: any number of digits, as PostgreSQL's bare `numeric`. */
  | { readonly kind: "decimal"; readonly precision?: number; readonly scale?: number }
  | { readonly kind: "float"; readonly bits: 32 | 64 }
  | { readonly kind: "text" }
  | { readonly kind: "date" }
  | { readonly kind: "time"; readonly zoned: boolean }
  | { readonly kind: "timestamp"; readonly zoned: boolean }
  | { readonly kind: "interval" }
  | { readonly kind: "binary" }
  | { readonly kind: "uuid" }
  | { readonly kind: "json" }
  | { readonly kind: "array"; readonly element: SqlType }
  | { readonly kind: "row"; readonly fields: readonly RowField[] }
  /** The type of NULL and of nothing else: it takes the type its context asks for. */
  | { readonly kind: "null" }
  /** A type we know nothing about; never the reason for a planning error by itself. */
  | { readonly kind: "opaque"; readonly name: string };

export interface RowField {
  readonly name: string | undefined;
  readonly type: SqlType;
}
