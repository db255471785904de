import type { Form } from '../pages/form.ts';
import type { Account } from './account-answers.ts';

export const PLANS = ['free', 'starter', 'growth', 'scale'].map((plan) => [plan, plan] as const);
export const CURRENCIES = ['USD', 'EUR', 'GBP'].map((currency) => [currency, currency] as const);

/** The fields of an account that can be changed, as text. The plan has a screen of its own. */
const CHANGEABLE = ['organization', 'email', 'firstName', 'lastName', 'phoneNumber', 'billingCurrency'] as const;
/** The fields that are set only at creation. */
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

/** Returns the changed fields: the API accepts no empty members, and an empty one stays empty. */
export const changesOf = (fields: AccountFields, stored: Account): Readonly<Record<string, string>> =>
  Object.fromEntries(CHANGEABLE.filter((name) => fields[name] !== stored[name]).map((name) => [name, fields[name]]));
