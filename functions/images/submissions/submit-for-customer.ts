import { Refusal } from '#shared/errors';
import { faultOf } from '#shared/http/invalid-input';
import type { KnownApps } from '#shared/loyalty/app';
import type { KnownCustomers } from '#shared/loyalty/customer';
import type { LoyaltyCaller } from '#shared/loyalty/loyalty-caller';
import type { LoyaltyCode } from '#shared/loyalty/loyalty-error';
import type { PictureLinks } from '../validations/loyalty-view.ts';
import { isStored, type SubmittedImage, type Validation } from '../validations/validation.ts';
import { optionalText } from './requests/members.ts';
import type { SubmissionRequest } from './requests/submission-request.ts';
import { type SubmitDeps, submit } from './submit.ts';
import type { SubmissionForCustomer } from './submit-for-customer.operations.ts';

export interface CustomerSubmissionDeps {
  readonly apps: KnownApps;
  readonly customers: Pick<KnownCustomers, 'byId'>;
  readonly submitting: SubmitDeps;
}

interface TenantSubmission {
  readonly tenant: string;
  readonly body: SubmissionForCustomer;
}

/** Submits images for a customer of the tenant as the customer's app would, within the same limits. */
export async function submitForCustomer(
  deps: CustomerSubmissionDeps,
  { tenant, body }: TenantSubmission,
  now: number,
): Promise<Validation> {
  const caller = await callerFor(deps, { tenant, body });
  try {
    return await submit(deps.submitting, caller, { request: requestOf(body) }, now);
  } catch (error) {
    throw managementRefusal(error);
  }
}

async function callerFor(
  { apps, customers }: CustomerSubmissionDeps,
  { tenant, body }: TenantSubmission,
): Promise<LoyaltyCaller> {
  const [app, customer] = await Promise.all([apps.byId(body.app), customers.byId({ tenant, id: body.customer })]);
  if (app?.tenant !== tenant) throw faultOf('app', 'There is no such app.');
  if (!customer) throw faultOf('customer', 'There is no such customer.');
  return { app, customer: { ...customer, anonymous: false } };
}

/** Every image has an id, so a repetition is recognised by its body. */
const requestOf = (body: SubmissionForCustomer): SubmissionRequest => ({
  validationType: body.validationType,
  campaignPermalink: body.campaignPermalink,
  ...optionalText('placementId', body.placementId),
  ...optionalText('externalId', body.externalId),
  images: body.images.map(({ id, mimeType, size }) => ({ id, ...optionalText('mimeType', mimeType), size })),
});

/** The codes of the management API for what the loyalty interface refuses, mostly with status 200. */
const CODES: Partial<Readonly<Record<LoyaltyCode, string>>> = {
  access_denied: 'images-disabled',
  campaign_unavailable: 'campaign-unavailable',
  validation: 'submission-refused',
};

function managementRefusal(error: unknown): unknown {
  const code = error instanceof Refusal ? CODES[error.code as LoyaltyCode] : undefined;
  return error instanceof Refusal && code ? new Refusal(409, code, error.detail, { cause: error }) : error;
}

/** The new validation with a link for each image that has not arrived. */
export const presentSubmitted = async (
  links: Pick<PictureLinks, 'upload'>,
  { id, status, images }: Pick<Validation, 'id' | 'status' | 'images'>,
) => ({ id: Number(id), status, images: await Promise.all(images.map((image) => presentImage(links, image))) });

const presentImage = async (links: Pick<PictureLinks, 'upload'>, image: SubmittedImage) => ({
  id: image.id,
  ...(!isStored(image) && { uploadUrl: await links.upload(image.uploadKey, image.bytes) }),
});
