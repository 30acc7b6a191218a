/** Sentences for the guarantees of row rules, by the value of the header `x-row-rules`. */
export const GUARANTEES: Readonly<Record<string, string>> = {
  none: "no row rule applies",
  plain: "kept: nothing in the statement can raise",
  fenced: "kept by a fence that attacks have tried",
  besteffort: "kept as well as the source can",
};
