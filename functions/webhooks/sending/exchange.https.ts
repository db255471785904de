import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { failureOf } from './failure.ts';
import {
  type Answered,
  type NotAnswered,
  type OutgoingRequest,
  RESPONSE_BYTES_MAX,
  type ReceivedBody,
  type SendFailure,
} from './sending.ts';

/** The result of an exchange, without the timings of the earlier phases. */
export type Exchanged = (Omit<Answered, 'timings'> | Omit<NotAnswered, 'timings'>) & {
  readonly firstByteMillis?: number;
};

/**
 * Called when the connection can carry another request; `idleMillisMax` is how long the endpoint will leave it open.
 */
export type OnFree = (idleMillisMax: number | undefined) => void;

const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;
/** A response with this status is invalid, because no request asks for an upgrade. */
const SWITCHING_PROTOCOLS = 101;

/** Sends one request on a connection and reads the answer. The connection is closed, unless `onFree` is called. */
export function exchange(
  outgoing: OutgoingRequest,
  { socket, signal, onFree }: { socket: TLSSocket; signal: AbortSignal; onFree: OnFree },
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const start = performance.now();
    const received = new Received();
    let answer: { readonly statusCode: number; readonly firstByteMillis: number } | undefined;
    const answered = (whole: boolean) => {
      if (answer) resolve({ kind: 'answered', ...answer, body: received.body(whole) });
    };
    // May be called again after the end, without effect.
    const fail = (failure: SendFailure) => {
      // The stored part of the response is complete, so a later failure does not count.
      if (received.isFull) answered(false);
      else resolve({ kind: 'not-answered', failure, ...(answer && { ...answer, body: received.body(false) }) });
      socket.destroy();
    };
    const onHead = ({ statusCode = 0 }: IncomingMessage) => {
      answer = { statusCode, firstByteMillis: performance.now() - start };
    };

    const onAbort = () => fail('timeout');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) return fail('timeout');
    try {
      const post = postOn(socket, outgoing);
      let isFree = false;
      post.on('response', (response) => {
        onHead(response);
        if (response.statusCode === SWITCHING_PROTOCOLS) return fail('invalid_response');
        response.on('data', (chunk: Buffer) => {
          received.add(chunk);
          if (received.hasMore) fail('invalid_response');
        });
        response.on('end', () => {
          answered(true);
          signal.removeEventListener('abort', onAbort);
          isFree = post.writableFinished && post.shouldKeepAlive;
          if (!isFree) socket.destroy();
        });
        response.on('error', (error) => fail(failureOf(error, 'exchange')));
        post.on('close', () => isFree && onFree(idleMillisOf(response)));
      });
      // Without this listener, an answer 101 that names a protocol would end silently.
      post.on('upgrade', (response) => {
        onHead(response);
        fail('invalid_response');
      });
      post.on('error', (error) => fail(failureOf(error, 'exchange')));
      post.on('close', () => isFree || fail('connection_closed'));
      post.end(outgoing.body);
    } catch (error) {
      fail(failureOf(error, 'exchange'));
    }
  });
}

const postOn = (socket: TLSSocket, { target, headers, body }: OutgoingRequest): ClientRequest =>
  httpsRequest({
    method: 'POST',
    path: target.path,
    headers: Object.fromEntries([
      ['Host', target.authority],
      ...headers,
      ['Content-Length', String(body.length)],
      ['Connection', 'keep-alive'],
    ]),
    createConnection: () => socket,
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
  });

/** The time of `Keep-Alive: timeout=5`, less a second for network latency. */
function idleMillisOf({ headers }: IncomingMessage): number | undefined {
  const [, seconds] = /timeout=(\d+)/i.exec(String(headers['keep-alive'])) ?? [];
  return seconds === undefined ? undefined : (Number(seconds) - 1) * 1_000;
}

/** Collects the first bytes of a response body. */
class Received {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  add(chunk: Buffer): void {
    const room = RESPONSE_BYTES_MAX - this.#length;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#length += chunk.length;
  }

  get isFull(): boolean {
    return this.#length >= RESPONSE_BYTES_MAX;
  }

  get hasMore(): boolean {
    return this.#length > RESPONSE_BYTES_MAX;
  }

  body(whole: boolean): ReceivedBody {
    return { bytes: Buffer.concat(this.#chunks), isTruncated: !whole };
  }
}
