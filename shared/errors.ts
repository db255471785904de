/**
 * A request that we understand and will not serve. `code` is public and stable; `detail` is written for the caller and
 * holds no secret; `headers` are added to the answer; `cause` is for the log only. Everything else that is thrown is our own bug and becomes a 500.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, detail: string, { headers = {}, cause }: RefusalOptions = {}) {
    super(`${status} ${code}: ${detail}`, { cause });
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }
}

export interface RefusalOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Refuses a request for something that does not exist, or that belongs to somebody else. @param what such as `rule` */
export function noSuch(what: string): never {
  throw new Refusal(404, 'not-found', `There is no such ${what}.`);
}
