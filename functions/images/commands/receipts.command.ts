/** npm run receipts -- FILE…: sends pictures of receipts, and prints what they are decided to be and what was read. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { runCommand } from '#shared/command';
import { type Deployment, findDeployment } from '#shared/deployment.cloudformation';
import { variable } from '#shared/env';
import { dynamoDbClient } from '#shared/table.dynamodb';
import { slotOf } from '../validations/picture-keys.ts';
import { awaitsReview, isStored, type Validation } from '../validations/validation.ts';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { pictures } from '../workflow/pictures.s3.ts';
import { type ReceiptRow, receiptTable } from './receipt-table.ts';
import { type Submitter, submitted } from './submitted.https.ts';

const USAGE = `Usage: npm run receipts -- FILE… [--campaign PERMALINK] [--tenant ID] [--app KEY] [--user ID] [--stage NAME]
The secret of the app is given by the environment variable APP_SECRET.`;

const PATIENCE_MILLIS = 120_000;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      campaign: { type: 'string', default: 'demo-receipts' },
      tenant: { type: 'string', default: 'demo' },
      app: { type: 'string', default: 'demo-app' },
      user: { type: 'string', default: 'demo-user' },
      stage: { type: 'string' },
    },
  });
  if (positionals.length === 0) throw new Error(USAGE);
  const deployment = await findDeployment(values.stage);
  const secret = variable('APP_SECRET') ?? (values.stage === undefined ? 'demo-secret' : undefined);
  if (secret === undefined) throw new Error(USAGE);
  const url = deployment.output('ApiUrl').replace(/\/+$/, '');
  const submitter = { url, app: values.app, secret, user: values.user };
  const rows: ReceiptRow[] = [];
  for (const file of positionals) {
    rows.push(await rowOf(file, { submitter, deployment, tenant: values.tenant, campaign: values.campaign }));
    process.stderr.write(`${rows.length} of ${positionals.length}\r`);
  }
  console.log(receiptTable(rows));
  return 0;
});

interface Sending {
  readonly submitter: Submitter;
  readonly deployment: Deployment;
  readonly tenant: string;
  readonly campaign: string;
}

async function rowOf(path: string, { submitter, deployment, tenant, campaign }: Sending): Promise<ReceiptRow> {
  const file = basename(path);
  const sent = await submitted(submitter, { bytes: await readFile(path), campaign });
  if ('refused' in sent) return { file, verdict: 'refused', reason: sent.refused };
  const table = { name: deployment.output('ImagesTable'), client: dynamoDbClient(deployment.client) };
  const validation = await decided(() => validationById(table, { tenant, id: sent.id }));
  const store = pictures(
    deployment.output('ImagesPicturesBucket'),
    new S3Client({ ...deployment.client, forcePathStyle: deployment.client.endpoint !== undefined }),
  );
  const [image] = validation.images.filter(isStored);
  // What was refused early was not examined.
  const examined = image && (await unlessMissing(store.examination(validation, slotOf(image.key))));
  const { status, invalidCode, invalidReason, review } = validation;
  const verdict = awaitsReview(validation) ? 'review' : status;
  const reason = invalidReason === undefined ? review?.doubts[0]?.reason : `${invalidCode} ${invalidReason}`;
  return { file, verdict, reason, receipt: examined?.receipt };
}

async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** The record, as soon as it is decided or left to a person. */
async function decided(look: () => Promise<Validation | undefined>): Promise<Validation> {
  const until = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    const validation = await look();
    if (validation && (validation.status !== 'pending' || validation.review !== undefined)) return validation;
    if (Date.now() > until) throw new Error(`The record ${validation?.id} is still pending.`);
    await pause(200);
  }
}
