/** The reason why a state fails, by the names that the Amazon States Language and Step Functions give to errors. */
export class StateError extends Error {
  readonly error: string;
  /** The `Cause`. */
  readonly reason: string;

  constructor(error: string, reason: string) {
    super(`${error}: ${reason}`);
    this.error = error;
    this.reason = reason;
  }
}

/** Errors that end the execution whatever its states retry or catch. */
const FATAL = 'States.Runtime';
/** `States.ALL` does not cover it, its name does. */
const OVERSIZE = 'States.DataLimitExceeded';

/** Returns whether an `ErrorEquals` covers an error. */
export function covers(errorEquals: readonly string[], error: string): boolean {
  if (error === FATAL) return false;
  return errorEquals.some((name) => {
    if (name === error) return true;
    if (error === OVERSIZE) return false;
    return name === 'States.ALL' || (name === 'States.TaskFailed' && error !== 'States.Timeout');
  });
}

/** Bytes of the input, the result and the output of a state. */
export const DATA_BYTES_MAX = 262_144;

export function requireSize(data: unknown, state: string): void {
  if (Buffer.byteLength(JSON.stringify(data)) <= DATA_BYTES_MAX) return;
  const cause = `The state/task '${state}' returned a result with a size exceeding the maximum number of bytes service limit.`;
  throw new StateError(OVERSIZE, cause);
}
