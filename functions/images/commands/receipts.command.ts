/** npm run receipts: sends pictures of receipts, and prints the verdicts and what was read. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION, wrongCall } from '#shared/command/command-line';
import { type Deployment, findDeployment } from '#shared/command/deployment.cloudformation';
import { progressBar } from '#shared/command/progress-bar';
import { variable } from '#shared/env';
import { dynamoDbClient } from '#shared/table/table.dynamodb';
import { examinationStore } from '../examining/examinations.s3.ts';
import { imageNameOf } from '../validations/picture-keys.ts';
import { awaitsReview, isStored, type Validation } from '../validations/validation.ts';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { type ReceiptRow, receiptTable } from './receipt-table.ts';
import { type Submitter, submitted } from './submitted.https.ts';

const LINE = {
  script: 'receipts',
  about: `Sends pictures of receipts as a customer's program would, waits for the verdicts, and prints them with what was
read. The secret of the app is given by the environment variable APP_SECRET; the local run has "demo-secret".
Exits with 2 if the service refused a picture.`,
  options: {
    campaign: { value: 'PERMALINK', about: 'the campaign that they are for', default: 'demo-receipts' },
    tenant: { value: 'ID', about: 'the tenant of the campaign', default: 'demo' },
    app: { value: 'KEY', about: 'the loyalty app that sends them', default: 'demo-app' },
    user: { value: 'ID', about: 'the customer whose receipts they are', default: 'demo-user' },
    stage: STAGE_OPTION,
  },
  operands: { value: 'FILE', about: 'a picture: JPEG, PNG, GIF, TIFF or PDF', required: true, isFile: true },
  example: 'functions/images/commands/examples/cafe.jpg',
} as const;

const GRACE_PERIOD_MILLIS = 120_000;

/** The verdict that is printed for a picture that the service refused. */
const REFUSED = 'refused';

await runCommandLine(LINE, async ({ values, operands: files }) => {
  const deployment = await findDeployment(values.stage);
  const secret = variable('APP_SECRET') ?? (values.stage === undefined ? 'demo-secret' : undefined);
  if (secret === undefined) throw wrongCall('APP_SECRET is missing: set it to the secret of the app.');
  const url = deployment.output('ApiUrl').replace(/\/+$/, '');
  const submitter = { url, app: values.app, secret, user: values.user };
  const sending = { submitter, deployment, tenant: values.tenant, campaign: values.campaign };
  const rows: ReceiptRow[] = [];
  const bar = progressBar('receipts');
  for (const [at, file] of files.entries()) {
    bar.show(at / files.length);
    rows.push(await rowOf(file, sending));
  }
  bar.end();
  console.log(receiptTable(rows));
  return rows.some(({ verdict }) => verdict === REFUSED) ? 2 : 0;
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
  if ('refused' in sent) return { file, verdict: REFUSED, reason: sent.refused };
  const table = { name: deployment.output('ImagesTable'), client: dynamoDbClient(deployment.client) };
  const validation = await decided(() => validationById(table, { tenant, id: sent.id }));
  const store = examinationStore(
    deployment.output('ImagesPicturesBucket'),
    new S3Client({ ...deployment.client, forcePathStyle: deployment.client.endpoint !== undefined }),
  );
  const [image] = validation.images.filter(isStored);
  // A validation that was refused early has no examination.
  const examination = image && (await unlessMissing(store.examination(validation, imageNameOf(image.key))));
  const { status, invalidCode, invalidReason, review } = validation;
  const verdict = awaitsReview(validation) ? 'review' : status;
  const reason = invalidReason === undefined ? review?.doubts[0]?.reason : `${invalidCode} ${invalidReason}`;
  return { file, verdict, reason, receipt: examination?.receipt };
}

async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** Waits until the validation is decided or awaits a person, and returns it. */
async function decided(look: () => Promise<Validation | undefined>): Promise<Validation> {
  const until = Date.now() + GRACE_PERIOD_MILLIS;
  for (;;) {
    const validation = await look();
    if (validation && (validation.status !== 'pending' || validation.review !== undefined)) return validation;
    if (Date.now() > until) throw new Error(`The validation ${validation?.id} is still pending.`);
    await pause(200);
  }
}
