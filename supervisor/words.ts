/** Words of workerd without the values of secret settings, which its variables hold. */

const SECRET = /SECRET|CONNECTIONS|KEY|TOKEN|PASSWORD|CREDENTIAL|_URL$/;

/** Shorter values are not treated as secrets: they occur in ordinary words. */
const SHORTEST = 8;

export function withoutSecrets(line: string, environment: Readonly<Record<string, string | undefined>>): string {
  let shown = line;
  for (const [name, value = ""] of Object.entries(environment)) {
    if (value.length >= SHORTEST && SECRET.test(name)) shown = shown.replaceAll(value, "***");
  }
  return shown;
}
