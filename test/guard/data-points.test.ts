import { describe, expect, it } from "vitest";
import { type DataPoint, meterIn } from "../../src/guard/data-points.ts";
import type { RequestRecord } from "../../src/guard/request-log.ts";

const RECORD: RequestRecord = {
  method: "POST",
  route: "/v3/connector/:data_source/query",
  dataSource: "postgres",
  caller: "ann",
  status: 200,
  milliseconds: 12,
  phases: { authenticate: 1, body: 2, queue: 3, plan: 4, connect: 5, firstRow: 6, lastRow: 7, cache: 8 },
  correlationId: "c",
  rows: 8,
  bytes: 9,
  cache: "miss",
};

/** A fake of Cloudflare's binding. */
function dataset(fails = false) {
  const points: DataPoint[] = [];
  const writeDataPoint = (point: DataPoint): void => {
    if (fails) throw new Error("full");
    points.push(point);
  };
  return { points, meter: meterIn({ METRICS: { writeDataPoint } }) };
}

describe("data points", () => {
  it("are a request's line, each number in its column", () => {
    const { points, meter } = dataset();
    meter(RECORD);
    meter({
      method: "GET",
      route: "none",
      status: 422,
      milliseconds: 1,
      correlationId: "d",
      errorCode: "INVALID_SQL",
      reason: "SYNTAX",
      ended: "failed",
    });
    expect(points).toEqual([
      {
        indexes: ["ann"],
        blobs: ["POST", "/v3/connector/:data_source/query", "postgres", "complete", "", "", "miss"],
        doubles: [200, 12, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8],
      },
      {
        indexes: [""],
        blobs: ["GET", "none", "", "failed", "INVALID_SQL", "SYNTAX", ""],
        doubles: [422, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      },
    ]);
  });

  it("keep to the platform's limit of an index, at a whole character", () => {
    const { points, meter } = dataset();
    meter({ ...RECORD, caller: `a${"東".repeat(40)}` });
    expect(points[0]?.indexes).toEqual([`a${"東".repeat(31)}`]);
  });

  it("change nothing when they are not taken, or nobody takes them", () => {
    expect(() => dataset(true).meter(RECORD)).not.toThrow();
    for (const METRICS of [undefined, null, "text", {}]) expect(() => meterIn({ METRICS })(RECORD)).not.toThrow();
  });
});
