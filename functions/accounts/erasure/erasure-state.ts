import { ACCOUNT_REMAINS } from '#shared/erasures/account-remains';
import type { Erasure, ErasureSubject } from '#shared/erasures/erasure';
import { noSuch } from '#shared/errors';

interface Remains {
  readonly what: string;
  readonly why: string;
}

/** The data that the erasure of a customer leaves, with the reasons. */
const CUSTOMER_REMAINS: readonly Remains[] = [
  {
    what: 'Amounts in the points ledger',
    why: 'Awards must remain accountable. They are stored under the id of the erasure, with the day and what earned them.',
  },
  {
    what: 'Digests of awarded receipts and pictures',
    why: 'They prevent a second award for the same receipt. A digest does not identify a person.',
  },
  {
    what: 'Runs in the webhook delivery log',
    why: "They prove what was sent to the tenant's systems, and expire with the log.",
  },
  {
    what: 'Histories of executions that decided image validations',
    why: 'AWS deletes them 90 days after their end.',
  },
  {
    what: 'Lines of the audit log',
    why: 'They prove who changed what, contain ids but no values, and expire after 400 days.',
  },
  {
    what: 'Backups of tables',
    why: 'Point-in-time recovery reaches back 35 days.',
  },
];

const REMAINS: Readonly<Record<ErasureSubject, readonly Remains[]>> = {
  customer: CUSTOMER_REMAINS,
  account: Object.values(ACCOUNT_REMAINS),
};

export const requireErasure = (erasure: Erasure | undefined): Erasure => erasure ?? noSuch('erasure');

/** An erasure as the management API shows it. */
export const presentErasure = ({ id, tenant, subject, customer, requestedAt, erasedAt, completedAt }: Erasure) => ({
  id,
  subject,
  ...(subject === 'account' ? { account: tenant } : { customer }),
  status: completedAt === undefined ? ('running' as const) : ('completed' as const),
  requestedAt,
  erasedAt,
  completedAt,
  remains: REMAINS[subject],
});
