/** A bug in an engine process: `message` includes the stack position, for the sidecar's log. */
export class EngineFault extends Error {
  override readonly name = "EngineFault";
}
