/** How long a text is in UTF-8, by which Oracle measures names, patterns and texts. */
export const bytesOf = (text: string): number => encodeURIComponent(text).replace(/%../g, "x").length;
