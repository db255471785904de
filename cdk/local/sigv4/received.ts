/** A request as it came over the wire, before anything about it is believed. */
export interface ReceivedRequest {
  readonly method: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  /** The query without the question mark, as sent. */
  readonly rawQuery: string;
  /** Lower-case names; repeated headers joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
