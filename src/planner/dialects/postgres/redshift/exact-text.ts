/**
 * Texts compared letter by letter: Redshift takes blanks at the end of VARCHAR for none
 * (https://docs.aws.amazon.com/redshift/latest/dg/r_Character_types.html), and a database or a column may fold case
 * (https://docs.aws.amazon.com/redshift/latest/dg/r_COLLATE.html).
 */
import { paddedTexts } from "../../../lowering/texts/padded-texts.ts";

/** In the order of bytes. */
export const CODE_POINTS = "case_sensitive";

export const TEXTS = paddedTexts(CODE_POINTS, { special: "", readsBlanks: false });
