import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { Erasure } from '../erasure/erasures.operations.ts';

/** The erasure of accounts. */
export const accountErasureOperations = operations({
  eraseAccount: {
    route: 'DELETE /manage/v1/accounts/{id}',
    summary: 'Erase an account',
    description:
      'For operators. Everything of an account that has been suspended for 24 hours is erased after the answer. A repeated call answers with the same erasure.',
    path: ItemPath,
    answers: { 202: Erasure },
    headers: { Location: 'The path of the erasure.' },
    errors: { 409: ['own-account', 'account-active', 'account-suspended-recently', 'account-billed'] },
  },
});
