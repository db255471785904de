import * as z from 'zod';
import { ReadOnly } from '#shared/http/answer-schemas';
import { omit } from '#shared/omit';
import { AuthenticationInput } from './authentication.ts';
import { OPERATION_TYPE } from './configuration.ts';
import { Signature } from './signing.ts';

const NAME_CHARACTERS_MAX = 50;
const DESCRIPTION_CHARACTERS_MAX = 500;

/** Limits the number of characters as people count them: an emoji counts once. */
const atMost = (max: number) => (text: string) => Array.from(text).length <= max;

/** A single line, so that the name fits in a delivery log and in a list. */
const name = z
  .string()
  .trim()
  .normalize()
  .min(1, 'must not be empty')
  .refine(atMost(NAME_CHARACTERS_MAX), `must have at most ${NAME_CHARACTERS_MAX} characters`)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not hold control characters');

const description = z
  .string()
  .trim()
  .refine(atMost(DESCRIPTION_CHARACTERS_MAX), `must have at most ${DESCRIPTION_CHARACTERS_MAX} characters`)
  .refine((text) => text.isWellFormed(), 'must be Unicode text');

/** An empty field means these values. The timeout is that of each attempt. */
const DEFAULTS = { retryIntervalSeconds: 0, retryTimeoutSeconds: 30, maxAttempts: 3, description: '' };

const isEmpty = (value: unknown) => value === '' || value === null || value === undefined;

/** Replaces an empty value by its default. */
const emptyToDefault = <Schema extends z.ZodType>(schema: Schema, defaultValue: z.output<Schema>) =>
  z.preprocess((value) => (isEmpty(value) ? defaultValue : value), schema);

const intBetween = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
};

const readOnlyFields = {
  id: ReadOnly,
  createdAt: ReadOnly,
  updatedAt: ReadOnly,
  signingSecret: ReadOnly,
  signingSecretSet: ReadOnly,
  previousSigningSecretEndsAt: ReadOnly,
};

const fields = {
  name,
  targetUrl: z.string().trim().min(1, 'must not be empty'),
  retryIntervalSeconds: emptyToDefault(intBetween(0, 86_400), DEFAULTS.retryIntervalSeconds),
  retryTimeoutSeconds: emptyToDefault(intBetween(1, 120), DEFAULTS.retryTimeoutSeconds),
  maxAttempts: emptyToDefault(intBetween(1, 20), DEFAULTS.maxAttempts),
  description: emptyToDefault(description, DEFAULTS.description),
  signature: Signature.optional(),
  enabled: z.boolean(),
  operationType: z.literal(OPERATION_TYPE, `can only be ${OPERATION_TYPE}`).optional(),
};

/** Returns the input without the members that callers cannot choose. */
const withoutReadOnly = <Input extends object>(input: Input) =>
  omit(input, 'operationType', ...(Object.keys(readOnlyFields) as (keyof typeof readOnlyFields)[]));

/** The body that creates or replaces a configuration. */
export const NewConfiguration = z
  .strictObject({
    ...fields,
    // The defaults stand here too so that the OpenAPI document says that these members are optional.
    retryIntervalSeconds: fields.retryIntervalSeconds.default(DEFAULTS.retryIntervalSeconds),
    retryTimeoutSeconds: fields.retryTimeoutSeconds.default(DEFAULTS.retryTimeoutSeconds),
    maxAttempts: fields.maxAttempts.default(DEFAULTS.maxAttempts),
    description: fields.description.default(DEFAULTS.description),
    enabled: z.boolean().default(true),
    authentication: AuthenticationInput.nullish(),
    ...readOnlyFields,
  })
  .transform(withoutReadOnly)
  .meta({ id: 'NewApiConfiguration' });
export type NewConfiguration = z.output<typeof NewConfiguration>;

/** The body that changes some fields of a configuration. */
export const ConfigurationChange = z
  .strictObject({
    ...z.object(fields).partial().shape,
    authentication: AuthenticationInput.nullish(),
    ...readOnlyFields,
  })
  .transform(withoutReadOnly)
  .refine((change) => Object.keys(change).length > 0, 'Change at least one field.')
  .meta({ id: 'ApiConfigurationChange' });
export type ConfigurationChange = z.output<typeof ConfigurationChange>;
