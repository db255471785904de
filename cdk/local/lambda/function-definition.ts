/** A Lambda function as its template declares it. */

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  /** The path of its construct. */
  readonly path: string;
  /** The file of the module, without its ending, and the export that handles events, as the template has them. */
  readonly handler: string;
  /** URL of the module. */
  readonly module: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
  /** The maximum of concurrent invocations, which are reserved for this function. */
  readonly reservedConcurrency?: number | undefined;
  readonly roleArn: string;
  /** The log group that the template gives it. */
  readonly logGroup?: string | undefined;
}

/** `AWS::Lambda::EventInvokeConfig`: for how long events without a waiting caller are tried. */
export interface AsyncSettings {
  readonly maxRetries: number;
  readonly maxAgeSeconds: number;
}

export const DEFAULT_ASYNC: AsyncSettings = { maxRetries: 2, maxAgeSeconds: 6 * 3600 };
