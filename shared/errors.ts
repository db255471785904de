/**
 * A request that we understand and will not serve. `code` is public and stable; `detail` is written for the caller and
 * holds no secret; `cause` is for the log only. Everything else that is thrown is our own bug and becomes a 500.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;

  constructor(status: number, code: string, detail: string, options: { cause?: unknown } = {}) {
    super(`${status} ${code}: ${detail}`, options);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}
