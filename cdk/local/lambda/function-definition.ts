/** A Lambda function as its template declares it. */

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  /** The path of its construct. */
  readonly path: string;
  /** As the template names it: the file of the module, without its ending, and the export that handles events. */
  readonly handler: string;
  /** URL of the module. */
  readonly module: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
  /** Most invocations at the same time, kept free for it. */
  readonly reservedConcurrency?: number | undefined;
  readonly roleArn: string;
}

/** What happens to events without a waiting caller: `AWS::Lambda::EventInvokeConfig`. */
export interface AsyncSettings {
  readonly maxRetries: number;
  readonly maxAgeSeconds: number;
}

export const DEFAULT_ASYNC: AsyncSettings = { maxRetries: 2, maxAgeSeconds: 6 * 3600 };
