import { createHash } from 'node:crypto';
import type { TenantKey } from '#shared/ids';

/** What an execution starts with. `apply`: a person has decided, or nobody did in time; `give-up`: all others failed. */
interface ExecutionInput extends TenantKey {
  readonly stage: 'examine' | 'apply' | 'give-up';
}

/** The executions of the machine. */
export interface Executions {
  /**
   * Starts an execution, unless there is or was one of this name.
   * @returns when the one that runs was started, in milliseconds; undefined if the one of this name is over
   */
  start(name: string, input: ExecutionInput): Promise<number | undefined>;
  /** Lets the execution go on that waits with this token; false if none does any more. */
  resume(token: string): Promise<boolean>;
}

/** The execution that examines a record, until that is restarted. It runs for as long as images wait, and a person. */
export function examiningExecution({ tenant, id, restarts }: TenantKey & { readonly restarts: number }) {
  // Not by the revision: a decision that comes before the machine asks changes that, and needs no other execution.
  return [executionName({ tenant, id }, `examine-${restarts}`), { tenant, id, stage: 'examine' }] as const;
}

const NAME_MAX = 80;

/**
 * The name of an execution, which Step Functions takes once in 90 days: what is told twice starts once.
 * @param suffix tells apart what starts executions of one record
 */
export function executionName({ tenant, id }: TenantKey, suffix: string): string {
  const rest = `-${id}-${suffix}`;
  const whole = `iv-${tenant}${rest}`;
  if (whole.length <= NAME_MAX) return whole;
  const digest = createHash('sha256').update(tenant).digest('hex').slice(0, 16);
  return `iv-${tenant.slice(0, NAME_MAX - rest.length - digest.length - 4)}-${digest}${rest}`;
}
