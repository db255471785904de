import { LINES, TEXT } from '../resources/field-kinds.ts';
import type { Resource } from '../resources/resource.ts';
import { isErased, StoredAccount } from './account-answers.ts';

const PLANS = ['free', 'starter', 'growth', 'scale'].map((plan) => [plan, plan] as const);
const CURRENCIES = ['USD', 'EUR', 'GBP'].map((currency) => [currency, currency] as const);

/** Accounts are a kind of things of operators. The plan of an account has a screen of its own. */
export const ACCOUNTS: Resource<StoredAccount> = {
  path: 'accounts',
  apiPath: 'accounts',
  title: 'Accounts',
  one: 'account',
  lead: 'Everyone who uses the services, newest first.',
  answer: StoredAccount,
  idOf: ({ id }) => id,
  nameOf: (account) => (isErased(account) ? account.id : account.name),
  sections: [
    {
      rows: [
        {
          name: 'name',
          label: 'Name',
          kind: TEXT,
          hint: 'The account id is generated from it. Neither can be changed later.',
          isRequired: true,
          maxLength: 100,
          isFinal: true,
        },
        { name: 'plan', label: 'Plan', kind: TEXT, options: PLANS, initial: 'free', isFinal: true },
        { name: 'organization', label: 'Organization', kind: TEXT, maxLength: 200 },
        [
          { name: 'firstName', label: 'First name', kind: TEXT, maxLength: 100 },
          { name: 'lastName', label: 'Last name', kind: TEXT, maxLength: 100 },
        ],
        { name: 'email', label: 'Email', kind: TEXT, control: 'email', maxLength: 254 },
        { name: 'phoneNumber', label: 'Phone number', kind: TEXT, maxLength: 40 },
        { name: 'billingCurrency', label: 'Billing currency', kind: TEXT, options: CURRENCIES, initial: 'USD' },
        {
          name: 'allowedOrigins',
          label: 'Allowed origins',
          // A space ends an origin, too.
          kind: { ...LINES, valueIn: (text) => ({ value: text.split(/\s+/).filter(Boolean) }) },
          control: 'area',
          hint: "Scripts of these origins may read the API's answers to this account, such as https://shop.example.com. One in each line.",
        },
      ],
    },
  ],
  codes: { 'account-exists': 'name' },
  deletion: '',
};
