import { Construct } from 'constructs';
import type { ANNOUNCEMENT, UNANNOUNCED } from '../../../functions/conversions/table-keys.ts';
import { announcesOn, sendsMailAs } from '../../constructs/functions/bindings.ts';
import { everyHour } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { TableStream } from '../../constructs/functions/table-stream.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';
import { addErasure } from './erasure.ts';
import { addManagement } from './management.ts';
import { addRoutes } from './routes.ts';

const LATE_USAGE_SECONDS = 10;

/** The metered conversion API: its routes, its meter, and what follows from both. */
export class Conversions extends Construct {
  constructor(scope: Construct, id: string, on: Foundations) {
    super(scope, id);
    const lateUsage = new WorkQueue(this, 'LateUsage', { workerTimeoutSeconds: LATE_USAGE_SECONDS });
    addRoutes(this, on, lateUsage);
    addManagement(this, on);
    addLateUsage(this, on, lateUsage);
    addInvoices(this, on);
    addAnnouncements(this, on);
    addErasure(this, on);
  }
}

function addLateUsage(scope: Construct, { data: { conversions } }: Foundations, queue: WorkQueue) {
  const recordLateUsage = new ServiceFunction(scope, 'conversions/billing/late-usage/record-late-usage', {
    timeoutSeconds: LATE_USAGE_SECONDS,
    bindings: {
      CONVERSIONS_TABLE: conversions.table.allows({ 'METER#': ['GetItem', 'UpdateItem'], 'LATE_USAGE#': ['PutItem'] }),
    },
    ifItFails: 'Conversions that were served during an outage of the meter are not counted.',
  });
  queue.workedOnBy(recordLateUsage, { batchSize: 10, maxConcurrency: 5 });
}

function addInvoices(scope: Construct, { data: { conversions } }: Foundations) {
  const writeInvoices = new ServiceFunction(scope, 'conversions/billing/invoices/write-invoices', {
    timeoutSeconds: 300,
    bindings: {
      CONVERSIONS_TABLE: conversions.table.allows(
        {
          'METER#': ['GetItem', 'UpdateItem'],
          'PERIOD#': ['GetItem', 'UpdateItem'],
          'INVOICE#': ['PutItem'],
          'ANNOUNCEMENT#': ['PutItem'],
          'USAGE#': ['UpdateItem'],
        },
        { lists: ['OPEN_PERIODS'] },
      ),
    },
    ifItFails: 'Invoices of periods that have ended come late.',
  });
  everyHour(scope, 'WriteInvoicesEveryHour', writeInvoices, 'Writes invoices of periods that have ended.');
}

function addAnnouncements(scope: Construct, { data, edge: { events } }: Foundations) {
  const { table } = data.conversions;
  const bindings = (lists: { lists?: readonly (typeof UNANNOUNCED)[] }) => ({
    ACCOUNTS_TABLE: data.accounts.table.allows({ 'ACCOUNT#': ['GetItem', 'UpdateItem'] }),
    CONVERSIONS_TABLE: table.allows({ 'ANNOUNCEMENT#': ['UpdateItem'] }, lists),
    EVENT_BUS: announcesOn(events, 'conversions'),
    MAIL_FROM: sendsMailAs(scope, settingsOf(scope).mailFrom),
  });
  const announceChanges = new ServiceFunction(scope, 'conversions/billing/announcements/announce-changes', {
    timeoutSeconds: 60,
    bindings: bindings({}),
    ifItFails: 'Events of quotas, plans, payments and invoices are sent an hour late, by the sweeper.',
  });
  const announcement: typeof ANNOUNCEMENT = 'ANNOUNCEMENT#';
  new TableStream(scope, 'Announcements', {
    table,
    reader: announceChanges,
    filters: [{ eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: announcement }] } } } }],
  });
  const sweepAnnouncements = new ServiceFunction(scope, 'conversions/billing/announcements/sweep-announcements', {
    timeoutSeconds: 300,
    bindings: bindings({ lists: ['UNANNOUNCED'] }),
    ifItFails: 'Events that the stream reader has given up are not sent.',
  });
  everyHour(scope, 'SweepEveryHour', sweepAnnouncements, 'Tells of changes that the stream did not.');
}
