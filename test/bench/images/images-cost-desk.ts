/** Image validations from their submission to their announcement, with every call of every function counted. */

import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import { campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import type { Examination } from '../../../functions/images/examination/examination.ts';
import { REVIEW_SORT_KEY } from '../../../functions/images/validations/review-items.dynamodb.ts';
import { isStored } from '../../../functions/images/validations/validation.ts';
import { validationIn, validationKey } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId, type TenantKey } from '../../../shared/ids.ts';
import { appKey } from '../../../shared/loyalty/app-items.dynamodb.ts';
import { appSecretHash } from '../../../shared/loyalty/app-secret.ts';
import { customerKey } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import { dynamoDbClient, getItem, type Item, type Key, putNewItem } from '../../../shared/table/table.dynamodb.ts';
import { startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable, createTable } from '../../support/cloud/local-table.ts';
import { imageCampaign } from '../../support/images/image-campaigns.ts';
import { runMachine } from '../../support/images/validation-desk.ts';
import { newApp } from '../../support/places/places-desk.ts';
import { AwsLedger } from '../costs/aws-ledger.ts';
import { openBus } from '../places/cost-desk.ts';
import { answerText } from '../places/places-instance.ts';
import { Waits } from '../places/waits.ts';
import type { Call, FunctionName } from './images-charges.ts';
import { type ImagesInstance, newImagesInstance, SUBMIT_ROUTE } from './images-instance.ts';

const TENANT = 'acme-industries';
const SECRET = 'the secret of the app of the bench';
const BUCKET = 'pictures';
/** Of StartExecution and SendTaskSuccess, which cost nothing themselves. */
const STEP_FUNCTIONS_SECONDS = 0.05;
const NAMES: Readonly<Record<string, FunctionName>> = { review: 'request review' };

const position = (name: string, partition: string, sort = 'position') =>
  ({ name, keys: [partition, sort], projected: 'all' }) as const;
const INDEXES = [
  position('Listing', 'list'),
  position('Customers', 'customerList'),
  { ...position('Campaigns', 'campaignList'), projected: ['status'] },
  position('Statuses', 'statusList'),
  position('Reviews', 'reviewList'),
  position('Undecided', 'undecided', 'due'),
];
export const INDEX_NAMES = INDEXES.map(({ name }) => name);

/** One record, from its submission on. */
export interface Life {
  readonly images: readonly Buffer[];
  /** Through a link, instead of inline. */
  readonly isUploaded: boolean;
  readonly examination: Examination;
}

/** What one record took besides what the ledger has. */
export interface Lived {
  readonly status: string;
  readonly calls: readonly Call[];
  readonly wasReviewed: boolean;
  readonly transitions: number;
  readonly bodyBytes: number;
  readonly uploads: number;
}

export type ImagesCostDesk = Awaited<ReturnType<typeof openImagesCostDesk>>;

