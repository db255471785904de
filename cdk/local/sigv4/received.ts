/** A request as it came over the wire, before anything about it is believed. */
export interface ReceivedRequest {
  readonly method: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  /** Without the question mark, as sent. */
  readonly rawQuery: string;
  /** Lower-case names; repeated headers joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request that is refused before any service sees it. The code is S3's; every service words it in its own way. */
export class SignatureRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
