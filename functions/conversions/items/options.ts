import * as z from 'zod';

/** The defaults that a caller allows the routes to assume where a record is silent. Nothing else is assumed. */
export const Options = z.strictObject({
  defaultCountry: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 alpha-2 code')
    .optional()
    .meta({ description: 'Country of phone numbers and addresses that name none: ISO 3166 alpha-2.' }),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'must be a language tag, such as de-DE')
    .optional()
    .meta({ description: 'How dates and amounts are written: a BCP 47 language tag.' }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
    .optional()
    .meta({ description: 'Currency of amounts that name none: ISO 4217.' }),
  timezone: z
    .string()
    .max(60)
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
    .optional()
    .meta({ description: 'Zone of times that name none: IANA.' }),
  rounding: z.enum(['half-even', 'half-up', 'down']).default('half-even'),
  precision: z.number().int().min(0).max(30).optional().meta({ description: 'Digits after the decimal point.' }),
});
export type Options = z.output<typeof Options>;
export type Rounding = Options['rounding'];

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
