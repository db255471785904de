/** Validations of images in real tables and buckets: what tests of submissions begin with. */
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { customerAwards } from '../../../functions/images/campaigns/award-counters.dynamodb.ts';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import { campaignByPermalink, campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import { type AdditionDeps, addImage } from '../../../functions/images/submissions/add-image.ts';
import { changingValidationsIn } from '../../../functions/images/submissions/changing-validations.dynamodb.ts';
import { pictureStorage, uploadsIn } from '../../../functions/images/submissions/picture-storage.s3.ts';
import { type ReceivingDeps, receiveUpload } from '../../../functions/images/submissions/receive-upload.ts';
import { readAddition, readSubmission } from '../../../functions/images/submissions/requests/submission-request.ts';
import {
  commitSubmission,
  earlierRequest,
  submissionsOn,
} from '../../../functions/images/submissions/submission-items.dynamodb.ts';
import { type SubmitDeps, submit } from '../../../functions/images/submissions/submit.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { validationById } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { Refusal } from '../../../shared/errors.ts';
import { newId, type TenantKey } from '../../../shared/ids.ts';
import type { LoyaltyCaller } from '../../../shared/loyalty/loyalty-caller.ts';
import { newIntegerId } from '../cloud/integer-ids.ts';
import { startLocalEndpoint } from '../cloud/local-endpoint.ts';
import { createImagesTable } from '../cloud/local-table.ts';
import { Mortality } from '../faults/mortal-clients.ts';
import { imageCampaign } from './image-campaigns.ts';

const BUCKET = 'pictures';
const NOW = Date.parse('2026-11-22T10:00:00.000Z');

export type ImagesDesk = Awaited<ReturnType<typeof openImagesDesk>>;

/** What one process has to serve submissions: the parts of the handlers. */
export interface SubmissionParts {
  readonly submit: SubmitDeps;
  readonly add: AdditionDeps;
  readonly receive: ReceivingDeps;
}

/** A create request that a well-behaved client would send. */
export const submission = (images: readonly object[], more: object = {}): string =>
  JSON.stringify({
    image_validation: { validation_type: 'receipt', campaign_permalink: 'coffee', images, ...more },
  });

/** The code of a refusal; what is no refusal is thrown. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.code;
  }
}

export async function openImagesDesk() {
  const endpoint = await startLocalEndpoint();
  const table = await createImagesTable(endpoint, 'images');
  const s3 = new S3Client({ ...endpoint.clientOptions(), forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));

  function parts(mortality: Pick<Mortality, 'bind'> = new Mortality()): SubmissionParts {
    const own = { name: table.name, client: mortality.bind(table.client) };
    const client = mortality.bind(s3);
    const validations = changingValidationsIn(own);
    const storePicture = pictureStorage(BUCKET, client);
    const newImageName = () => newId('img');
    return {
      submit: {
        campaign: (tenant, permalink) => campaignByPermalink(own, tenant, permalink),
        awardsOf: (campaign, customer) => customerAwards(own, campaign, customer),
        submissionsOn: (day) => submissionsOn(own, day),
        storePicture,
        earlierRequest: (mark) => earlierRequest(own, mark),
        validation: (key) => validationById(own, key),
        commit: (validation, day, once) => commitSubmission(own, validation, day, once),
        newId: async () => String(newIntegerId()),
        newImageName,
      },
      add: { validations, storePicture, newImageName },
      receive: { validations, uploads: uploadsIn(BUCKET, client), storePicture },
    };
  }
  const alive = parts();

  return {
    endpoint,
    table,
    s3,
    bucket: BUCKET,
    parts,
    close: () => endpoint.close(),

    async campaign(fields: Partial<Campaign> & Pick<Campaign, 'tenant'>): Promise<Campaign> {
      const made = imageCampaign({ permalink: 'coffee', ...fields });
      if (!(await campaignStore(table).add(made))) throw new Error('There is such a campaign.');
      return made;
    },

    submit: (
      caller: LoyaltyCaller,
      body: string,
      { now = NOW, by = alive, idempotencyKey }: { now?: number; by?: SubmissionParts; idempotencyKey?: string } = {},
    ): Promise<Validation> => submit(by.submit, caller, { request: readSubmission(body), idempotencyKey }, now),

    add: (caller: LoyaltyCaller, validationId: string, image: unknown, { now = NOW, by = alive } = {}) =>
      addImage(by.add, caller, { validationId, request: readAddition(JSON.stringify({ image })) }, now),

    /** An upload is announced. */
    receive: (key: string, { now = NOW, by = alive } = {}) => receiveUpload(by.receive, key, now),

    /** As a client does with its upload link. */
    upload: (key: string, bytes: Uint8Array) =>
      s3.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: bytes })),

    validation: (key: TenantKey) => alive.add.validations.byId(key),

    /** The bytes under a key; undefined if there are none. */
    async bytesAt(key: string): Promise<Buffer | undefined> {
      if (!(await keysUnder(key)).includes(key)) return undefined;
      const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
      return body && Buffer.from(await body.transformToByteArray());
    },
    keysUnder,
  };

  async function keysUnder(prefix: string): Promise<string[]> {
    const { Contents: objects = [] } = await s3.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix }));
    return objects.map(({ Key: key = '' }) => key);
  }
}
