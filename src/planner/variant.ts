/** Servers of one source that differ in what they support. */

/** A server's product and version: MariaDB 10.11.19 is `{ product: "mariadb", version: [10, 11, 19] }`. */
export interface Variant {
  readonly product: string;
  readonly version: readonly number[];
}

/** Servers of a source that understand more than all of its servers do: of one product, `below` excluded. */
export interface VariantRange {
  readonly product: string;
  readonly from: readonly number[];
  readonly below?: readonly number[];
}
