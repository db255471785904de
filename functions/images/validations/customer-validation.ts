import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { answerOf } from '#shared/loyalty/loyalty-schemas';
import { InvalidCode, ValidationStatus, ValidationType } from './validation-schemas.ts';

const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .meta({ description: 'A time in UTC.', examples: ['2026-03-05 09:07:00'] });
const text = z.string().optional();

const CustomerImage = named(
  'CustomerImage',
  z.object({
    id: z.string(),
    url: text.meta({ description: 'A link to the picture, valid for an hour.' }),
    upload_url: text.meta({ description: 'Where to PUT a picture that has not arrived, valid for an hour.' }),
    error: named('UploadError', z.object({ code: z.enum(['validation']), message: z.string() }))
      .optional()
      .meta({ description: 'Why the last upload was refused.' }),
    mime_type: z.string(),
  }),
  'An image of a validation. It has `url`, or `upload_url` until its upload has arrived.',
);

const CustomerResult = named(
  'CustomerResult',
  z.object({
    id: z.string().meta({ description: 'The id of the validation, a hyphen, and the number of the line.' }),
    name: z.string().meta({ description: "The product's UPC, or its name." }),
    description: z.string(),
    price: z.number().meta({ description: 'The price of the whole line.' }),
    quantity: z.int(),
    points: z.int(),
  }),
  'A receipt line that counts for the campaign.',
);

/** A validation as `presentValidation` shows it to customers. */
export const CustomerValidation = named(
  'CustomerValidation',
  z.object({
    id: z.int(),
    validation_type: ValidationType,
    campaign_id: z.int(),
    campaign_permalink: z.string(),
    placement_id: text,
    external_id: text,
    user_id: z.string(),
    status: ValidationStatus,
    invalid_code: InvalidCode.optional(),
    invalid_reason: text,
    created_at: time,
    updated_at: time,
    image_count: z.int(),
    images: z.array(CustomerImage),
    data: z.unknown().optional().meta({ type: 'object', description: "The client's free-form object." }),
    results: z.array(CustomerResult).optional(),
    store_name: text,
    receipt_date: z.iso.date().optional(),
  }),
  'Receipts or pictures that a customer submitted for a campaign, and what became of them.',
);

/** The answer to a submission, and to an image that was added. */
export const ValidationAnswer = answerOf('ValidationAnswer', { image_validation: CustomerValidation });
