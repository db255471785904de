import * as z from 'zod/mini';
import { type Management, ManagementFailure, settled } from '../management/management.ts';
import type { Form } from '../pages/form.ts';

/** The fields of the form that submits a picture. */
export interface SubmissionFields {
  readonly campaign: string;
  readonly app: string;
  /** The customer's id or external id. */
  readonly customer: string;
}

export const submissionIn = (form: Form): SubmissionFields => ({
  campaign: form.text('campaign').trim(),
  app: form.text('app').trim(),
  customer: form.text('customer').trim(),
});

interface NewPicture {
  readonly name: string;
  readonly bytes: number;
}

const Submitted = z.object({
  id: z.number(),
  images: z.array(z.object({ uploadUrl: z.optional(z.string()) })),
});

const IMAGE_ID_MAX = 100;

/** Submits a picture that is still to be put to the link of the answer. */
export async function submitPicture(management: Management, fields: SubmissionFields, { name, bytes }: NewPicture) {
  const [validationType, customer] = await Promise.all([
    typeOf(management, fields.campaign),
    customerId(management, fields.customer),
  ]);
  const { id, images } = await management.send(
    {
      method: 'POST',
      path: 'image-validations',
      body: {
        app: fields.app,
        customer,
        campaignPermalink: fields.campaign,
        validationType,
        images: [{ id: name.slice(-IMAGE_ID_MAX), size: bytes }],
      },
    },
    Submitted,
  );
  return { id, uploadUrl: images[0]?.uploadUrl };
}

async function typeOf(management: Management, permalink: string): Promise<string> {
  const path = `loyalty/campaigns/${encodeURIComponent(permalink || '-')}`;
  const campaign = await settled(management.get(path, z.object({ type: z.string() })));
  if (campaign.ok) return campaign.value.type;
  if (campaign.failure.status >= 500) throw campaign.failure;
  throw new ManagementFailure({ status: 409, code: 'campaign-unavailable', detail: 'There is no such campaign.' });
}

const Id = z.object({ id: z.string() });

/** The id of the customer with this id or external id. */
async function customerId(management: Management, text: string): Promise<string> {
  const byId = await settled(management.get(`loyalty/customers/${encodeURIComponent(text || '-')}`, Id));
  if (byId.ok) return byId.value.id;
  if (byId.failure.status >= 500) throw byId.failure;
  const { items } = await management.get('loyalty/customers', z.object({ items: z.array(Id) }), { externalId: text });
  const [byExternalId] = text === '' ? [] : items;
  if (byExternalId) return byExternalId.id;
  throw new ManagementFailure({ status: 400, code: 'no-such-customer', detail: 'There is no such customer.' });
}
