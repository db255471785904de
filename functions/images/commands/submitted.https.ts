import { ApiClient, ApiError, basic } from '#shared/client/api-client';

/** Calls the public interface as a customer's program would. */
export interface Submitter {
  readonly url: string;
  /** The key of the app. */
  readonly app: string;
  readonly secret: string;
  readonly user: string;
}

export interface Submission {
  readonly bytes: Uint8Array;
  readonly campaign: string;
  /** The caller's own id for the submission. @default none */
  readonly externalId?: string;
}

const PAGE_SIZE = 100;

/** Returns the external ids of all validations of the customer. */
export async function submittedIds(submitter: Submitter): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let page = 1; ; page += 1) {
    const query = { limit: PAGE_SIZE, page };
    const { data } = await clientOf(submitter).call<{ image_validations: { external_id?: string | null }[] }>({
      method: 'GET',
      path: pathOf(submitter),
      query,
    });
    for (const { external_id: id } of data.image_validations) if (id) ids.add(id);
    if (data.image_validations.length < PAGE_SIZE) return ids;
  }
}

/** Submits a picture of a receipt. Returns the id of its validation, or why it was refused. */
export async function submitted(
  submitter: Submitter,
  { bytes, campaign, externalId }: Submission,
): Promise<{ readonly id: string } | { readonly refused: string }> {
  const images = [{ base64_data: Buffer.from(bytes).toString('base64'), mime_type: 'application/octet-stream' }];
  const validation = {
    validation_type: 'receipt',
    campaign_permalink: campaign,
    external_id: externalId,
    images,
  };
  try {
    const { data } = await clientOf(submitter).call<{ image_validation: { id: number } }>({
      method: 'POST',
      path: pathOf(submitter),
      body: { image_validation: validation },
      takesKey: true,
    });
    return { id: String(data.image_validation.id) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { refused: error.code === undefined ? error.message : `${error.code}: ${error.message}` };
  }
}

const pathOf = ({ app, user }: Submitter) => `/priv/v1/apps/${app}/users/${user}/image_validations`;
const clientOf = ({ url, app, secret }: Submitter) => new ApiClient({ url, authorization: basic(app, secret) });
