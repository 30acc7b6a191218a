/** A client for loopback: requests over connections that are kept, a bounded load, and a reader that takes its time. */
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type Distribution, distribution } from "../notebook/figures.ts";

export interface Call {
  readonly url: string;
  /** Sent by POST as JSON; GET without. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Resolves with the head of the answer; fails unless its status is 200, with the text it came with. */
function send({ url, body, headers = {} }: Call, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
        method: body === undefined ? "GET" : "POST",
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      },
      (response) => {
        if (response.statusCode === 200) resolve(response);
        else readAll(response).then(({ text }) => reject(new Error(`${response.statusCode}: ${text}`)), reject);
      },
    );
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<{ readonly text: string; readonly bytes: number }> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  return { text: whole.toString(), bytes: whole.length };
}

/** Milliseconds from sending to the last byte, over a new connection. */
export async function timeOfOne(call: Call): Promise<number> {
  const agent = new Agent();
  const started = performance.now();
  await readAll(await send(call, agent));
  const took = performance.now() - started;
  agent.destroy();
  return took;
}

export interface Load {
  readonly perSecond: number;
  /** Milliseconds from sending to the last byte. */
  readonly latency: Distribution;
  /** Bytes of one answer's body. */
  readonly bytes: number;
  /** All that were answered, those included that do not count. */
  readonly requests: number;
}

export interface LoadOptions {
  readonly concurrency: number;
  readonly milliseconds: number;
  /** Time before, in which nothing is counted. */
  readonly warmUpMs: number;
}

/** `concurrency` callers with one connection each; each sends its next request when it has received the answer. */
export async function load(call: Call, options: LoadOptions): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency });
  const begins = performance.now() + options.warmUpMs;
  const ends = begins + options.milliseconds;
  const latencies: number[] = [];
  let bytes = 0;
  let requests = 0;
  const caller = async (): Promise<void> => {
    for (let started = performance.now(); started < ends; started = performance.now()) {
      const answer = await readAll(await send(call, agent));
      const ended = performance.now();
      requests++;
      if (started < begins || ended > ends) continue;
      latencies.push(ended - started);
      bytes = answer.bytes;
    }
  };
  try {
    await Promise.all(Array.from({ length: options.concurrency }, caller));
  } finally {
    agent.destroy();
  }
  return {
    perSecond: (latencies.length / options.milliseconds) * 1000,
    latency: distribution(latencies),
    bytes,
    requests,
  };
}

export interface Pace {
  readonly bytesPerSecond: number;
  /** Once this share of `expectedBytes` has come, nothing is read for `pauseMs`. */
  readonly pauseAt: number;
  readonly expectedBytes: number;
  readonly pauseMs: number;
}

export interface Reading {
  readonly bytes: number;
  readonly milliseconds: number;
  readonly firstByteMs: number;
  /** The last bytes, which state whether the answer is complete. */
  readonly tail: string;
}

/** Reads an answer to its end, as fast as it comes or at a pace; what is not read stays with the sender. */
export async function read(call: Call, pace?: Pace): Promise<Reading> {
  const agent = new Agent();
  const started = performance.now();
  const response = await send(call, agent);
  let bytes = 0;
  let firstByteMs = 0;
  let paused = 0;
  let tail = "";
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - started;
    bytes += chunk.length;
    tail = (tail + chunk.subarray(-64).toString("latin1")).slice(-64);
    if (pace === undefined) continue;
    if (paused === 0 && bytes >= pace.expectedBytes * pace.pauseAt) {
      paused = pace.pauseMs;
      await setTimeout(paused);
    }
    const ahead = (bytes / pace.bytesPerSecond) * 1000 + paused - (performance.now() - started);
    if (ahead > 1) await setTimeout(ahead);
  }
  agent.destroy();
  return { bytes, milliseconds: performance.now() - started, firstByteMs, tail };
}
