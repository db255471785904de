/** One instance of each function of the domain, put together as its handler does it. */

import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { S3Client } from '@aws-sdk/client-s3';
import { validationEvent } from '../../../functions/images/announcements/validation-event.ts';
import { customerAwards } from '../../../functions/images/campaigns/award-counters.dynamodb.ts';
import { campaignByPermalink } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import type { Examination } from '../../../functions/images/examination/examination.ts';
import { examinationStore } from '../../../functions/images/examining/examinations.s3.ts';
import { advance } from '../../../functions/images/executions/advance.ts';
import { changeIn } from '../../../functions/images/executions/changes.dynamodb.ts';
import type { Executions } from '../../../functions/images/executions/execution.ts';
import { decideOn, type Reviews, validationByKey } from '../../../functions/images/reviews/decide.ts';
import { presentForReview } from '../../../functions/images/reviews/management-view.ts';
import { reviewImages } from '../../../functions/images/reviews/review-images.s3.ts';
import { changingValidationsIn } from '../../../functions/images/submissions/changing-validations.dynamodb.ts';
import { pictureStorage, uploadsIn } from '../../../functions/images/submissions/picture-storage.s3.ts';
import { receiveUpload } from '../../../functions/images/submissions/receive-upload.ts';
import { CALL_BYTES_MAX, readSubmission } from '../../../functions/images/submissions/requests/submission-request.ts';
import {
  commitSubmission,
  earlierRequest,
  submissionsOn,
} from '../../../functions/images/submissions/submission-items.dynamodb.ts';
import { type SubmitDeps, submit } from '../../../functions/images/submissions/submit.ts';
import { presentValidation } from '../../../functions/images/validations/loyalty-view.ts';
import { pictureLinks } from '../../../functions/images/validations/picture-links.s3.ts';
import { decideReview, reviewById } from '../../../functions/images/validations/review-items.dynamodb.ts';
import { validationById, validationIn } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { applyVerdict } from '../../../functions/images/workflow/apply-verdict.ts';
import { decideValidation } from '../../../functions/images/workflow/decide-validation.ts';
import { prepareValidation } from '../../../functions/images/workflow/prepare-validation.ts';
import { requestReview } from '../../../functions/images/workflow/request-review.ts';
import { ApplyInput, DecideInput, ReviewInput, ValidationInput } from '../../../functions/images/workflow/states.ts';
import {
  applyDeps,
  decideDeps,
  prepareDeps,
  reviewDeps,
  type Tables,
} from '../../../functions/images/workflow/steps.dynamodb.ts';
import { accountStatus } from '../../../shared/auth/tenant-items.dynamodb.ts';
import { eventBus } from '../../../shared/events/event-bus.eventbridge.ts';
import { type HttpHandler, loggedHandler, ok } from '../../../shared/http/http-handler.ts';
import { textOf } from '../../../shared/http/request-body.ts';
import { newId, type TenantKey } from '../../../shared/ids.ts';
import { knownApps } from '../../../shared/loyalty/app-items.dynamodb.ts';
import { knownCustomers } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import { loyaltyCallers } from '../../../shared/loyalty/loyalty-caller.ts';
import { presentLoyaltyError } from '../../../shared/loyalty/loyalty-error.ts';
import type { Item } from '../../../shared/table/table.dynamodb.ts';
import { newIntegerId } from '../../support/cloud/integer-ids.ts';
import { imageAnswer } from '../../support/images/validation-desk.ts';

export const SUBMIT_ROUTE = 'POST /priv/v1/apps/{api_key}/users/{user_id}/image_validations';
export const LOOK_ROUTE = 'GET /manage/v1/image-validations/{id}';
export const REVIEW_ROUTE = 'POST /manage/v1/image-validations/{id}/review';

const REVIEW_DAYS = 14;

export interface ImagesClients {
  readonly tables: Tables;
  readonly pictures: { readonly client: S3Client; readonly bucket: string };
  /** Signs links for customers: no calls. */
  readonly links: S3Client;
  readonly bus: { readonly client: EventBridgeClient; readonly name: string };
  readonly machine: Executions;
  /** What examining the picture under a key shows: the recogniser is measured by itself. */
  readonly examine: (object: string) => Examination;
}

export type ImagesInstance = ReturnType<typeof newImagesInstance>;

