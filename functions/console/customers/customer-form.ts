import { JSON_OBJECT, OPTIONAL_TEXT } from '../resources/field-kinds.ts';
import type { Resource } from '../resources/resource.ts';
import { Customer } from './customer-answers.ts';

export const CUSTOMERS: Resource<Customer> = {
  path: 'customers',
  apiPath: 'loyalty/customers',
  title: 'Customers',
  one: 'customer',
  lead: 'Registered customers, whom the loyalty API serves.',
  answer: Customer,
  idOf: ({ id }) => id,
  nameOf: ({ externalId, id }) => externalId ?? id,
  sections: [
    {
      rows: [
        {
          name: 'externalId',
          label: 'External id',
          kind: OPTIONAL_TEXT,
          hint: 'The id of the customer in your own system.',
        },
        { name: 'email', label: 'Email', kind: OPTIONAL_TEXT, control: 'email' },
        {
          name: 'attributes',
          label: 'Attributes',
          kind: JSON_OBJECT,
          control: 'code',
          hint: 'In JSON: texts, numbers, true or false, such as {"tier": "gold"}. At most 50, and 10 KB.',
        },
      ],
    },
  ],
  codes: { 'external-id-taken': 'externalId' },
  deletion: '',
};
