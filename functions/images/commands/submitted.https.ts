/** Calls the public interface as a customer's program would. */
export interface Submitter {
  readonly url: string;
  /** The key of the app. */
  readonly app: string;
  readonly secret: string;
  readonly user: string;
}

interface Answer {
  readonly status: string;
  readonly errors?: { readonly code: string; readonly message: string };
  readonly image_validation?: { readonly id: number };
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
    const response = await fetch(`${pathOf(submitter)}?limit=${PAGE_SIZE}&page=${page}`, {
      headers: { authorization: authorizationOf(submitter) },
    });
    const { image_validations: validations }: { image_validations?: { external_id?: string | null }[] } =
      await response.json();
    if (!validations)
      throw new Error(`The validations of ${submitter.user} cannot be listed: HTTP ${response.status}.`);
    for (const { external_id: id } of validations) if (id) ids.add(id);
    if (validations.length < PAGE_SIZE) return ids;
  }
}

/** Submits a picture of a receipt. Returns the id of its validation, or why it was refused. */
export async function submitted(
  submitter: Submitter,
  { bytes, campaign, externalId }: Submission,
): Promise<{ readonly id: string } | { readonly refused: string }> {
  const response = await fetch(pathOf(submitter), {
    method: 'POST',
    headers: { authorization: authorizationOf(submitter), 'content-type': 'application/json' },
    body: JSON.stringify({
      image_validation: {
        validation_type: 'receipt',
        campaign_permalink: campaign,
        external_id: externalId,
        images: [{ base64_data: Buffer.from(bytes).toString('base64'), mime_type: 'application/octet-stream' }],
      },
    }),
  });
  const text = await response.text();
  if (!text.startsWith('{')) return { refused: `HTTP ${response.status}` };
  const { image_validation: validation, errors }: Answer = JSON.parse(text);
  return validation ? { id: String(validation.id) } : { refused: errors ? `${errors.code}: ${errors.message}` : text };
}

const pathOf = ({ url, app, user }: Submitter) => `${url}/priv/v1/apps/${app}/users/${user}/image_validations`;
const authorizationOf = ({ app, secret }: Submitter) => `Basic ${Buffer.from(`${app}:${secret}`).toString('base64')}`;
