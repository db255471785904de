import type * as z from 'zod/mini';

export type Query = Readonly<Record<string, string | undefined>>;

/** The management API, called with one person's token. Every call throws a `ManagementFailure` unless it succeeds. */
export interface Management {
  readonly get: <T>(path: string, answer: z.ZodMiniType<T>, query?: Query) => Promise<T>;
  /** Sends a change. It is not retried, because a lost response does not tell whether the change was made. */
  readonly send: <T>(call: ManagementCall, answer: z.ZodMiniType<T>) => Promise<T>;
  /** Puts bytes to a link that the API has answered. The link is the only credential. */
  readonly put: (url: string, bytes: Uint8Array) => Promise<void>;
}

export interface ManagementCall {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
}

/** A refusal of the management API with its text, or a failure to reach it. */
export class ManagementFailure extends Error {
  /** The status of the API; 502 or 504 if it sent no valid response. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** The faults of a body or query, each with its position. */
  readonly errors: readonly FieldError[];

  constructor({ status, code, detail, requestId, errors = [] }: FailureFacts, options: ErrorOptions = {}) {
    super(`${status} ${code}`, options);
    this.name = 'ManagementFailure';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
    this.errors = errors;
  }
}

interface FailureFacts {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
}

interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/** The result of a call that may fail without failing the page, for example for a panel beside the main content. */
export type Settled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ManagementFailure };

/** Returns whether nothing can be shown: the person is no longer signed in, or the own account is suspended. */
const failsPage = ({ status, code }: ManagementFailure): boolean =>
  status === 401 || (status === 403 && code === 'account-suspended');

export async function settled<T>(call: Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, value: await call };
  } catch (failure) {
    if (failure instanceof ManagementFailure && !failsPage(failure)) return { ok: false, failure };
    throw failure;
  }
}
