/** An API configuration as it is stored: where webhooks go, how they are retried, how they authenticate. */
export interface Configuration {
  readonly id: string;
  readonly tenant: string;
  /** Unique within the tenant. */
  readonly name: string;
  readonly targetUrl: string;
  /** From the end of a failed attempt to the next one; 0 is at once. */
  readonly retryIntervalSeconds: number;
  readonly retryTimeoutSeconds: number;
  /** The first one included. */
  readonly maxAttempts: number;
  readonly description: string;
  readonly authentication: StoredAuthentication;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `secret` is ciphertext in base64. Only the sender can decrypt it, and nobody else ever gets it back. */
export type StoredAuthentication =
  | { readonly type: 'none' }
  | { readonly type: 'apiKey'; readonly headerName: string; readonly secret: string }
  | { readonly type: 'bearer'; readonly secret: string }
  | { readonly type: 'basic'; readonly username: string; readonly secret: string };
