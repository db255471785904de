import type { Target } from './target-policy.ts';

/** One POST. It is sent once, without redirects or retries. */
export interface OutgoingRequest {
  readonly target: Target;
  /**
   * The headers in the order in which they are sent; no two names differ only in case. The sender adds `Host`, `Content-Length` and
   * `Connection`.
   */
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** The deadline for everything together: DNS lookup, connection, TLS, headers and body of the response. */
  readonly timeoutMillis: number;
  /** Connections are reused within one group only: a tenant and its configuration. */
  readonly connectionGroup: string;
}

export type Header = readonly [name: string, value: string];

/** The longest header value that is sent; many servers accept no more than this for all headers together. */
export const HEADER_CHARACTERS_MAX = 8 * 1024;

export type SendResult = Answered | NotAnswered;

/** The endpoint has sent a complete response, up to the stored length. */
export interface Answered {
  readonly kind: 'answered';
  readonly statusCode: number;
  readonly body: ReceivedBody;
  readonly timings: Timings;
}

/** The endpoint has sent no response in time, or only a part of one. */
export interface NotAnswered {
  readonly kind: 'not-answered';
  readonly failure: SendFailure;
  /** The status code, if the headers of a response were received. */
  readonly statusCode?: number;
  readonly body?: ReceivedBody;
  readonly timings: Timings;
}

export interface ReceivedBody {
  /** The bytes as received, up to `RESPONSE_BYTES_MAX`. */
  readonly bytes: Uint8Array;
  /** True if the body is longer than the bytes, or its end was not received. */
  readonly isTruncated: boolean;
}

export const RESPONSE_BYTES_MAX = 16 * 1024;

/** The public code of a failure. The delivery log shows it, so it reveals nothing about a private network. */
export type SendFailure =
  | 'blocked_target'
  | 'invalid_request'
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'connection_closed'
  | 'invalid_response'
  | 'timeout';

/**
 * The milliseconds of each completed phase. A reused connection has neither connect nor TLS, an address no DNS lookup.
 */
export interface Timings {
  readonly dnsMillis?: number;
  readonly connectMillis?: number;
  readonly tlsMillis?: number;
  /** The time from sending the request to the headers of the response. */
  readonly firstByteMillis?: number;
  readonly totalMillis: number;
}

/** Sends a request. It never rejects: every failure is a result. */
export type Send = (request: OutgoingRequest) => Promise<SendResult>;
