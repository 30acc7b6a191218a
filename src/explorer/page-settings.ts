/** The operator's settings of the page, which the service writes into its head. */

export interface SignInSettings {
  readonly clientId: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

export interface PageSettings {
  /** Setting `EXPLORER_HISTORY`. */
  readonly history: "on" | "off";
  readonly signIn?: SignInSettings;
}

export function pageSettings(): PageSettings {
  const content = document.querySelector('meta[name="siskin"]')?.getAttribute("content");
  return content ? (JSON.parse(content) as PageSettings) : { history: "on" };
}
