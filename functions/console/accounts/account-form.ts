import type { Form } from '../pages/form.ts';
import type { Account } from './account-answers.ts';

export const PLANS = ['free', 'starter', 'growth', 'scale'].map((plan) => [plan, plan] as const);
export const CURRENCIES = ['USD', 'EUR', 'GBP'].map((currency) => [currency, currency] as const);

/** What can be changed of an account, as text. The plan has a screen of its own. */
const CHANGEABLE = ['organization', 'email', 'firstName', 'lastName', 'phoneNumber', 'billingCurrency'] as const;
/** What is stated once. */
const STATED = ['name', 'plan', ...CHANGEABLE] as const;

export type AccountFields = Readonly<Record<(typeof STATED)[number], string>>;

export const NEW_ACCOUNT: AccountFields = {
  name: '',
  plan: 'free',
  billingCurrency: 'USD',
  organization: '',
  email: '',
  firstName: '',
  lastName: '',
  phoneNumber: '',
};

export const fieldsOf = (account: Account): AccountFields =>
  Object.fromEntries(STATED.map((name) => [name, account[name]])) as AccountFields;

export const statedFields = (form: Form): AccountFields =>
  Object.fromEntries(STATED.map((name) => [name, form.text(name).trim()])) as AccountFields;

/** What has changed: the API takes no blank members, and what is blank already stays so. */
export const changesOf = (fields: AccountFields, stored: Account): Readonly<Record<string, string>> =>
  Object.fromEntries(CHANGEABLE.filter((name) => fields[name] !== stored[name]).map((name) => [name, fields[name]]));
