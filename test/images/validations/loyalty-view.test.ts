import { describe, expect, it } from 'vitest';
import { type PictureLinks, presentValidation } from '../../../functions/images/validations/loyalty-view.ts';
import { decided, type Validation } from '../../../functions/images/validations/validation.ts';
import { newValidation, storedImage } from '../../support/images/validations.ts';

const links: PictureLinks = {
  view: async (key) => `view:${key}`,
  upload: async (key, bytes) => `upload:${key}:${bytes}`,
};
const present = (validation: Validation) => presentValidation(links, validation);
const json = async (validation: Validation) => JSON.stringify(await present(validation));

const PENDING = newValidation({
  tenant: 't',
  id: '880000000000001',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-11-22T19:40:00.000Z',
});
const IMAGE = storedImage(PENDING, 'one');
const SHOWN = {
  id: 880_000_000_000_001,
  validation_type: 'receipt',
  campaign_id: 1,
  campaign_permalink: 'demo-receipts',
  user_id: 'demo-user',
  status: 'pending',
  created_at: '2026-01-02 03:04:05',
  updated_at: '2026-11-22 19:40:00',
  image_count: 1,
  images: [{ id: 'image-one', url: `view:${IMAGE.key}`, mime_type: 'image/jpeg' }],
};

describe('a validation', () => {
  it('that is pending shows what was submitted, and nothing internal', async () => {
    expect(JSON.parse(await json(PENDING))).toEqual(SHOWN);
    const review = { requestedAt: 'x', until: 'y', doubts: [{ reason: 'secret', code: 1 }] };
    expect(JSON.parse(await json({ ...PENDING, review, customerExternalId: 'crm', restarts: 2 }))).toEqual(SHOWN);
  });

  it('shows the client’s data, digit by digit', async () => {
    const data = '{"n":12345678901234567890,"p":1.10,"__proto__":{"a":[]}}';
    const text = await json({ ...PENDING, placementId: 'p', externalId: 'e', data });
    expect(text).toContain(`"data":${data}`);
    expect(JSON.parse(text)).toMatchObject({ placement_id: 'p', external_id: 'e' });
  });

  it('shows upload links for images that have not arrived', async () => {
    const expected = { id: 'u', mimeType: 'image/heic', uploadKey: 'uploads/t/1/s' };
    const images = [IMAGE, expected, { ...expected, id: 'v', bytes: 7 }];
    const view = await present({ ...PENDING, status: 'incomplete', imageCount: 4, images });
    expect(view).toMatchObject({ status: 'incomplete', image_count: 4 });
    expect(view.images.slice(1)).toEqual([
      { id: 'u', upload_url: 'upload:uploads/t/1/s:undefined', mime_type: 'image/heic' },
      { id: 'v', upload_url: 'upload:uploads/t/1/s:7', mime_type: 'image/heic' },
    ]);
  });

  it('shows why an upload was refused', async () => {
    const expected = { id: 'u', mimeType: 'image/heic', uploadKey: 'uploads/t/1/s' };
    for (const [refused, message] of [
      ['too-large', /over 10MB.*upload_url/],
      ['no-image', /^Invalid image data.*upload_url/],
    ] as const) {
      const { images } = await present({ ...PENDING, status: 'incomplete', images: [{ ...expected, refused }] });
      expect(images).toEqual([
        {
          id: 'u',
          upload_url: 'upload:uploads/t/1/s:undefined',
          error: { code: 'validation', message: expect.stringMatching(message) },
          mime_type: 'image/heic',
        },
      ]);
    }
  });

  it('that is valid shows its lines with prices in units of the currency', async () => {
    const line = { id: '880000000000001-1', name: '012345678905', description: 'COFFEE', quantity: 2, points: 10 };
    const results = [1_999, 5, 0, -150, 110].map((price) => ({ ...line, price }));
    const verdict = { outcome: 'valid', storeName: 'Corner', receiptDate: '2026-11-20', results } as const;
    const valid = JSON.parse(await json(decided(PENDING, verdict, '2026-11-23T00:00:00.000Z')));
    expect(valid).toEqual({
      ...SHOWN,
      status: 'valid',
      updated_at: '2026-11-23 00:00:00',
      store_name: 'Corner',
      receipt_date: '2026-11-20',
      results: [19.99, 0.05, 0, -1.5, 1.1].map((price) => ({ ...line, price })),
    });
  });

  it('that is valid without lines has an empty list of them', async () => {
    const verdict = { outcome: 'valid', results: [] } as const;
    expect(JSON.parse(await json(decided(PENDING, verdict, PENDING.updatedAt)))).toEqual({
      ...SHOWN,
      status: 'valid',
      results: [],
    });
  });

  it('that is invalid shows its code, 0 included, and its reason', async () => {
    for (const code of [0, 18]) {
      const verdict = { outcome: 'invalid', code, reason: 'Unknown' } as const;
      const invalid = JSON.parse(await json(decided(PENDING, verdict, PENDING.updatedAt)));
      expect(invalid).toEqual({ ...SHOWN, status: 'invalid', invalid_code: code, invalid_reason: 'Unknown' });
    }
  });
});
