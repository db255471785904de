import type * as z from 'zod/mini';

export type Query = Readonly<Record<string, string | undefined>>;

/** The management API with one person's token. Every call throws a `ManagementFailure` unless it succeeds. */
export interface Management {
  readonly get: <T>(path: string, answer: z.ZodMiniType<T>, query?: Query) => Promise<T>;
  /** Not repeated: the caller cannot know whether it was done. */
  readonly send: <T>(call: ManagementCall, answer: z.ZodMiniType<T>) => Promise<T>;
}

export interface ManagementCall {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
}

/** A refusal of the management API in its own words, or why it could not be asked. */
export class ManagementFailure extends Error {
  /** That of the API; 502 and 504 where it gave no proper answer. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** What is wrong with a body or query, each with its place. */
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

/** What a panel beside the main content shows: its own failure must not take the page with it. */
export type Aside<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ManagementFailure };

export async function aside<T>(call: Promise<T>): Promise<Aside<T>> {
  try {
    return { ok: true, value: await call };
  } catch (failure) {
    // Without a person there is no page either.
    if (failure instanceof ManagementFailure && failure.status !== 401) return { ok: false, failure };
    throw failure;
  }
}
