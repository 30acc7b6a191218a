/** The answer of an API that says everything in JSON. */
import { ConnectorFailure } from "../failure.ts";

/** An object. Fails as `otherwise` says for anything else, and with what reading the body fails with. */
export async function jsonAnswer(
  response: Response,
  otherwise: (cause?: unknown) => ConnectorFailure,
): Promise<object> {
  let json: unknown;
  try {
    json = JSON.parse(await response.text());
  } catch (cause) {
    if (cause instanceof ConnectorFailure) throw cause;
    throw otherwise(cause);
  }
  if (typeof json !== "object" || json === null) throw otherwise();
  return json;
}
