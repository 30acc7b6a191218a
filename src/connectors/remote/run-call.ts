/** Runs one call on a connector of this process, and returns the answer to write as frames. */
import type { FrameAnswer } from "../../result/encode/frames/writer.ts";
import type { CallOptions, Connector } from "../connector.ts";
import type { ConnectorCall } from "./protocol.ts";

export async function runCall(call: ConnectorCall, connector: Connector, options: CallOptions): Promise<FrameAnswer> {
  switch (call.name) {
    case "query":
      return { kind: "result", stream: await connector.query(call.statement, options) };
    case "dry-run": {
      const { bytes, warnings } = await connector.dryRun(call.statement, options);
      const report = { ...(bytes !== undefined && { bytes: String(bytes) }), ...(warnings && { warnings }) };
      return { kind: "report", report };
    }
    case "catalog":
      return { kind: "report", report: await connector.catalog(call.request, options) };
    default:
      return call satisfies never;
  }
}
