/** The messages between a function's thread or process and the local cloud. Payloads travel as text, as between AWS and Lambda. */

/** An error as Lambda reports it to the caller of the function. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

import type { Breakdown } from './faults.ts';

/** The data that a thread or process needs before it loads the function. */
export interface WorkerSetup {
  /** URL of the module. */
  readonly module: string;
  /** The handler as the template has it: `index.handler` is the export `handler`. */
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMiB: number;
  readonly logGroup: string;
  readonly logStream: string;
  /** `127.0.0.1:4566`: calls that go there are AWS calls. */
  readonly awsHost: string;
  /** The way in which a test makes this copy fail. */
  readonly breakdown?: Breakdown | undefined;
}

/** Dies at a point of its work that a test has chosen: as call number `call` is about to be sent, or has been answered. */
export interface DeathDuringCall {
  readonly call: number;
  readonly moment: 'sending' | 'answered';
}

export interface InvokeMessage {
  readonly requestId: string;
  readonly payload: string;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly deadline: number;
  readonly traceId: string;
  /** The clock of the cloud against the machine's. */
  readonly offsetMillis: number;
  readonly death?: DeathDuringCall | undefined;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'error'; readonly error: FunctionError }
  /** The runtime is broken and ends: an error while loading, or an uncaught one. */
  | { readonly kind: 'fatal'; readonly error: FunctionError }
  | { readonly kind: 'log'; readonly level: string; readonly text: string };

/** The exit code of a function that a test has killed. */
export const KILLED = 137;
