import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { Attributes, CustomerChange, NewCustomer } from './customer-input.ts';

const Customer = named(
  'Customer',
  z.object({
    id: z.string(),
    externalId: z.string().optional().describe('The id of the customer in an outside system.'),
    email: z.string().optional(),
    attributes: Attributes,
    availablePoints: z.int(),
    createdAt: Time,
    updatedAt: Time,
  }),
  'A registered customer of the tenant, whom the loyalty interfaces serve.',
);

const CustomerQuery = PageQuery.extend({
  externalId: z.string().optional().describe('Lists the customer with this external id alone.'),
});

const one = { path: ItemPath, answers: { 200: Customer } };
const saving = { 409: ['external-id-taken'] };

/** Operations on registered customers. */
export const customerOperations = operations({
  createCustomer: {
    route: 'POST /manage/v1/loyalty/customers',
    summary: 'Create a customer',
    body: NewCustomer,
    example: { externalId: 'crm-4711', email: 'jo@example.com', attributes: { tier: 'gold', visits: 3 } },
    answers: { 201: Customer },
    errors: saving,
  },
  listCustomers: {
    route: 'GET /manage/v1/loyalty/customers',
    summary: 'List customers',
    query: CustomerQuery,
    answers: { 200: pageOf('CustomerPage', Customer) },
  },
  getCustomer: { route: 'GET /manage/v1/loyalty/customers/{id}', summary: 'Get a customer', ...one },
  changeCustomer: {
    route: 'PATCH /manage/v1/loyalty/customers/{id}',
    summary: 'Change a customer',
    description: 'Members that are absent stay as they are; `null` removes `externalId` or `email`.',
    ...one,
    body: CustomerChange,
    example: { email: null, attributes: { tier: 'platinum' } },
    errors: saving,
  },
  deleteCustomer: {
    route: 'DELETE /manage/v1/loyalty/customers/{id}',
    summary: 'Delete a customer',
    description: 'The profile is deleted at once; everything else that names the customer is erased after the answer.',
    path: ItemPath,
    answers: { 204: undefined },
    headers: { Location: 'The path of the erasure.' },
  },
});
