/** The public interface, as a customer's own program would call it. */
export interface Submitter {
  readonly url: string;
  /** Key and secret of the app. */
  readonly app: string;
  readonly secret: string;
  readonly user: string;
}

interface Answer {
  readonly status: string;
  readonly errors?: { readonly code: string; readonly message: string };
  readonly image_validation?: { readonly id: number };
}

/** Submits one picture of a receipt: the id of its record, or why it was refused. */
export async function submitted(
  { url, app, secret, user }: Submitter,
  { bytes, campaign }: { readonly bytes: Uint8Array; readonly campaign: string },
): Promise<{ readonly id: string } | { readonly refused: string }> {
  const response = await fetch(`${url}/priv/v1/apps/${app}/users/${user}/image_validations`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${app}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      image_validation: {
        validation_type: 'receipt',
        campaign_permalink: campaign,
        images: [{ base64_data: Buffer.from(bytes).toString('base64'), mime_type: 'application/octet-stream' }],
      },
    }),
  });
  const text = await response.text();
  if (!text.startsWith('{')) return { refused: `HTTP ${response.status}` };
  const { image_validation: made, errors }: Answer = JSON.parse(text);
  return made ? { id: String(made.id) } : { refused: errors ? `${errors.code}: ${errors.message}` : text };
}
