/** Why the table gave no answer, and with it what a request may rely on. */
export type MeterFailure =
  /** It cannot be known whether the write happened. */
  | 'ambiguous'
  /** The call did not get through. */
  | 'down'
  /** The account's own flood is more than one item takes. */
  | 'own-flood'
  /** The table or the AWS account is throttled, or a transaction holds the item for longer than a request can wait. */
  | 'throttled'
  /** A mistake of ours: permissions, or an expression that DynamoDB refuses. */
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

/** DynamoDB says which limit a throttled call met: that of the item's partition is one that other accounts do not feel. */
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
