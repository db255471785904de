import * as z from 'zod/mini';

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** Gives a variable of an event an example and its meaning, for rules and documents. */
function variable<Schema extends z.core.$ZodType>(
  schema: Schema,
  sample: z.core.output<Schema>,
  description: string,
): Schema {
  z.globalRegistry.add(schema, { description, examples: [sample] });
  return schema;
}

/**
 * An event of a trigger.
 * @param name its name in the documents
 * @param record the type and an example of the id of what it is about
 */
const event = <const Data extends Shape>(
  name: string,
  [recordType, recordId]: readonly [type: string, id: string],
  data: Data,
) => ({ name, recordType, recordId, data: z.object(data) });

/** The variables that every event has. */
export const COMMON_VARIABLES = {
  requestId: variable(z.string(), '4711', 'The id of the record that the event is about: its recordId.'),
  tenantId: variable(z.string(), 'demo', 'The tenant.'),
  createdAt: variable(
    z.iso.datetime(),
    '2026-11-21T10:00:00.000Z',
    'When the record was made, if the event says so; otherwise the time of the event.',
  ),
  updatedAt: variable(
    z.iso.datetime(),
    '2026-11-21T10:00:00.000Z',
    'When the record was changed, if the event says so; otherwise the time of the event.',
  ),
} as const;

const payment = (name: string, state: string) =>
  event(name, ['payment', 'payment-evt-1042'], {
    payment: variable(z.string(), 'pay-77', 'The id of the payment, as the payment provider knows it.'),
    plan: variable(z.string(), 'scale', 'The plan of the account.'),
    state: variable(z.string(), state, 'The state of the account after the payment event.'),
  });

const validation = <const Data extends Shape>(name: string, data: Data) =>
  event(name, ['image validation', '1795687200000123'], {
    app: variable(z.string(), 'demo-app', 'The key of the loyalty app.'),
    customer: variable(z.string(), 'demo-user', 'The customer who submitted the record.'),
    customerExternalId: variable(
      z.nullable(z.string()),
      'demo-external',
      'The customer id that the client uses; null for an anonymous one.',
    ),
    validationType: variable(z.string(), 'receipt', 'receipt or image.'),
    campaignId: variable(z.int(), 1, 'The id of the campaign.'),
    campaignPermalink: variable(z.string(), 'demo-receipts', 'The permalink of the campaign.'),
    placementId: variable(z.nullable(z.string()), null, 'The submitted placement; null without one.'),
    externalId: variable(z.nullable(z.string()), null, 'The record id that the client uses; null without one.'),
    submittedAt: variable(z.iso.datetime(), '2026-11-21T09:55:04.000Z', 'When it was submitted.'),
    ...data,
  });

/**
 * The events that the service itself announces, by module and trigger. Their domains make them, rules use their
 * variables, and the document of the management API describes them, all by these schemas.
 */
