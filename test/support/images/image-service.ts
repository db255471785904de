/** Image validations of a running service over HTTP: as apps submit them, and as their tenant manages them. */
import { expect } from 'vitest';
import type { CampaignFields } from '../../../functions/images/campaigns/campaign.ts';
import { eventually } from '../cloud/local-cloud.ts';
import type { RunningService } from '../cloud/running-service.ts';
import { polled } from '../runner/machine-time.ts';

const APP = '/priv/v1/apps/demo-app';
const BASIC = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;

/** What a client is told of a validation. */
export interface ShownRecord {
  readonly id: number;
  readonly status: string;
  readonly invalid_code?: number;
  readonly invalid_reason?: string;
  readonly store_name?: string;
  readonly receipt_date?: string;
  readonly results?: readonly { readonly id: string; readonly name: string; readonly points: number }[];
  readonly images: readonly { readonly upload_url?: string }[];
}

export type ImageService = ReturnType<typeof imageService>;

/** @param token of the tenant `demo`, whose app the demo data holds */
export function imageService(service: Pick<RunningService, 'call'> & Partial<RunningService>, token: string) {
  const { cloud } = service;
  // A service in another process keeps the time of the machine.
  const when = <T>(look: () => Promise<T>, isSo: (seen: T) => boolean) =>
    cloud ? eventually(cloud, look, isSo) : polled(look, isSo);
  const manage = (method: string, path: string, body?: unknown) =>
    service.call(`/manage/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  async function made(path: string, body: unknown) {
    const { status, json, text } = await manage('POST', path, body);
    expect(status, text).toBe(201);
    return json;
  }
  const asApp = (method: string, path: string, body?: unknown) =>
    service.call(`${APP}${path}`, {
      method,
      headers: { authorization: BASIC, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  async function accepted(path: string, body: unknown): Promise<ShownRecord> {
    const { json, text } = await asApp('POST', path, body);
    expect(json?.status, text).toBe('ok');
    return json.image_validation;
  }
  const validations = (customer: string) => `/users/${customer}/image_validations`;

  const client = {
    manage,
    made,

    /** For receipts of any store and year in the United States, unless the fields say otherwise; its permalink. */
    async campaign(fields: Partial<CampaignFields> = {}): Promise<string> {
      const permalink = `campaign-${crypto.randomUUID()}`;
      const usual = {
        name: 'A campaign',
        type: 'receipt',
        country: 'US',
        currency: 'USD',
        decidesAlone: true,
        ...YEARS,
      };
      await made('loyalty/campaigns', { ...usual, permalink, ...fields });
      return permalink;
    },

    newCustomer: async (fields: object = {}): Promise<string> => (await made('loyalty/customers', fields)).id,

    points: async (customer: string): Promise<number> =>
      (await manage('GET', `loyalty/customers/${customer}`)).json.availablePoints,

    /** One validation, with these images inline. */
    submit: (customer: string, campaign: Submission, ...images: readonly Buffer[]): Promise<ShownRecord> =>
      accepted(validations(customer), {
        image_validation: {
          validation_type: campaign.type ?? 'receipt',
          campaign_permalink: campaign.to,
          images: images.map((bytes) => ({ base64_data: bytes.toString('base64') })),
          ...(campaign.imageCount !== undefined && { image_count: campaign.imageCount }),
        },
      }),

    add: (customer: string, { id }: Pick<ShownRecord, 'id'>, image: object): Promise<ShownRecord> =>
      accepted(`${validations(customer)}/${id}/images`, { image }),

    async listed(customer: string, { id }: Pick<ShownRecord, 'id'>): Promise<ShownRecord> {
      const { json } = await asApp('GET', `${validations(customer)}?limit=100`);
      return json.image_validations.find((one: ShownRecord) => one.id === id);
    },

    /** The validation when it is valid or invalid. */
    decided: (customer: string, record: Pick<ShownRecord, 'id'>): Promise<ShownRecord> =>
      when(
        () => client.listed(customer, record),
        ({ status }) => status === 'valid' || status === 'invalid',
      ),

    /** The code of the validation when it is invalid; undefined: it became valid. */
    codeOf: async (customer: string, record: Pick<ShownRecord, 'id'>): Promise<number | undefined> =>
      (await client.decided(customer, record)).invalid_code,

    /** All pages of a list. */
    async all<Item>(path: string): Promise<Item[]> {
      const items: Item[] = [];
      let cursor: string | undefined;
      do {
        const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, json, text } = await manage('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${page}`);
        expect(status, text).toBe(200);
        items.push(...json.items);
        cursor = json.nextCursor;
      } while (cursor !== undefined);
      return items;
    },

    /** The validation as a reviewer sees it, when it waits for one. */
    async waiting({ id }: Pick<ShownRecord, 'id'>) {
      const view = await when(
        async () => (await manage('GET', `image-validations/${id}`)).json,
        ({ needsReview, status }) => needsReview || status === 'valid' || status === 'invalid',
      );
      expect(view).toMatchObject({ status: 'pending', needsReview: true });
      return view;
    },

    review: ({ id }: Pick<ShownRecord, 'id'>, verdict: object) =>
      manage('POST', `image-validations/${id}/review`, verdict),
  };
  return client;
}

interface Submission {
  /** The campaign's permalink. */
  readonly to: string;
  /** @default receipt */
  readonly type?: 'receipt' | 'image';
  readonly imageCount?: number;
}

const YEARS = { startsAt: '2020-01-01T00:00:00Z', endsAt: '2040-01-01T00:00:00Z' };
