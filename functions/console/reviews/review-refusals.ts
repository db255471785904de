import type { ManagementFailure } from '../management/management.ts';

/** What became of a record while somebody looked at it, in words. */
const TEXTS: Readonly<Record<string, string>> = {
  claimed: 'Somebody else has taken this record.',
  'already-decided': 'Somebody else has decided this record meanwhile. Nothing of yours was saved.',
  'changed-meanwhile': 'The record has changed since you opened it. Look at it again before you decide.',
  'not-pending': 'The record is no longer open: the time for a review is over, or it was decided.',
  'needs-no-review': 'This record needs no review any more.',
};

/** Undefined for what is wrong with the form itself. */
export const conflictText = ({ status, code, detail }: ManagementFailure): string | undefined =>
  status === 409 ? (TEXTS[code] ?? detail) : undefined;
