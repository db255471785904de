import { type AuditWriter, endOf } from '#shared/audit/audit-line';
import type { HttpEvent } from '#shared/http/http-handler';
import type { Person } from './session.ts';

/** A change that the console makes itself. All others go through the management API, which records them. */
export interface OwnChange {
  readonly action: 'second-factor.create' | 'second-factor.delete' | 'password.replace';
  /** The person; only the entered name is known during sign-in. */
  readonly person: Pick<Person, 'name'> & Partial<Person>;
  readonly event: HttpEvent;
}

/**
 * Makes a change and records it in the audit log. @param isDone whether the result of `make` means that the change was
 * made
 */
export async function recordedChange<T>(
  audit: AuditWriter,
  { action, person, event }: OwnChange,
  { now, make, isDone }: { now: number; make: () => Promise<T>; isDone: (result: T) => boolean },
): Promise<T> {
  const { http, requestId } = event.requestContext;
  const { tenant = '', subject = '', isOperator = false, name } = person;
  const line = {
    tenant,
    actor: { kind: 'person' as const, id: subject, name, isOperator },
    action,
    route: `${http.method} ${event.rawPath}`,
    target: {},
    fields: [],
    values: {},
    address: http.sourceIp,
    isConsole: true,
    requestId,
  };
  const { end } = await audit.begin(line, now);
  let result: T;
  try {
    result = await make();
  } catch (error) {
    await end(endOf(500));
    throw error;
  }
  await end(endOf(isDone(result) ? 200 : 422));
  return result;
}
