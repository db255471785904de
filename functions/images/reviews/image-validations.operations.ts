import * as z from 'zod';
import { named, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { InvalidCode, ValidationStatus, ValidationType } from '../validations/validation-schemas.ts';
import { AmountText } from './amount.ts';
import { DAYS, ENTRIES_MAX } from './days.ts';
import { ExaminationSummary, TextBox } from './examination-view.ts';
import { COUNTED_MAX, ListQuery, ReviewRequest } from './review-request.ts';

const day = z.iso.date().optional();
const text = z.string().optional();
const line = {
  name: z.string().meta({ description: "The product's UPC, or its name." }),
  description: z.string(),
  price: AmountText.meta({ description: 'The price of the whole line.' }),
  quantity: z.int(),
  points: z.int(),
};
const ReviewLine = named('ReviewLine', z.object(line), 'A receipt line as a person states it.');
const ResultLine = named(
  'ResultLine',
  z.object({ id: z.string(), ...line }),
  'A receipt line that counts for the campaign.',
);

const Claim = named(
  'Claim',
  z.object({ by: z.string(), byName: text, until: Time }),
  'While a claim is live, nobody else may decide the validation.',
);

const Doubt = named('Doubt', z.object({ reason: z.string(), code: InvalidCode }), 'A reason why a person must look.');

const Award = named(
  'Award',
  z.object({ storeName: text, receiptDate: day, results: z.array(ResultLine) }),
  'What a valid validation shows of its receipt.',
);

const RequestedReview = named(
  'RequestedReview',
  z.object({
    requestedAt: Time,
    until: Time,
    doubts: z.array(Doubt),
    proposal: Award.optional().meta({ description: 'What applies if the reviewer accepts and states nothing else.' }),
  }),
  'A review that was asked for. If nobody decides until then, the code of the first doubt applies.',
);

const validation = {
  id: z.int(),
  revision: z.int(),
  validationType: ValidationType,
  status: ValidationStatus,
  needsReview: z.boolean(),
  campaignId: z.int(),
  campaignPermalink: z.string(),
  app: z.string(),
  customer: z.string(),
  customerExternalId: text,
  anonymous: z.boolean(),
  placementId: text,
  externalId: text,
  data: z.unknown().optional().meta({ type: 'object', description: "The client's free-form object." }),
  imageCount: z.int(),
  review: RequestedReview.optional(),
  claim: Claim.optional(),
  invalidCode: InvalidCode.optional(),
  invalidReason: text,
  storeName: text,
  receiptDate: day,
  results: z.array(ResultLine).optional(),
  points: z
    .int()
    .optional()
    .meta({ description: 'The points that the customer was awarded, for the validation and its lines together.' }),
  createdAt: Time,
  updatedAt: Time,
};

const author = {
  by: z.string().optional().meta({ description: 'The subject of the token, or the id of the management key.' }),
  at: Time,
};
const Decision = z.union([
  named(
    'ValidDecision',
    z.object({
      status: z.enum(['valid']),
      storeName: text,
      receiptDate: day,
      results: z.array(ReviewLine).optional(),
      ...author,
    }),
  ),
  named(
    'InvalidDecision',
    z.object({ status: z.enum(['invalid']), invalidCode: InvalidCode, invalidReason: text, ...author }),
  ),
]);

const ReadItem = named(
  'ReadItem',
  z.object({
    name: z.string(),
    quantity: z.number(),
    price: AmountText,
    code: text,
    box: z.optional(TextBox),
    readings: z
      .array(named('ReadItemReading', z.object({ name: z.string(), quantity: z.number(), price: AmountText })))
      .optional()
      .meta({ description: 'The line in each reading of the picture that shows it.' }),
  }),
  'A line of a receipt as it was read.',
);

const amount = AmountText.optional();
const box = z.optional(TextBox);
const Reading = named(
  'Reading',
  z.object({
    storeName: text,
    receiptDate: text,
    total: amount,
    subtotal: amount,
    tax: amount,
    currency: text,
    items: z.array(ReadItem),
    readings: named(
      'Readings',
      z.object({ storeName: z.array(z.string()), receiptDate: z.array(z.string()), total: z.array(AmountText) }),
      'What each reading of the picture shows, and each close-up of the date. Readings are independent of each other.',
    ).optional(),
    boxes: named('ReadingBoxes', z.object({ storeName: box, receiptDate: box, total: box, subtotal: box, tax: box })),
    doubts: z.array(z.string()),
  }),
  'What was read on a receipt, and where. What was not found is absent.',
);

const ImageView = named(
  'ExaminedImage',
  z.object({
    id: z.string(),
    mimeType: z.string(),
    format: z.enum(['jpeg', 'png', 'gif', 'tiff', 'pdf']).optional(),
    bytes: z.int().optional(),
    sha256: text,
    url: text.meta({ description: 'A link to the picture, valid for 15 minutes; absent until it is stored.' }),
    uploadRefusal: z
      .enum(['too-large', 'no-image'])
      .optional()
      .meta({ description: 'Why the last upload was refused. Another one is awaited.' }),
    examination: z.optional(ExaminationSummary),
    reading: Reading.optional(),
  }),
  'An image of a validation, as far as it is stored and examined.',
);

const ImageValidation = named(
  'ImageValidation',
  z.object(validation),
  'Receipts or pictures that a customer submitted for a campaign.',
);

const ImageValidationPage = named(
  'ImageValidationPage',
  z.object({
    items: z.array(ImageValidation),
    nextCursor: text,
    count: named('Count', z.object({ value: z.int().max(COUNTED_MAX), isMore: z.boolean() }))
      .optional()
      .meta({ description: `The number of validations, up to ${COUNTED_MAX}. Present if it was asked for.` }),
  }),
);

const ReviewedValidation = named('ReviewedValidation', z.object({ ...validation, decision: Decision }));

const ReviewMaterial = named(
  'ReviewMaterial',
  z.object({
    ...validation,
    decision: Decision.optional(),
    canExamineAgain: z.boolean().meta({
      description:
        'True while the validation awaits a person after a technical failure, or after an older reader has read it.',
    }),
    reading: Reading.optional().meta({ description: 'The reading of the first image with a receipt.' }),
    images: z.array(ImageView),
  }),
  'A validation with everything that a reviewer needs.',
);

const DayCount = named(
  'ValidationsOfDay',
  z.object({
    date: z.iso.date(),
    valid: z.int(),
    invalid: z.int(),
    undecided: z.int().meta({ description: 'Those that are incomplete or pending.' }),
  }),
  'The validations of a campaign that were created on one UTC day, by verdict.',
);

const one = { path: ItemPath };
const subject = { 403: ['subject-required'] };

/** Operations on image validations and their reviews. */
export const imageValidationOperations = operations({
  listImageValidations: {
    route: 'GET /manage/v1/image-validations',
    summary: 'List image validations',
    description:
      'Validations that need a review are pending. `customer` cannot be combined with `status` or `needsReview`, nor `campaign` with any of these.',
    query: ListQuery,
    answers: { 200: ImageValidationPage },
  },
  countImageValidations: {
    route: 'GET /manage/v1/loyalty/campaigns/{permalink}/validations-by-day',
    summary: 'Count the image validations of a campaign by day',
    description: `The last ${DAYS} UTC days, today included. If there are more than ${ENTRIES_MAX.toLocaleString('en')} validations, only the newest whole days that these cover.`,
    path: z.object({ permalink: z.string().max(100) }),
    answers: { 200: named('ValidationsByDay', z.object({ days: z.array(DayCount) })) },
  },
  getImageValidation: {
    route: 'GET /manage/v1/image-validations/{id}',
    summary: 'Get an image validation',
    description: 'Whoever has its links can open the pictures.',
    ...one,
    answers: { 200: ReviewMaterial },
  },
  reviewImageValidation: {
    route: 'POST /manage/v1/image-validations/{id}/review',
    summary: 'Review an image validation',
    description:
      'The validation changes a moment after the decision is stored. Repeating the same decision has the same answer.',
    ...one,
    body: ReviewRequest,
    example: {
      status: 'valid',
      storeName: 'Cedar Supply Co',
      receiptDate: '2026-09-15',
      results: [{ name: 'Oak board', price: '12.50', quantity: 2, points: 10 }],
    },
    answers: { 202: ReviewedValidation },
    errors: { 409: ['already-decided', 'changed-meanwhile', 'claimed', 'not-pending'] },
  },
  claimImageValidation: {
    route: 'POST /manage/v1/image-validations/{id}/claim',
    summary: 'Claim an image validation',
    description: 'A claim lasts ten minutes. Claiming again extends it.',
    ...one,
    answers: { 200: named('ClaimedValidation', z.object({ claim: Claim })) },
    errors: { ...subject, 409: ['claimed', 'needs-no-review'] },
  },
  releaseImageValidation: {
    route: 'DELETE /manage/v1/image-validations/{id}/claim',
    summary: 'Release an image validation',
    ...one,
    answers: { 204: undefined },
    errors: subject,
  },
});
