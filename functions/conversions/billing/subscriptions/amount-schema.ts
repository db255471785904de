import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { CURRENCIES } from './plan.ts';

/** An amount in answers: decimal text, in the billing currency where none stands beside it. */
export const AmountText = z
  .string()
  .regex(/^-?\d+\.\d{2,6}$/)
  .meta({ examples: ['29.00'] });

export const BillingCurrency = named('BillingCurrency', z.enum(CURRENCIES));
