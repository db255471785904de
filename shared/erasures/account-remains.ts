/** The data that the erasure of an account leaves, with the reasons. A kind of item that stays names its entry. */
export const ACCOUNT_REMAINS = {
  invoices: {
    what: 'Invoices, billed periods and payments',
    why: 'Accounting law requires them to be kept.',
  },
  audit: {
    what: 'Lines of the audit log',
    why: 'They prove who changed what, and expire after 400 days.',
  },
  account: {
    what: 'The id of the account, with the times of its creation and suspension',
    why: 'The id is never given again, so that nobody else receives what is meant for this tenant.',
  },
  erasure: {
    what: 'This erasure',
    why: 'It proves what was erased, and when.',
  },
  sessions: {
    what: 'Sessions of people at the console',
    why: 'They can do nothing for a suspended account, and end within half a day.',
  },
  executions: {
    what: 'Histories of executions that decided image validations',
    why: 'AWS deletes them 90 days after their end.',
  },
  versions: {
    what: 'Deleted versions of imported files',
    why: 'They protect against mistakes, and expire after 90 days.',
  },
  logs: {
    what: 'Logs, and messages that were given up',
    why: 'They hold ids and no credentials, and expire after 90 and 14 days.',
  },
  backups: {
    what: 'Backups of tables',
    why: 'Point-in-time recovery reaches back 35 days.',
  },
} as const;
export type AccountRemains = keyof typeof ACCOUNT_REMAINS;
