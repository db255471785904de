import type { ManagementCaller } from '#shared/auth/management-caller';
import type { Actor } from './audit-line.ts';

/** The caller of the management API, as records of who did what name it. */
export const actorOf = ({ credential = 'person', subject = '', name, operator }: ManagementCaller): Actor => ({
  kind: credential,
  id: subject,
  ...(name !== undefined && { name }),
  isOperator: operator,
});
