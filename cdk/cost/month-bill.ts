/**
 * The monthly cost of use, by service: list prices of us-east-1 in dollars, without free tiers. Storage is charged for its
 * full retention period, which equals the cost of a month once use is steady.
 */
import { type BillLine, dollarsOf } from './idle-bill.ts';
import type { Month } from './month.ts';
import { OPERATIONS, type Operation, type OperationName } from './operations.ts';
import { PRICES, type PricedUnit } from './prices.ts';

export interface ServiceBill {
  readonly service: string;
  readonly computing: number;
  readonly egress: number;
  readonly storage: number;
  /** Log lines, traces and metrics. */
  readonly logs: number;
}

/** The time for which a service stores what it is used for. */
export const STORED = {
  resultDays: 7,
  pictureDays: 400,
  /** The first of them in the standard class, the others in infrequent access. */
  standardPictureDays: 30,
} as const;

const MONTH_DAYS = 365 / 12;
const GIGABYTE = 1e9;
const prices = PRICES.perUnit;
/** A table with recovery to a point in time. */
const RECOVERABLE = prices.dynamoDbGigabyteMonth + prices.dynamoDbRecoveryGigabyteMonth;

const LOGGED: readonly PricedUnit[] = ['logGigabyte', 'xrayTrace'];

/** Bytes of headers and framing around the body of an answer or a webhook. */
const HEADER_BYTES = 500;
/** Ten records, twenty places (functions/places/README.md), and one result. */
const PREVIEW_RECORDS = 10;
const LISTING_BYTES = 10_400;
const SMALL_ANSWER_BYTES = 500;

/** Items of a webhook besides its body: run, line of the log, keys; and the run's entry in the index of the log. */
const RUN_BYTES = 1_600;
const RUN_INDEX_BYTES = 1_000;
/** The 17 items by which the perceptual hash of a picture is found. */
const POINTERS_BYTES = 17 * 200;

interface Service {
  readonly service: string;
  readonly operations: readonly OperationName[];
  readonly sentBytes: (month: Month) => number;
  readonly storage?: (month: Month, webhookDays: number) => number;
}

const SERVICES: readonly Service[] = [
  {
    service: 'search and downloads',
    operations: ['previews', 'records'],
    sentBytes: ({ previews, records, recordBytes }) =>
      previews * (PREVIEW_RECORDS * recordBytes + HEADER_BYTES) + records * recordBytes,
    storage: ({ records, recordBytes }) => records * storedFor(recordBytes, STORED.resultDays, prices.s3GigabyteMonth),
  },
  {
    service: 'webhooks',
    operations: ['deliveries'],
    sentBytes: ({ deliveries, webhookBytes }) => deliveries * (webhookBytes + HEADER_BYTES + SMALL_ANSWER_BYTES),
    storage: ({ deliveries, webhookBytes }, webhookDays) =>
      deliveries *
      (storedFor(RUN_BYTES + webhookBytes, webhookDays, RECOVERABLE) +
        storedFor(RUN_INDEX_BYTES, webhookDays, prices.dynamoDbGigabyteMonth)),
  },
  {
    service: 'conversions',
    operations: ['conversions'],
    sentBytes: ({ conversions }) => conversions * (SMALL_ANSWER_BYTES + HEADER_BYTES),
  },
  {
    service: 'places',
    operations: ['listings', 'checkIns'],
    sentBytes: ({ listings, checkIns }) => listings * LISTING_BYTES + checkIns * (SMALL_ANSWER_BYTES + HEADER_BYTES),
  },
  {
    service: 'images',
    operations: ['receipts'],
    sentBytes: ({ receipts }) => receipts * (SMALL_ANSWER_BYTES + HEADER_BYTES),
    storage: ({ receipts, pictureBytes }) => receipts * (pictureDollars(pictureBytes) + POINTERS_DOLLARS),
  },
];

const storedFor = (bytes: number, days: number, gigabyteMonth: number) =>
  (bytes / GIGABYTE) * (days / MONTH_DAYS) * gigabyteMonth;

