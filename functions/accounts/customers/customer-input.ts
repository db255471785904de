import * as z from 'zod';
import { EmailAddress } from '#shared/formats/email-address';
import { ReadOnly } from '#shared/http/answer-schemas';
import { EXTERNAL_ID_CHARACTERS_MAX } from '#shared/loyalty/customer';

const ATTRIBUTES_MAX = 50;
const ATTRIBUTES_BYTES_MAX = 10_240;

/**
 * Kept to the letter. Halves of surrogate pairs are all stored as one character, so two such names would be the same. The id is a part of
 * paths, and API Gateway routes no path with an encoded slash.
 */
const ExternalId = z
  .string()
  .min(1)
  .max(EXTERNAL_ID_CHARACTERS_MAX)
  .refine((text) => text.isWellFormed(), 'contains an invalid character')
  .refine((text) => !text.includes('/'), 'contains a slash, which no path can hold');

const AttributeRecord = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], 'must be a string, a number, true or false'),
);
const FlatRecord = AttributeRecord.refine(
  (record) => Object.keys(record).length <= ATTRIBUTES_MAX,
  `can have at most ${ATTRIBUTES_MAX} attributes`,
).refine(
  (record) => Buffer.byteLength(JSON.stringify(record)) <= ATTRIBUTES_BYTES_MAX,
  `is longer than ${ATTRIBUTES_BYTES_MAX} bytes`,
);

/**
 * The attributes that the tenant stores with a customer. Zod leaves `__proto__` out of a record without a word, so it is
 * refused here.
 */
export const Attributes = z
  .unknown()
  .refine((given) => !Object.hasOwn(Object(given), '__proto__'), 'has an attribute named __proto__')
  .pipe(FlatRecord)
  .meta({
    id: 'CustomerAttributes',
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    maxProperties: ATTRIBUTES_MAX,
    description: 'What the tenant stores with a customer, at most 10 KB as JSON. A change replaces all of it.',
  });
export type Attributes = z.output<typeof Attributes>;

export const NewCustomer = z
  .strictObject({
    externalId: ExternalId.optional(),
    email: EmailAddress.optional(),
    attributes: Attributes.default({}),
  })
  .meta({ id: 'NewCustomer' });
export type NewCustomer = z.output<typeof NewCustomer>;

/**
 * The fields to change; null removes one. Answers may be sent back as they are, so what they show besides these fields is
 * accepted and ignored.
 */
export const CustomerChange = z
  .strictObject({
    externalId: ExternalId.nullable().optional(),
    email: EmailAddress.nullable().optional(),
    attributes: Attributes.optional(),
    id: ReadOnly,
    availablePoints: ReadOnly,
    createdAt: ReadOnly,
    updatedAt: ReadOnly,
  })
  .transform(({ id: _id, availablePoints: _points, createdAt: _created, updatedAt: _updated, ...change }) => change)
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ id: 'CustomerChange' });
export type CustomerChange = z.output<typeof CustomerChange>;