/** @param examineSeconds of a whole processor, for one picture */
export async function openImagesCostDesk(examineSeconds: number) {
  const endpoint = await startLocalEndpoint();
  const bus = await openBus();
  const patient = () => dynamoDbClient(endpoint.clientOptions());
  const accounts = { ...(await createTable(endpoint, 'accounts')), client: patient() };
  const images = { ...(await createImagesTable(endpoint, 'images')), client: patient() };
  const newS3 = () => new S3Client({ ...endpoint.clientOptions(), forcePathStyle: true });
  const s3 = newS3();
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  const app = newApp({ submissionsPerDay: 1_000 }, TENANT);
  await putNewItem(accounts, { ...appKey(app.id), ...app, secretHash: appSecretHash(SECRET) });
  const campaign = await openCampaign();
  const ledger = new AwsLedger(INDEXES, images.client);
  const waits = new Waits();
  let calls: Call[] = [];
  const started: TenantKey[] = [];
  const clients = countedClients();

  return {
    tables: { images, accounts },
    tenant: TENANT,
    ledger,
    live,
    async close() {
      await bus.close();
      await endpoint.close();
    },
  };

  async function openCampaign(): Promise<Campaign> {
    const products = ['Whole Milk', 'Oat Drink'].map((name) => ({ name, points: 5 }));
    const made = imageCampaign({ tenant: TENANT, permalink: 'spring', pointsPerValidation: 50, products });
    await campaignStore(images).add({ ...made, stores: ['Green Valley Market'] });
    return made;
  }

  function countedClients() {
    const client = waits.bind(ledger.bind(patient()));
    return {
      tables: { images: { ...images, client }, accounts: { ...accounts, client } },
      pictures: { client: waits.bind(ledger.bind(newS3())), bucket: BUCKET },
      links: s3,
      bus: { client: waits.bind(ledger.bind(new EventBridgeClient(bus.clientOptions()))), name: 'default' },
      machine: {
        start: async (_name: string, { tenant, id }: TenantKey) => started.push({ tenant, id }),
        resume: async () => true,
      },
    };
  }

  /** One call of a function. */
  async function step<Result>(name: FunctionName, work: () => Promise<Result>): Promise<Result> {
    ledger.step = name;
    waits.take();
    const begun = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(begun);
    const cpuSeconds = name === 'examine' ? examineSeconds : (user + system) / 1e6;
    const waitSeconds = waits.take().seconds + (name === 'advance' ? STEP_FUNCTIONS_SECONDS : 0);
    calls.push({ name, cpuSeconds, waitSeconds });
    return result;
  }

  async function live(life: Life): Promise<Lived> {
    calls = [];
    // With nothing in its caches.
    const instance = newImagesInstance({ ...clients, examine: () => life.examination });
    const { key, bodyBytes } = await submitted(instance, life);
    const uploads = life.isUploaded ? await uploaded(instance, key, life.images) : 0;
    await step('advance', async () => instance.advance(await itemAt(validationKey(key))));
    if (started.pop()?.id !== key.id) throw new Error('No execution was started.');
    let failure: unknown;
    const run = await runMachine(key, async (name, payload) => {
      try {
        return await step(NAMES[name] ?? (name as FunctionName), () => instance.work(name, payload));
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    // A function that is tried again would be counted twice.
    if (failure !== undefined) throw failure;
    const wasReviewed = run.token !== undefined;
    const ended = wasReviewed ? await reviewed(instance, key, run) : run;
    if (ended.status !== 'SUCCEEDED') throw new Error(`The execution is ${ended.status}.`);
    const item = await itemAt(validationKey(key));
    await step('announce', () => instance.announce(item));
    const { status } = validationIn(item);
    return { status, calls, wasReviewed, transitions: ended.transitions, bodyBytes, uploads };
  }

  async function submitted(instance: ImagesInstance, { images: pictures, isUploaded }: Life) {
    const customer = await newCustomer();
    const body = JSON.stringify({
      image_validation: {
        validation_type: 'receipt',
        campaign_permalink: campaign.permalink,
        external_id: newId('purchase'),
        images: pictures.map((bytes, at) =>
          isUploaded
            ? { id: `image-${at}`, upload: true, size: bytes.length }
            : { id: `image-${at}`, mime_type: 'image/jpeg', base64_data: bytes.toString('base64') },
        ),
      },
    });
    const calling = { credentials: { id: app.id, secret: SECRET }, path: { user_id: customer }, body };
    const text = await step('submit', () => answerText(instance.submit, SUBMIT_ROUTE, calling));
    const { image_validation: made } = JSON.parse(text) as { image_validation: { id: number } };
    return { key: { tenant: TENANT, id: String(made.id) }, bodyBytes: Buffer.byteLength(body) };
  }

  /** As clients do with their links, and the queue with what the bucket announces. */
  async function uploaded(instance: ImagesInstance, key: TenantKey, pictures: readonly Buffer[]): Promise<number> {
    const record = validationIn(await itemAt(validationKey(key)));
    for (const [at, image] of record.images.entries()) {
      if (isStored(image)) throw new Error('The image is there already.');
      await s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: image.uploadKey, Body: pictures[at]! }));
      const received = await step('receive', () => instance.receive(image.uploadKey));
      if (received !== 'stored') throw new Error(`The upload was ${received}.`);
    }
    return pictures.length;
  }

  /** A person looks at the record, and says that it is valid. */
  async function reviewed(instance: ImagesInstance, key: TenantKey, run: Awaited<ReturnType<typeof runMachine>>) {
    await step('announce', async () => instance.announce(await itemAt(validationKey(key))));
    await step('look', () => instance.look(key));
    await step('review', () => instance.review(key));
    await step('advance', async () => instance.advance(await itemAt({ ...validationKey(key), sk: REVIEW_SORT_KEY })));
    return run.resume();
  }

  async function newCustomer(): Promise<string> {
    const id = newId('cus');
    const at = isoTime(Date.now());
    const fields = { id, tenant: TENANT, externalId: `crm-${newId('x')}`, email: 'someone@example.com' };
    const attributes = '{"tier":"gold"}';
    const key = customerKey({ tenant: TENANT, id });
    await putNewItem(accounts, { ...key, ...fields, attributes, createdAt: at, updatedAt: at });
    return id;
  }

  async function itemAt(key: Key): Promise<Item> {
    const item = await getItem(images, key);
    if (!item) throw new Error(`${key.pk} is missing.`);
    return item;
  }
}