/** Storing a picture until it is deleted. */
export function pictureDollars(bytes: number): number {
  const { pictureDays, standardPictureDays } = STORED;
  return (
    storedFor(bytes, standardPictureDays, prices.s3GigabyteMonth) +
    storedFor(bytes, pictureDays - standardPictureDays, prices.s3InfrequentGigabyteMonth) +
    prices.s3InfrequentMove
  );
}

/** Storing the items by which a picture is found. */
export const POINTERS_DOLLARS = storedFor(POINTERS_BYTES, STORED.pictureDays, RECOVERABLE);

/** The bill of each service. @param webhookDays the number of days that the delivery log goes back */
export function monthBill(month: Month, { webhookDays }: { readonly webhookDays: number }): ServiceBill[] {
  const sent = SERVICES.map(({ sentBytes }) => sentBytes(month) / GIGABYTE);
  const gigabytes = sent.reduce((sum, each) => sum + each, 0);
  // All services share the tiers of the account.
  const perGigabyte = gigabytes > 0 ? egressDollars(gigabytes) / gigabytes : 0;
  return SERVICES.map(({ service, operations, storage }, at) => {
    const dollars = (isLogged: boolean) =>
      operations.reduce((sum, name) => sum + month[name] * operationDollars(name, isLogged), 0);
    return {
      service,
      computing: dollars(false),
      egress: (sent[at] ?? 0) * perGigabyte,
      storage: storage?.(month, webhookDays) ?? 0,
      logs: dollars(true),
    };
  });
}

function operationDollars(name: OperationName, isLogged: boolean): number {
  const { units, records = {} }: Operation = OPERATIONS[name];
  const counts = [units, records].flatMap((each) => Object.entries(each) as [PricedUnit, number][]);
  return counts
    .filter(([unit]) => LOGGED.includes(unit) === isLogged)
    .reduce((sum, [unit, quantity]) => sum + quantity * prices[unit], 0);
}

/** Transfer to the internet, each tier at its price. */
export function egressDollars(gigabytes: number): number {
  let dollars = 0;
  let below = 0;
  for (const { upTo, price } of PRICES.egressGigabyte) {
    dollars += Math.max(0, Math.min(gigabytes, upTo) - below) * price;
    below = upTo;
  }
  return dollars;
}

/** The sum of a service. */
export const totalOf = ({ computing, egress, storage, logs }: ServiceBill): number =>
  computing + egress + storage + logs;

const figuresOf = ({ computing, egress, storage, logs }: ServiceBill) => [computing, egress, storage, logs];
const sumOf = (bill: readonly ServiceBill[]) =>
  [0, 1, 2, 3].map((at) => bill.reduce((sum, one) => sum + (figuresOf(one)[at] ?? 0), 0));
const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const figure = (dollars: number) =>
  dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A row with the sums of all services, the idle part and the total. */
export function monthRow(name: string, bill: readonly ServiceBill[], idle: readonly BillLine[]): string {
  const parts = [...sumOf(bill), dollarsOf(idle)];
  return rowOf([name, ...parts.map(figure), figure(parts.reduce((sum, part) => sum + part, 0))]);
}

/** The bill by service as a table in Markdown, with what the stage costs idle. */
export function billText(bill: readonly ServiceBill[], idle: readonly BillLine[]): string {
  return [
    rowOf(['dollars a month', 'computing, requests', 'egress', 'storage', 'logs, traces', 'idle part', 'total']),
    rowOf(['---', ...Array.from({ length: 6 }, () => '---:')]),
    ...bill.map((one) => rowOf([one.service, ...figuresOf(one).map(figure), '', figure(totalOf(one))])),
    rowOf(['idle: alarms, polls, keys, schedules', '', '', '', '', figure(dollarsOf(idle)), figure(dollarsOf(idle))]),
    monthRow('total', bill, idle),
  ].join('\n');
}
