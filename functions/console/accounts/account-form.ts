import type { Form } from '../pages/form.ts';
import type { Account } from './account-answers.ts';

export const PLANS = ['free', 'starter', 'growth', 'scale'].map((plan) => [plan, plan] as const);
export const CURRENCIES = ['USD', 'EUR', 'GBP'].map((currency) => [currency, currency] as const);

/** The fields of an account that can be changed, as text. The plan has a screen of its own. */
const CHANGEABLE = ['organization', 'email', 'firstName', 'lastName', 'phoneNumber', 'billingCurrency'] as const;
/** The fields that are set only at creation. */
const STATED = ['name', 'plan', ...CHANGEABLE] as const;

/** `allowedOrigins` has one origin in each line. */
export type AccountFields = Readonly<Record<(typeof STATED)[number] | 'allowedOrigins', string>>;

export const NEW_ACCOUNT: AccountFields = {
  name: '',
  plan: 'free',
  billingCurrency: 'USD',
  organization: '',
  email: '',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  allowedOrigins: '',
};

export const fieldsOf = (account: Account): AccountFields => ({
  ...fieldsBy((name) => account[name]),
  allowedOrigins: account.allowedOrigins.join('\n'),
});

export const statedFields = (form: Form): AccountFields => ({
  ...fieldsBy((name) => form.text(name).trim()),
  allowedOrigins: form.text('allowedOrigins').trim(),
});

const fieldsBy = (textOf: (name: (typeof STATED)[number]) => string) =>
  Object.fromEntries(STATED.map((name) => [name, textOf(name)])) as Omit<AccountFields, 'allowedOrigins'>;

const originsIn = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

/** The account as the API takes it. */
export const newAccountOf = (fields: AccountFields) => ({
  ...fields,
  allowedOrigins: originsIn(fields.allowedOrigins),
});

/** Returns the changed fields: the API accepts no empty members, and an empty one stays empty. */
export function changesOf(
  fields: AccountFields,
  stored: Account,
): Readonly<Record<string, string | readonly string[]>> {
  const origins = originsIn(fields.allowedOrigins);
  return {
    ...Object.fromEntries(
      CHANGEABLE.filter((name) => fields[name] !== stored[name]).map((name) => [name, fields[name]]),
    ),
    ...(origins.join() !== stored.allowedOrigins.join() && { allowedOrigins: origins }),
  };
}
