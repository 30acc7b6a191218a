/** The host's theme, which may differ from that of the system: the colours of the style sheet for it, set on the root. */

const DARK = "(prefers-color-scheme: dark)";

export function applyTheme(theme: unknown): void {
  if (theme !== "dark" && theme !== "light") return;
  const { style } = document.documentElement;
  style.setProperty("color-scheme", theme);
  for (const { selectorText, style: colours } of rootRules(theme === "dark")) {
    if (selectorText !== ":root") continue;
    for (const name of colours) if (name.startsWith("--")) style.setProperty(name, colours.getPropertyValue(name));
  }
}

/** The colours of the light theme, and after them those that the dark theme replaces. */
function rootRules(isDark: boolean): readonly CSSStyleRule[] {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const dark = rules.flatMap((rule) =>
    rule instanceof CSSMediaRule && rule.media.mediaText === DARK ? [...rule.cssRules] : [],
  );
  return [...rules, ...(isDark ? dark : [])].filter((rule) => rule instanceof CSSStyleRule);
}