export function newImagesInstance(clients: ImagesClients) {
  const { tables, pictures: stored, bus, machine } = clients;
  const storePicture = pictureStorage(stored.bucket, stored.client);
  const receiving = {
    validations: changingValidationsIn(tables.images),
    uploads: uploadsIn(stored.bucket, stored.client),
    storePicture,
  };
  return {
    submit: submitHandler(clients, storePicture),
    receive: (key: string) => receiveUpload(receiving, key, Date.now()),
    /** @param item as the table's stream brings it */
    async advance(item: Item) {
      const change = changeIn(item);
      if (!change) throw new Error('The change concerns no execution.');
      await advance(machine, change);
    },
    announce: (item: Item) =>
      eventBus({ name: bus.name, source: 'images' }, bus.client).put([
        validationEvent(validationIn(item)) ?? unheard(),
      ]),
    work: (name: string, payload: unknown) => work(clients, name, payload),
    ...reviewing(clients),
  };
}

function unheard(): never {
  throw new Error('The record is neither decided nor to be reviewed.');
}

function submitHandler({ tables, pictures, links }: ImagesClients, storePicture: SubmitDeps['storePicture']) {
  const { images, accounts } = tables;
  const signed = pictureLinks(pictures.bucket, { client: links });
  const identify = loyaltyCallers({
    apps: knownApps(accounts),
    customers: knownCustomers(accounts),
    secretsOf: () => Promise.reject(new Error('No call of the bench has a token.')),
    statusOf: accountStatus(accounts),
  });
  const deps: SubmitDeps = {
    campaign: (tenant, permalink) => campaignByPermalink(images, tenant, permalink),
    awardsOf: (campaign, customer) => customerAwards(images, campaign, customer),
    submissionsOn: (day) => submissionsOn(images, day),
    storePicture,
    earlierRequest: (mark) => earlierRequest(images, mark),
    validation: (key) => validationById(images, key),
    commit: (validation, day, once) => commitSubmission(images, validation, day, once),
    newId: async () => String(newIntegerId()),
    newImageName: () => newId('img'),
  };
  return loggedHandler(
    presentLoyaltyError,
    async (event) => {
      const now = Date.now();
      const caller = await identify(event, now);
      const validation = await submit(deps, caller, { request: readSubmission(textOf(event)) }, now);
      return ok({ status: 'ok', image_validation: await presentValidation(signed, validation) });
    },
    { bodyBytesMax: CALL_BYTES_MAX },
  ) satisfies HttpHandler;
}

async function work({ tables, pictures: { bucket, client }, examine }: ImagesClients, name: string, payload: unknown) {
  const store = examinationStore(bucket, client);
  const now = Date.now();
  switch (name) {
    case 'prepare':
      return prepareValidation(prepareDeps(tables, 20), ValidationInput.parse(payload), now);
    case 'examine':
      return imageAnswer(payload, 1, { ...store, examine: async (_bytes, { object }) => examine(object) });
    case 'decide': {
      const { images, ...key } = DecideInput.parse(payload);
      return decideValidation(decideDeps(tables, store.examination), key, images, now);
    }
    case 'review': {
      const limits = { now, waitMillis: REVIEW_DAYS * 86_400_000 };
      return requestReview(reviewDeps(tables.images), ReviewInput.parse(payload), limits);
    }
    default: {
      const { cause, ...key } = ApplyInput.parse(payload);
      return applyVerdict(applyDeps(tables), key, cause, now);
    }
  }
}

/** Without the gateway's authoriser, whose answer holds for a minute. */
function reviewing({ tables: { images: table }, pictures: { bucket, client } }: ImagesClients) {
  const stored = reviewImages(bucket, client);
  const reviews: Reviews = {
    validation: (key) => validationById(table, key),
    review: (key) => reviewById(table, key),
    decide: (validation, decision) => decideReview(table, validation, decision),
  };
  return {
    /** Every link that is signed is counted as the request that it is for. */
    async look(key: TenantKey) {
      const validation = await validationByKey(reviews, key);
      const [review, images] = await Promise.all([
        reviews.review(key),
        Promise.all(validation.images.map((image) => stored.view(key, image))),
      ]);
      return JSON.stringify(presentForReview({ validation, review, images, now: Date.now() }));
    },
    review: (key: TenantKey) =>
      decideOn(
        reviews,
        { verdict: { status: 'valid' }, revision: undefined },
        { ...key, by: 'key-1', now: Date.now() },
      ),
  };
}
