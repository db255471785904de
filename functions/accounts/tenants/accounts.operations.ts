import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { Erasure } from '../erasure/erasures.operations.ts';
import { AccountChange, BillingCurrency, NewAccount, PlanName } from './account.ts';

const Account = named(
  'Account',
  z.object({
    id: z.string().describe('Made from the name.'),
    name: z.string(),
    plan: PlanName,
    billingCurrency: BillingCurrency,
    organization: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phoneNumber: z.string(),
    active: z.boolean().describe('False while the account is suspended.'),
    apiIntegration: NewAccount.shape.apiIntegration.unwrap(),
    allowedOrigins: z.array(z.string()),
    createdAt: Time,
    suspendedAt: z.optional(Time),
    billedIn: BillingCurrency.optional().describe('The currency of the plan; absent while nothing is billed.'),
  }),
  'A business customer of the service: a tenant.',
);

const ErasedAccount = named(
  'ErasedAccount',
  z.object({
    id: z.string(),
    active: z.literal(false),
    createdAt: Time,
    suspendedAt: Time,
    erasure: Erasure,
  }),
  'What is left of an account that was erased.',
);

const StoredAccount = named('StoredAccount', z.union([Account, ErasedAccount]));

/** Operations on accounts, except their erasure. */
export const accountOperations = operations({
  createAccount: {
    route: 'POST /manage/v1/accounts',
    summary: 'Create an account',
    description: 'For operators.',
    body: NewAccount,
    example: { name: 'Acme, Inc.', plan: 'starter', email: 'jo@example.com' },
    answers: { 201: Account },
    errors: { 409: ['account-exists'] },
  },
  listAccounts: {
    route: 'GET /manage/v1/accounts',
    summary: 'List accounts',
    description: 'For operators.',
    query: PageQuery,
    answers: { 200: pageOf('AccountPage', StoredAccount) },
  },
  getAccount: {
    route: 'GET /manage/v1/accounts/{id}',
    summary: 'Get an account',
    path: ItemPath,
    answers: { 200: StoredAccount },
  },
  changeAccount: {
    route: 'PATCH /manage/v1/accounts/{id}',
    summary: 'Change, suspend or resume an account',
    description: 'For operators. Members that are absent stay as they are.',
    path: ItemPath,
    body: AccountChange,
    example: { active: false },
    answers: { 200: Account },
    errors: { 409: ['account-erased', 'currency-in-use'] },
  },
});
