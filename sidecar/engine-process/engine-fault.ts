/** A fault of ours in an engine's process: `message` says where it was thrown, for the sidecar's log. */
export class EngineFault extends Error {
  override readonly name = "EngineFault";
}
