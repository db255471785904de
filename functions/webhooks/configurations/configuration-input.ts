import * as z from 'zod';
import { StatedAuthentication } from './authentication.ts';
import { OPERATION_TYPE } from './configuration.ts';
import { Signature } from './signing.ts';

const NAME_CHARACTERS_MAX = 50;
const DESCRIPTION_CHARACTERS_MAX = 500;

/** Characters as people count them: an emoji counts once, not as two halves. */
const atMost = (max: number) => (text: string) => Array.from(text).length <= max;

/** One line, so that it can be read in a delivery log and picked from a list. */
const name = z
  .string()
  .trim()
  .normalize()
  .min(1, 'must not be blank')
  .refine(atMost(NAME_CHARACTERS_MAX), `must have at most ${NAME_CHARACTERS_MAX} characters`)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not hold control characters');

const description = z
  .string()
  .trim()
  .refine(atMost(DESCRIPTION_CHARACTERS_MAX), `must have at most ${DESCRIPTION_CHARACTERS_MAX} characters`)
  .refine((text) => text.isWellFormed(), 'must be Unicode text');

const isBlank = (value: unknown) => value === '' || value === null || value === undefined;

/** Blank means the value that the specification gives it. */
const unlessBlank = <Schema extends z.ZodType>(schema: Schema, otherwise: z.output<Schema>) =>
  z.preprocess((value) => (isBlank(value) ? otherwise : value), schema);

const whole = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
};

/**
 * Members that answers show and callers cannot choose. Answers may be sent back as they are, so they are accepted and
 * ignored.
 */
const shown = {
  id: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
  signingSecret: z.unknown().optional(),
  signingSecretSet: z.unknown().optional(),
  previousSigningSecretEndsAt: z.unknown().optional(),
};

const fields = {
  name,
  targetUrl: z.string().trim().min(1, 'must not be blank'),
  retryIntervalSeconds: unlessBlank(whole(0, 86_400), 0),
  retryTimeoutSeconds: unlessBlank(whole(1, 120), 30),
  maxAttempts: unlessBlank(whole(1, 20), 3),
  description: unlessBlank(description, ''),
  signature: Signature.optional(),
  enabled: z.boolean(),
  operationType: z.literal(OPERATION_TYPE, `can only be ${OPERATION_TYPE}`).optional(),
};

/** Without the members that callers cannot choose. */
function chosen<Stated extends object>(stated: Stated) {
  const members = Object.entries(stated).filter(([name]) => name !== 'operationType' && !Object.hasOwn(shown, name));
  return Object.fromEntries(members) as Omit<Stated, keyof typeof shown | 'operationType'>;
}

/** A configuration, stated in full. */
export const NewConfiguration = z
  .strictObject({
    ...fields,
    enabled: z.boolean().default(true),
    authentication: StatedAuthentication.nullish(),
    ...shown,
  })
  .transform(chosen);
export type NewConfiguration = z.output<typeof NewConfiguration>;

/** The fields to change. */
export const ConfigurationChange = z
  .strictObject({ ...z.object(fields).partial().shape, authentication: StatedAuthentication.nullish(), ...shown })
  .transform(chosen)
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.');
export type ConfigurationChange = z.output<typeof ConfigurationChange>;
