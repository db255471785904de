/** Codes that follow from what is printed: each of them is a receipt that must be read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CampaignFields } from '../../../functions/images/campaigns/campaign.ts';
import { AMERICAN, drawn } from '../../images/drawn-receipts.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { type ImageService, imageService } from '../../support/images/image-service.ts';
import { alteredReceiptOfSeed } from '../../support/images/receipts/altered-receipt.ts';
import { type ReceiptOptions, receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { otherPictureOfSeed } from '../../support/images/receipts/other-pictures.ts';

let service: RunningService;
let images: ImageService;
beforeAll(async () => {
  service = await startService();
  images = imageService(service, await service.managementToken('demo'));
});
afterAll(() => service?.close());

const receipt = async (seed: number, options: ReceiptOptions = {}) =>
  (await receiptOfSeed(seed, { country: 'US', distortion: 'clean', file: 'jpeg', ...options }).render()).bytes;
const other = async (...of: Parameters<typeof otherPictureOfSeed>) => (await otherPictureOfSeed(...of)).bytes;
const jpegOf = (rows: readonly string[]) => drawn(rows).jpeg({ quality: 90 }).toBuffer();

async function submitted(bytes: Buffer, fields: Partial<CampaignFields> = {}, customerFields: object = {}) {
  const [to, customer] = await Promise.all([images.campaign(fields), images.newCustomer(customerFields)]);
  return { customer, record: await images.submit(customer, { to }, bytes) };
}

describe('a receipt is refused without a person', () => {
  const linked = { attributes: { linkedRetailers: 'Copper Kettle Coffee' } };
  it.each([
    [2, 'its lower part is missing', () => receipt(10_001, { distortion: 'cropped bottom' }), {}, {}],
    [4, 'it is of before the campaign', () => receipt(10_020), { startsAt: '2026-01-01T00:00:00Z' }, {}],
    [5, 'it is a letter', () => other('letter', 10_001), {}, {}],
    [6, 'nothing on it counts', () => receipt(10_021), { products: [{ name: 'Snow Tyres', points: 1 }] }, {}],
    [7, 'it is of another store', () => receipt(10_036), { stores: ['Walmart', 'Kroger'] }, {}],
    [14, 'it has no date', () => jpegOf(AMERICAN.filter((row) => !/^\d\d\//.test(row))), {}, {}],
    [15, 'the card of its store is linked', () => receipt(10_027), {}, linked],
    [18, 'it is of another state', () => receipt(10_026), { regions: ['CA', '972'] }, {}],
  ] as const)('with code %i: %s', async (code, _what, picture, fields, customerFields) => {
    const { customer, record } = await submitted(await picture(), fields as Partial<CampaignFields>, customerFields);
    expect(await images.codeOf(customer, record)).toBe(code);
  });

  it('with code 3: the same receipt was photographed once more', async () => {
    const [one, again] = [
      await receipt(10_030, { distortion: 'clean' }),
      await receipt(10_030, { distortion: 'leaning 3' }),
    ];
    const first = await submitted(one);
    expect(await images.codeOf(first.customer, first.record)).toBeUndefined();
    const second = await submitted(again);
    expect(await images.codeOf(second.customer, second.record)).toBe(3);
  });
});

describe('a person is asked about a receipt', () => {
  it.each([
    [2, 'of which a part may be missing', () => receipt(10_021, { distortion: 'cropped left' }), {}],
    [5, 'that hardly is one', () => other('poster', 10_001), {}],
    [0, 'of a high total', () => receipt(10_032), { reviewAboveTotal: 100 }],
  ] as const)('with code %i, %s', async (code, _what, picture, fields) => {
    const { record } = await submitted(await picture(), fields);
    const { review } = await images.waiting(record);
    expect(review.doubts.map((doubt: { code: number }) => doubt.code)).toContain(code);
  });

  it('with code 17, the total of which was pasted over', async () => {
    const { file } = await alteredReceiptOfSeed(10_003, { signed: true });
    const { customer, record } = await submitted(file.bytes);
    const { review } = await images.waiting(record);
    expect(review.doubts.map((doubt: { code: number }) => doubt.code)).toContain(17);
    expect((await images.review(record, { status: 'invalid', invalidCode: 17 })).status).toBe(202);
    expect(await images.codeOf(customer, record)).toBe(17);
  });
});
