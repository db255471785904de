import { AsyncLocalStorage } from 'node:async_hooks';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

type Fields = Readonly<Record<string, unknown>>;

const scope = new AsyncLocalStorage<Record<string, unknown>>();

/**
 * Every line that is logged inside `work` also holds these fields. Powertools keeps appended keys per invocation, where
 * they would leak between messages that are worked on at the same time; these follow the asynchronous calls.
 */
export const withLogFields = <Result>(fields: Fields, work: () => Result): Result =>
  scope.run({ ...scope.getStore(), ...fields }, work);

/** Adds fields to all later lines of the same scope. Outside a scope, as in a command, nothing happens. */
export function addLogFields(fields: Fields): void {
  const current = scope.getStore();
  if (current) Object.assign(current, fields);
}

/** The log field of the tenant that a message, an item, a caller or the input of a state names. */
export const tenantIn = (subject: unknown): { readonly tenant?: string } =>
  isTenantOwned(subject) && subject.tenant !== '' ? { tenant: subject.tenant } : {};

const isTenantOwned = (subject: unknown): subject is { readonly tenant: string } =>
  typeof subject === 'object' && subject !== null && 'tenant' in subject && typeof subject.tenant === 'string';

/** The fields that a line written here holds. */
export const logFields = (): Fields => scope.getStore() ?? {};

/** The line of Powertools without what the log group shows already: name, ARN and memory of the function. */
class LineFormat extends LogFormatter {
  override formatAttributes(line: UnformattedAttributes, fields: LogAttributes): LogItem {
    const attributes = {
      level: line.logLevel,
      message: line.message,
      timestamp: this.formatTimestamp(line.timestamp),
      service: line.serviceName,
      xray_trace_id: line.xRayTraceId,
      ...logFields(),
    };
    return new LogItem({ attributes }).addAttributes(fields);
  }

  /** Only these: errors of AWS calls may carry the stored item, and with it a secret. */
  override formatError({ name, message, stack, cause }: Error): LogAttributes {
    if (cause instanceof Error) return { name, message, stack, cause: this.formatError(cause) };
    return { name, message, stack, ...(typeof cause === 'string' && { cause }) };
  }
}

/**
 * The logger of a function: one JSON line per event of interest, with the error as `{ error }`. Callers pass facts, never
 * whole requests: no token, key or body belongs here. The level is that of `POWERTOOLS_LOG_LEVEL`. @default INFO
 */
export const log = new Logger({ logFormatter: new LineFormat() });
