import type { ManagementFailure } from '../management/management.ts';

/** The texts of conflicts with other reviewers. */
const TEXTS: Readonly<Record<string, string>> = {
  claimed: 'Another reviewer has started on this record.',
  'already-decided': 'Another reviewer has decided this record. Your review was not saved.',
  'changed-meanwhile': 'The record has changed since you opened it. Check it again before you decide.',
  'not-pending': 'The record is no longer open: it was decided, or its review period has ended.',
  'needs-no-review': 'This record no longer needs a review.',
};

/** Returns the text of a conflict; undefined for a fault of the form itself. */
export const conflictText = ({ status, code, detail }: ManagementFailure): string | undefined =>
  status === 409 ? (TEXTS[code] ?? detail) : undefined;
