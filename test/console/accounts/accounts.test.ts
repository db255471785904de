import { expect, it } from 'vitest';
import { type Account, creditOf } from '../../../functions/console/accounts/account-answers.ts';
import { ACCOUNTS } from '../../../functions/console/accounts/account-form.ts';
import { bodyOf, fieldsIn, textsOf } from '../../../functions/console/resources/form-fields.ts';
import { changingSections } from '../../../functions/console/resources/resource.ts';

const token = { id: 'tok_1', planId: 'basic', availableDownloads: 100, createdAt: '2026-11-22T08:00:00.000Z' };
const account: Account = {
  id: 'acme-inc',
  name: 'Acme Inc',
  plan: 'starter',
  billingCurrency: 'USD',
  organization: '',
  email: 'ops@acme.example',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  active: true,
  apiIntegration: true,
  allowedOrigins: [],
  createdAt: '2026-11-22T08:00:00.000Z',
};

it('credit is what tokens that are not revoked may still download', () => {
  expect(creditOf([token, { ...token, availableDownloads: 50 }])).toBe(150);
  expect(creditOf([token, { ...token, revokedAt: '2026-11-22T09:00:00.000Z' }])).toBe(100);
  expect(creditOf([])).toBe(0);
});

it('only what was changed is sent, so that blank fields that were blank stay so', () => {
  const fields = fieldsIn(changingSections(ACCOUNTS));
  const stored = textsOf(fields, account);
  const texts = { ...stored, organization: 'Acme', name: 'Other', plan: 'scale' };
  expect(bodyOf(fields, texts, stored)).toEqual({ body: { organization: 'Acme' }, wrong: {} });
  expect(bodyOf(fields, stored, stored)).toEqual({ body: {}, wrong: {} });
});
