/**
 * A call that gets an error instead of a result. Codes that every service knows are S3's (`AccessDenied`,
 * `SignatureDoesNotMatch`, …); each service puts them into its own words and shape.
 */
export class CallRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Headers of the answer, beside those that every refusal of the service has. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { headers = {} }: { readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
