import type { Target } from './target.ts';

/** One POST. It goes out once, whatever happens: no redirect, no second try. */
export interface OutgoingRequest {
  readonly target: Target;
  /**
   * In the order in which they are sent; no two names differ only in case. The sender adds `Host`, `Content-Length` and
   * `Connection`.
   */
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** For everything together: look-up, connection, TLS, headers and body of the response. */
  readonly timeoutMillis: number;
  /** Connections are kept and shared within one group only: a tenant and its configuration. */
  readonly connectionGroup: string;
}

export type Header = readonly [name: string, value: string];

/** A longer value is not sent; many servers take no more than this for all headers together. */
export const HEADER_CHARACTERS_MAX = 8 * 1024;

export type SendResult = Answered | NotAnswered;

/** The endpoint answered in full, as far as we keep answers. */
export interface Answered {
  readonly kind: 'answered';
  readonly statusCode: number;
  readonly body: ReceivedBody;
  readonly timings: Timings;
}

/** No answer in time, or only a part of one. */
export interface NotAnswered {
  readonly kind: 'not-answered';
  readonly failure: SendFailure;
  /** When the headers of an answer came. */
  readonly statusCode?: number;
  readonly body?: ReceivedBody;
  readonly timings: Timings;
}

export interface ReceivedBody {
  /** As received, up to `RESPONSE_BYTES_MAX`. */
  readonly bytes: Uint8Array;
  /** The bytes are incomplete: more came, or the end did not. */
  readonly isTruncated: boolean;
}

export const RESPONSE_BYTES_MAX = 16 * 1024;

/** What went wrong. Public: the delivery log shows it, and it reveals nothing about the inside of a network. */
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

/** Milliseconds of each phase that was completed. A kept connection has neither connect nor TLS, an address no look-up. */
export interface Timings {
  readonly dnsMillis?: number;
  readonly connectMillis?: number;
  readonly tlsMillis?: number;
  /** From the request being handed to the connection to the headers of the answer. */
  readonly firstByteMillis?: number;
  readonly totalMillis: number;
}

/** Never rejects: whatever happens to a request is a result. */
export type Send = (request: OutgoingRequest) => Promise<SendResult>;
