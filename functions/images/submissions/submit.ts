import type { TenantKey } from '#shared/ids';
import type { App } from '#shared/loyalty/app';
import { type LoyaltyCaller, type LoyaltyCustomer, requireCustomer } from '#shared/loyalty/loyalty-caller';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { isoTime } from '#shared/timestamp';
import { type Campaign, PERMALINK } from '../campaigns/campaign.ts';
import { type SubmittedImage, type Validation, withImages } from '../validations/validation.ts';
import { type NewImage, type NewPicture, newImage, withOneMore } from './new-images.ts';
import { firstValidation, markOf, type RepeatDeps, type RequestMark } from './repeats.ts';
import type { SubmissionRequest } from './requests/submission-request.ts';

/** What may be submitted on a day, and has been. */
export interface CustomerDay extends TenantKey {
  /** In UTC: `2026-03-05`. */
  readonly day: string;
  readonly limit: number;
}

export interface SubmitDeps extends RepeatDeps {
  readonly campaign: (tenant: string, permalink: string) => Promise<Campaign | undefined>;
  /** How often the campaign has been awarded to the customer. */
  readonly awardsOf: (campaign: Campaign, customer: string) => Promise<number>;
  readonly submissionsOn: (day: CustomerDay) => Promise<number>;
  readonly storePicture: (picture: NewPicture) => Promise<void>;
  /** The record and one more of the day, or nothing: see `CommitResult`. */
  readonly commit: (validation: Validation, day: CustomerDay, callMark?: CallMark) => Promise<CommitResult>;
  readonly newId: (tenant: string) => Promise<string>;
  readonly newImageName: () => string;
}

/** Marks the call that makes a record. */
export interface CallMark {
  readonly mark: RequestMark;
  /** The record of an earlier call that no longer counts. */
  readonly replaced: string | undefined;
}

/** `repeated`: the same call has made a record meanwhile. */
export type CommitResult = 'done' | 'day-full' | 'id-taken' | 'repeated';

/** Ids are unique; the same call may make a record at the same time. */
const ATTEMPTS_MAX = 5;

/** The customer, for an app that takes images. */
export function submitter(caller: LoyaltyCaller): LoyaltyCustomer {
  if (caller.app.imagesEnabled) return requireCustomer(caller);
  throw loyaltyError('access_denied', 'Images are not enabled in this app.', { status: 200 });
}

/**
 * Makes a record of images for a campaign. Their bytes are stored before the record is: a crash in between leaves
 * pictures of no record, which expire, and never a record without its pictures. Neither the dates of the campaign nor
 * what is left of its awards decide here: the verdict names those reasons. A call that is repeated within a day returns
 * the record of the first one, and does not count again.
 */
export async function submit(
  deps: SubmitDeps,
  caller: LoyaltyCaller,
  { request, idempotencyKey }: Submission,
  now: number,
): Promise<Validation> {
  const { app } = caller;
  const customer = submitter(caller);
  const at = isoTime(now);
  const day = { tenant: app.tenant, id: customer.id, day: at.slice(0, 10), limit: app.submissionsPerDay };
  checkCount(app, request);
  // Before the earlier call is looked for: one that took the last of the day is found then.
  const submissions = await deps.submissionsOn(day);
  const mark = markOf({ tenant: app.tenant, customer: customer.id, app: app.id }, request, idempotencyKey);
  let first = mark && (await firstValidation(deps, mark, { request, now }));
  if (first?.validation) return first.validation;
  const campaign = await campaignFor(deps, { app, customer, request });
  if (submissions >= day.limit) throw dayFull();
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const key = { tenant: app.tenant, id: await deps.newId(app.tenant) };
    const { images, pictures } = imagesOf(key, { app, request, newImageName: deps.newImageName });
    const empty = newValidation(key, { app, customer, campaign, request, at });
    const validation = withImages({ ...empty, imageCount: request.imageCount ?? images.length }, images, at);
    await Promise.all(pictures.map((picture) => deps.storePicture(picture)));
    const outcome = await deps.commit(validation, day, mark && { mark, replaced: first?.replaced });
    if (outcome === 'done') return validation;
    if (outcome === 'day-full') throw dayFull();
    if (outcome === 'repeated' && mark) first = await firstValidation(deps, mark, { request, now });
    if (first?.validation) return first.validation;
  }
  throw new Error(`${ATTEMPTS_MAX} new ids were taken.`);
}

/** A call that submits images. */
export interface Submission {
  readonly request: SubmissionRequest;
  readonly idempotencyKey?: string | undefined;
}

const dayFull = () => loyaltyError('validation', 'The customer has reached the limit of submissions of the day.');

function checkCount({ imagesPerRecord }: App, { imageCount = 0 }: SubmissionRequest): void {
  if (imageCount <= imagesPerRecord) return;
  throw loyaltyError('validation', `Too many images: image_count is at most ${imagesPerRecord}.`);
}

interface SubmissionContext {
  readonly app: App;
  readonly customer: LoyaltyCustomer;
  readonly request: SubmissionRequest;
}

async function campaignFor(deps: SubmitDeps, { app, customer, request }: SubmissionContext): Promise<Campaign> {
  const { campaignPermalink: permalink, validationType } = request;
  const campaign = PERMALINK.test(permalink) ? await deps.campaign(app.tenant, permalink) : undefined;
  if (campaign?.type !== validationType) {
    throw loyaltyError('campaign_unavailable', 'There is no such campaign for this validation_type.');
  }
  const { awardsPerCustomer: most } = campaign;
  if (most !== null && (await deps.awardsOf(campaign, customer.id)) >= most) {
    throw loyaltyError('campaign_unavailable', 'The customer has had all awards of this campaign.');
  }
  return campaign;
}

interface ImagesRequest {
  readonly app: App;
  readonly request: SubmissionRequest;
  readonly newImageName: () => string;
}

function imagesOf(key: TenantKey, { app, request, newImageName }: ImagesRequest) {
  const most = request.imageCount ?? app.imagesPerRecord;
  let images: readonly SubmittedImage[] = [];
  const pictures: NewPicture[] = [];
  for (const requested of request.images) {
    const image = newImage(key, requested, newImageName);
    images = withOneMore(images, image.image, most);
    if (isPicture(image) && images.includes(image.image)) pictures.push(image);
  }
  return { images, pictures };
}

export const isPicture = (image: NewImage): image is NewPicture => 'bytes' in image;

interface NewValidation extends SubmissionContext {
  readonly campaign: Campaign;
  readonly at: string;
}

const newValidation = (key: TenantKey, { app, customer, campaign, request, at }: NewValidation): Validation => ({
  ...key,
  revision: 0,
  app: app.id,
  customer: customer.id,
  customerExternalId: customer.externalId,
  anonymous: customer.anonymous,
  validationType: request.validationType,
  campaignId: campaign.campaignId,
  campaignPermalink: campaign.permalink,
  placementId: request.placementId,
  externalId: request.externalId,
  data: request.data,
  status: 'incomplete',
  imageCount: 0,
  images: [],
  createdAt: at,
  updatedAt: at,
  restarts: 0,
});
