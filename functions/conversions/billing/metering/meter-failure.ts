/** The causes of a failed call to the table, which determine what a request may rely on. */
export type MeterFailure =
  /** The outcome of the write is unknown. */
  | 'ambiguous'
  /** The call did not get through. */
  | 'down'
  /** The account sends more requests than one item can take. */
  | 'own-flood'
  /** The table or the AWS account is throttled, or a transaction holds the item for longer than a request can wait. */
  | 'throttled'
  /** A fault of this service: missing permissions, or an expression that DynamoDB refuses. */
  | 'our-fault';

interface AwsError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly ThrottlingReasons?: readonly { readonly reason?: string }[];
}

const TIMEOUTS = new Set(['AbortError', 'TimeoutError']);
const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionConflictException',
]);
const OURS = new Set(['AccessDeniedException', 'ValidationException', 'ResourceNotFoundException', 'ZodError']);

/** DynamoDB names the limit that a throttled call met. A limit of the item's partition does not affect other accounts. */
const OWN_PARTITION = /KeyRangeThroughputExceeded$/;

export function meterFailureOf(error: unknown): MeterFailure {
  const { name, ThrottlingReasons: reasons = [] } = (error ?? {}) as AwsError;
  if (typeof name !== 'string') return 'our-fault';
  if (TIMEOUTS.has(name)) return 'ambiguous';
  if (THROTTLES.has(name))
    return reasons.some(({ reason = '' }) => OWN_PARTITION.test(reason)) ? 'own-flood' : 'throttled';
  if (OURS.has(name) || error instanceof TypeError || error instanceof RangeError) return 'our-fault';
  return 'down';
}
