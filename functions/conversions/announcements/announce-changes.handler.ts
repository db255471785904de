/** The table's stream: puts what was announced on the bus, shows a new plan with its tenant, and confirms Scale by mail. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { showPlan, tenantById } from '#shared/auth/tenant-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { boundTable } from '#shared/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { AnnouncementItem } from './announcement-items.dynamodb.ts';
import { bus } from './bus.eventbridge.ts';
import { confirmation, isScaleConfirmed, planChangeIn } from './confirmation.ts';
import { mails } from './mails.ses.ts';

/** `MAIL_FROM` is blank where no sender is configured: the event is all there is then. */
export const Env = z.object({ ...accountsTable, EVENT_BUS: resource, MAIL_FROM: z.string() });
const env = readEnv(Env);
const accounts = boundTable(env.ACCOUNTS_TABLE);
const events = bus(env.EVENT_BUS);
const sender = mails(env.MAIL_FROM);

/** In order. A failure gives back the rest: the same event twice makes no second webhook, and a mail may come twice. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const record of records) {
    try {
      await announce(record);
    } catch (error) {
      log.error('not announced', { error });
      countFault();
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
    }
  }
  return { batchItemFailures: [] };
});

async function announce({ dynamodb }: DynamoDBRecord): Promise<void> {
  const image = dynamodb?.NewImage as Parameters<typeof unmarshall>[0] | undefined;
  if (!image) return;
  const { tenant, id, trigger, recordType, recordId, data, time } = AnnouncementItem.parse(unmarshall(image));
  await events.put({ tenant, id, module: 'conversions', trigger, recordType, recordId, data, time });
  const change = planChangeIn({ trigger, data });
  if (!change) return;
  await showPlan(accounts, tenant, change);
  if (!isScaleConfirmed(change)) return;
  const account = await tenantById(accounts, tenant);
  if (account && account.email !== '') await sender.send(confirmation(account));
}