export const BUILT_IN_EVENTS = {
  conversions: {
    'Quota threshold reached': event('QuotaThresholdReached', ['quota', 'quota-live-2026-11-80'], {
      quota: variable(z.enum(['live', 'test']), 'live', 'The quota: live or test.'),
      percent: variable(z.int(), 80, '50, 80, 90 or 100, each once per period.'),
      used: variable(z.int(), 80_000, 'Requests used in the period.'),
      limit: variable(z.int(), 100_000, 'Requests of the period.'),
      resetsAt: variable(
        z.nullable(z.iso.datetime()),
        '2026-12-01T00:00:00.000Z',
        'When the next period begins; null for the test quota.',
      ),
    }),
    'Plan changed': event('PlanChanged', ['plan', 'plan-7'], {
      plan: variable(z.string(), 'scale', 'The plan now.'),
      previousPlan: variable(z.string(), 'growth', 'The plan before.'),
      state: variable(z.string(), 'active', 'The state of the account now.'),
      previousState: variable(z.string(), 'active', 'The state of the account before.'),
      version: variable(z.int(), 7, 'A number that grows with each change, to put events in order.'),
    }),
    'Payment failed': payment('PaymentFailed', 'scale_dunning'),
    'Payment settled': payment('PaymentSettled', 'active'),
    'Invoice is written': event('InvoiceWritten', ['invoice', 'invoice-inv-2026-11'], {
      invoice: variable(z.string(), 'inv-2026-11', 'The id of the invoice.'),
      amount: variable(z.string(), '99.00', 'The amount before tax, as decimal text.'),
      currency: variable(z.string(), 'USD', 'The currency of the amount.'),
      reason: variable(z.string(), 'period', 'The reason for the invoice: upgrade or period.'),
    }),
  },
  places: {
    'Check-in made': event('CheckInMade', ['check-in', 'chk_5R8xQz0m'], {
      app: variable(z.string(), 'demo-app', 'The key of the loyalty app.'),
      customer: variable(z.string(), 'demo-user', 'The customer who checked in.'),
      externalId: variable(
        z.nullable(z.string()),
        'demo-external',
        'The customer id that the client uses; null for an anonymous one.',
      ),
      place: variable(z.string(), 'space-needle', 'The id of the place.'),
      placeName: variable(z.string(), 'Space Needle', 'The name of the place.'),
      brand: variable(z.string(), 'Space Needle', 'The brand of the place.'),
      points: variable(z.int(), 10, 'The points that the check-in is worth.'),
      creativeId: variable(z.nullable(z.int()), null, 'The ad unit that promoted the place; null without one.'),
      distance: variable(z.number(), 12.4, 'Metres between customer and place.'),
      checkedInAt: variable(z.iso.datetime(), '2026-11-21T10:00:00.000Z', 'The time of the check-in.'),
      canCheckInAgainAt: variable(
        z.iso.datetime(),
        '2026-11-22T10:00:00.000Z',
        'The time from which the customer can check in there again.',
      ),
    }),
  },
  images: {
    'Validation is decided': validation('ValidationDecided', {
      status: variable(z.enum(['valid', 'invalid']), 'valid', 'valid or invalid.'),
      invalidCode: variable(z.nullable(z.int()), null, 'Why it is invalid, as a code; null for a valid record.'),
      invalidReason: variable(z.nullable(z.string()), null, 'Why it is invalid, in words; null for a valid record.'),
      storeName: variable(
        z.nullable(z.string()),
        'Northwind',
        'The store; null if not found, or for an invalid record.',
      ),
      receiptDate: variable(
        z.nullable(z.string()),
        '2026-11-19',
        'The date of the receipt; null if not found, or for an invalid record.',
      ),
      resultCount: variable(z.int(), 2, 'How many lines of the receipt count for the campaign.'),
      decidedAt: variable(z.iso.datetime(), '2026-11-21T10:00:00.000Z', 'When it was decided.'),
    }),
    'Review is needed': validation('ReviewNeeded', {
      doubts: variable(
        z.array(z.string()),
        ['No product of the campaign was found.'],
        'The reasons for the review, as a list.',
      ),
      requestedAt: variable(z.iso.datetime(), '2026-11-21T10:00:00.000Z', 'When the review was requested.'),
      reviewUntil: variable(
        z.iso.datetime(),
        '2026-11-24T10:00:00.000Z',
        'The service decides if there is no review by then.',
      ),
    }),
  },
  downloads: {
    'Download is completed': event('DownloadCompleted', ['download', '9152000123'], {
      dataType: variable(z.string(), 'businesses', 'businesses, products or properties.'),
      query: variable(z.string(), 'categories:hotels AND city:austin', 'The query of the download.'),
      view: variable(z.string(), 'businesses_all', 'Which fields its records have.'),
      format: variable(z.string(), 'json', 'json or csv.'),
      numFound: variable(z.int(), 25_000, 'How many records match.'),
      numRequested: variable(z.int(), 25_000, 'How many were requested.'),
      numDownloaded: variable(z.int(), 25_000, 'How many were delivered.'),
      files: variable(z.int(), 3, 'How many files hold them.'),
      error: variable(
        z.nullable(z.string()),
        null,
        'The reason why not all records were delivered; null if they were.',
      ),
      startedAt: variable(z.iso.datetime(), '2026-11-21T09:58:40.000Z', 'When the download started.'),
      completedAt: variable(z.iso.datetime(), '2026-11-21T10:00:00.000Z', 'When it ended.'),
    }),
    'Import is completed': event('ImportCompleted', ['import', 'u3x0JfQ7Wl9pZc2TaYhK'], {
      status: variable(z.string(), 'COMPLETED', 'COMPLETED, or FAILED if the rest of the file was not read.'),
      type: variable(z.string(), 'places', 'What was imported: places, businesses, products or properties.'),
      file: variable(z.string(), 'cafes.csv', 'The name of the file.'),
      key: variable(z.string(), 'demo/cafes.csv', 'The key in the import bucket.'),
      lines: variable(z.int(), 1_200, 'Lines that were read.'),
      imported: variable(z.int(), 1_190, 'How many records were created or replaced.'),
      deleted: variable(z.int(), 2, 'How many were deleted.'),
      rejected: variable(z.int(), 8, 'How many lines were rejected.'),
      error: variable(z.nullable(z.string()), null, 'Why it failed; null if it did not.'),
      startedAt: variable(z.iso.datetime(), '2026-11-21T09:59:10.000Z', 'When the import started.'),
      completedAt: variable(z.iso.datetime(), '2026-11-21T10:00:00.000Z', 'When it ended.'),
    }),
  },
} as const;

type Events = typeof BUILT_IN_EVENTS;

/** The data of the events of a trigger. */
export type EventData<
  Module extends keyof Events,
  Trigger extends keyof Events[Module],
> = Events[Module][Trigger] extends {
  readonly data: infer Schema extends z.core.$ZodType;
}
  ? Readonly<z.core.output<Schema>>
  : never;
