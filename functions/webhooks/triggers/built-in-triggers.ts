import type { BuiltInModule } from '../modules/module.ts';
import type { TriggersOf, Variables } from './trigger-events.ts';

const payment = (state: string) => ({
  recordType: 'payment',
  recordId: 'payment-evt-1042',
  data: {
    payment: ['pay-77', 'The id of the payment, as the payment provider knows it.'],
    plan: ['scale', 'The plan of the account.'],
    state: [state, 'The state of the account after the payment event.'],
  } satisfies Variables,
});

const validation = (data: Variables) => ({
  recordType: 'image validation',
  recordId: '1795687200000123',
  data: {
    app: ['demo-app', 'The key of the loyalty app.'],
    customer: ['demo-user', 'The customer who submitted the record.'],
    customerExternalId: ['demo-external', 'The customer id that the client uses; null for an anonymous one.'],
    validationType: ['receipt', 'receipt or image.'],
    campaignId: [1, 'The id of the campaign.'],
    campaignPermalink: ['demo-receipts', 'The permalink of the campaign.'],
    placementId: [null, 'The submitted placement; null without one.'],
    externalId: [null, 'The record id that the client uses; null without one.'],
    submittedAt: ['2026-11-21T09:55:04.000Z', 'When it was submitted.'],
    ...data,
  } satisfies Variables,
});

/**
 * The variables of the built-in modules: exactly those that their domains announce. A test compares each list with the
 * announcements of its domain.
 */
export const BUILT_IN_TRIGGERS: TriggersOf<BuiltInModule> = {
  conversions: {
    'Quota threshold reached': {
      recordType: 'quota',
      recordId: 'quota-live-2026-11-80',
      data: {
        quota: ['live', 'The quota: live or test.'],
        percent: [80, '50, 80, 90 or 100, each once per period.'],
        used: [80_000, 'Requests used in the period.'],
        limit: [100_000, 'Requests of the period.'],
        resetsAt: ['2026-12-01T00:00:00.000Z', 'When the next period begins; null for the test quota.'],
      },
    },
    'Plan changed': {
      recordType: 'plan',
      recordId: 'plan-7',
      data: {
        plan: ['scale', 'The plan now.'],
        previousPlan: ['growth', 'The plan before.'],
        state: ['active', 'The state of the account now.'],
        previousState: ['active', 'The state of the account before.'],
        version: [7, 'A number that grows with each change, to put events in order.'],
      },
    },
    'Payment failed': payment('scale_dunning'),
    'Payment settled': payment('active'),
    'Invoice is written': {
      recordType: 'invoice',
      recordId: 'invoice-inv-2026-11',
      data: {
        invoice: ['inv-2026-11', 'The id of the invoice.'],
        amount: ['99.00', 'The amount before tax, as decimal text.'],
        currency: ['USD', 'The currency of the amount.'],
        reason: ['period', 'The reason for the invoice: upgrade or period.'],
      },
    },
  },
  places: {
    'Check-in made': {
      recordType: 'check-in',
      recordId: 'chk_5R8xQz0m',
      data: {
        app: ['demo-app', 'The key of the loyalty app.'],
        customer: ['demo-user', 'The customer who checked in.'],
        externalId: ['demo-external', 'The customer id that the client uses; null for an anonymous one.'],
        place: ['space-needle', 'The id of the place.'],
        placeName: ['Space Needle', 'The name of the place.'],
        brand: ['Space Needle', 'The brand of the place.'],
        points: [10, 'The points that the check-in is worth.'],
        creativeId: [null, 'The ad unit that promoted the place; null without one.'],
        distance: [12.4, 'Metres between customer and place.'],
        checkedInAt: ['2026-11-21T10:00:00.000Z', 'The time of the check-in.'],
        canCheckInAgainAt: ['2026-11-22T10:00:00.000Z', 'The time from which the customer can check in there again.'],
      },
    },
  },
  images: {
    'Validation is decided': validation({
      status: ['valid', 'valid or invalid.'],
      invalidCode: [null, 'Why it is invalid, as a code; null for a valid record.'],
      invalidReason: [null, 'Why it is invalid, in words; null for a valid record.'],
      storeName: ['Northwind', 'The store; null if not found, or for an invalid record.'],
      receiptDate: ['2026-11-19', 'The date of the receipt; null if not found, or for an invalid record.'],
      resultCount: [2, 'How many lines of the receipt count for the campaign.'],
      decidedAt: ['2026-11-21T10:00:00.000Z', 'When it was decided.'],
    }),
    'Review is needed': validation({
      doubts: [['No product of the campaign was found.'], 'The reasons for the review, as a list.'],
      requestedAt: ['2026-11-21T10:00:00.000Z', 'When the review was requested.'],
      reviewUntil: ['2026-11-24T10:00:00.000Z', 'The service decides if there is no review by then.'],
    }),
  },
  downloads: {
    'Download is completed': {
      recordType: 'download',
      recordId: '9152000123',
      data: {
        dataType: ['businesses', 'businesses, products or properties.'],
        query: ['categories:hotels AND city:austin', 'The query of the download.'],
        view: ['businesses_all', 'Which fields its records have.'],
        format: ['json', 'json or csv.'],
        numFound: [25_000, 'How many records match.'],
        numRequested: [25_000, 'How many were requested.'],
        numDownloaded: [25_000, 'How many were delivered.'],
        files: [3, 'How many files hold them.'],
        error: [null, 'The reason why not all records were delivered; null if they were.'],
        startedAt: ['2026-11-21T09:58:40.000Z', 'When the download started.'],
        completedAt: ['2026-11-21T10:00:00.000Z', 'When it ended.'],
      },
    },
    'Import is completed': {
      recordType: 'import',
      recordId: 'u3x0JfQ7Wl9pZc2TaYhK',
      data: {
        status: ['COMPLETED', 'COMPLETED, or FAILED if the rest of the file was not read.'],
        type: ['places', 'What was imported: places, businesses, products or properties.'],
        file: ['cafes.csv', 'The name of the file.'],
        key: ['demo/cafes.csv', 'The key in the import bucket.'],
        lines: [1_200, 'Lines that were read.'],
        imported: [1_190, 'How many records were created or replaced.'],
        deleted: [2, 'How many were deleted.'],
        rejected: [8, 'How many lines were rejected.'],
        error: [null, 'Why it failed; null if it did not.'],
        startedAt: ['2026-11-21T09:59:10.000Z', 'When the import started.'],
        completedAt: ['2026-11-21T10:00:00.000Z', 'When it ended.'],
      },
    },
  },
};
