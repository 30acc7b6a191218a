/** Reads the response of a JSON API. */
import { ConnectorFailure } from "../failure.ts";

/** Returns a JSON object. Throws the result of `otherwise` for anything else, and the errors of reading the body. */
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
