import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import type { App } from '#shared/loyalty/app';
import { type LoyaltyCaller, type LoyaltyCustomer, requireCustomer } from '#shared/loyalty/loyalty-caller';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { type Campaign, PERMALINK } from '../campaigns/campaign.ts';
import { type SubmittedImage, type Validation, withImages } from '../validations/validation.ts';
import { type NewImage, type NewPicture, newImage, withOneMore } from './new-images.ts';
import { firstValidation, markOf, type RepeatDeps, type RequestMark } from './repeats.ts';
import type { SubmissionRequest } from './requests/submission-request.ts';

/** A customer's day, with the limit of submissions. */
export interface CustomerDay extends TenantKey {
  /** The UTC day, such as `2026-03-05`. */
  readonly day: string;
  readonly limit: number;
}

export interface SubmitDeps extends RepeatDeps {
  readonly campaign: (tenant: string, permalink: string) => Promise<Campaign | undefined>;
  /** Returns how often the campaign was awarded to the customer. */
  readonly awardsOf: (campaign: Campaign, customer: string) => Promise<number>;
  readonly submissionsOn: (day: CustomerDay) => Promise<number>;
  readonly storePicture: (picture: NewPicture) => Promise<void>;
  /** Stores the validation and counts it, or changes nothing: see `CommitResult`. */
  readonly commit: (validation: Validation, day: CustomerDay, callMark?: CallMark) => Promise<CommitResult>;
  readonly newId: (tenant: string) => Promise<string>;
  readonly newImageName: () => string;
}

/** Identifies the call that creates a validation. */
export interface CallMark {
  readonly mark: RequestMark;
  /** The validation of an earlier call that has expired. */
  readonly replaced: string | undefined;
}

/** `repeated`: the same call has created a validation in the meantime. */
export type CommitResult = 'done' | 'day-full' | 'id-taken' | 'repeated';

/** New ids can collide, and the same call may be handled twice at a time. */
const ATTEMPTS_MAX = 5;

/** Returns the customer, if the app accepts images. */
export function submitter(caller: LoyaltyCaller): LoyaltyCustomer {
  if (caller.app.imagesEnabled) return requireCustomer(caller);
  throw loyaltyError('access_denied', 'Images are not enabled in this app.', { status: 200 });
}

/**
 * Creates a validation. Its pictures are stored first: a crash in between leaves unreferenced pictures, which expire,
 * and never a validation without pictures. The campaign's dates and remaining awards are left to the verdict, which
 * names the reason. A call that is repeated within a day returns the first validation and is not counted again.
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
  // The count is read before the earlier call: if that call took the last submission of the day, it is found
  // afterwards.
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
