import { createHash } from 'node:crypto';
import type { TenantKey } from '#shared/ids';
import { type Origin, originOf } from '#shared/telemetry/origin';

/** The input of an execution. `apply`: a review has ended; `give-up`: all earlier executions have failed. */
interface ExecutionInput extends TenantKey, Origin {
  readonly stage: 'examine' | 'apply' | 'give-up';
}

/** Starts and resumes executions of the state machine. */
export interface Executions {
  /**
   * Starts an execution, unless one of this name is running or has run.
   * @returns the start time of the running execution, in milliseconds; undefined if the one of this name has ended
   */
  start(name: string, input: ExecutionInput): Promise<number | undefined>;
  /** Resumes the execution that waits with this token; false if none waits any more. */
  resume(token: string): Promise<boolean>;
}

/**
 * The name and input of the execution that examines a validation, until a restart. It runs while images or a person are
 * waited for.
 */
export function examiningExecution(validation: TenantKey & Origin & { readonly restarts: number }) {
  const { tenant, id, restarts } = validation;
  // The name does not contain the revision: a decision that comes before the review opens changes it and needs no
  // second execution.
  return [
    executionName({ tenant, id }, `examine-${restarts}`),
    { tenant, id, stage: 'examine', ...originOf(validation) },
  ] as const;
}

const NAME_MAX = 80;

/**
 * The name of an execution. Step Functions accepts a name once in 90 days, so a repeated start has no effect.
 * @param suffix distinguishes the executions of one validation
 */
export function executionName({ tenant, id }: TenantKey, suffix: string): string {
  const rest = `-${id}-${suffix}`;
  const whole = `iv-${tenant}${rest}`;
  if (whole.length <= NAME_MAX) return whole;
  const digest = createHash('sha256').update(tenant).digest('hex').slice(0, 16);
  return `iv-${tenant.slice(0, NAME_MAX - rest.length - digest.length - 4)}-${digest}${rest}`;
}
