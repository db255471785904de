import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import type { Examination } from '../../../functions/images/examination/examination.ts';
import type { ReadReceipt } from '../../../functions/images/receipts/receipt.ts';
import { earlyFindings } from '../../../functions/images/verdict/early-rules.ts';
import type { ExaminationResult } from '../../../functions/images/verdict/picture-rules.ts';
import type { Duplicate, ValidationContext } from '../../../functions/images/verdict/validation-context.ts';
import { judge, type MachineVerdict } from '../../../functions/images/verdict/verdict.ts';
import { INVALID_CODES, INVALID_REASONS, type InvalidCode } from '../../../shared/loyalty/invalid-codes.ts';
import { examination, readItem, readReceipt } from '../../support/images/examinations.ts';
import { imageCampaign } from '../../support/images/image-campaigns.ts';

interface CaseFacts {
  readonly campaign?: Partial<Campaign>;
  readonly receipt?: Partial<ReadReceipt>;
  readonly image?: Partial<Examination>;
  readonly images?: readonly ExaminationResult[];
  readonly duplicates?: readonly Duplicate[];
  readonly one?: Partial<ValidationContext>;
  readonly type?: 'receipt' | 'image';
  readonly submittedAt?: string;
}

function contextOf({
  campaign,
  one,
  type = 'receipt',
  submittedAt = '2026-03-06T10:00:00.000Z',
}: CaseFacts): ValidationContext {
  return {
    validation: { id: '7', validationType: type, createdAt: submittedAt },
    campaign: imageCampaign({
      tenant: 'demo',
      permalink: 'spring',
      type,
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2027-01-01T00:00:00.000Z',
      ...campaign,
    }),
    awards: { total: 0, ofCustomer: 0 },
    linkedStores: [],
    ...one,
  };
}

function judged(facts: CaseFacts): MachineVerdict {
  const own = examination(facts.type === 'image' ? undefined : readReceipt(facts.receipt), facts.image);
  return judge(contextOf(facts), facts.images ?? [own], facts.duplicates ?? []);
}

const codesOf = (judgement: MachineVerdict) =>
  judgement.outcome === 'review' ? judgement.doubts.map(({ code }) => code) : judgement;
const refused = (code: InvalidCode) => ({ outcome: 'invalid', code, reason: INVALID_REASONS[code] });
const duplicate = (by: Duplicate['by'], certain = true): Duplicate => ({
  validation: '5',
  by,
  certain,
  undecided: false,
});
const NOISE = readReceipt({
  store: undefined,
  date: undefined,
  total: undefined,
  items: [],
  doubts: ['no-date', 'no-total'],
});
const BLURRED = { sharpness: 0.14 };
const PHOTOGRAPH = { contrast: 180, tones: 24, detail: 0.7, structure: 0.8 };
const unread = (more: Partial<Examination>) => [examination(undefined, more)];

describe('the verdict on a receipt', () => {
  it('is valid if nothing speaks against it', () => {
    expect(judged({})).toMatchObject({ outcome: 'valid', storeName: 'GREEN VALLEY MARKET', receiptDate: '2026-03-05' });
  });

  it.each(['US', 'GB', 'DE', 'SG', 'AU', 'CA'])(
    'of %s, where no real receipts were measured, needs a person for good and for bad',
    (code) => {
      const country = { country: code, decidesAlone: null };
      expect(codesOf(judged({ campaign: country }))).toEqual([1]);
      expect(codesOf(judged({ campaign: country, receipt: { date: '2025-01-01' } }))).toEqual([4, 1]);
      expect(judged({ campaign: country, images: unread(BLURRED) })).toMatchObject(refused(1));
    },
  );

  it('needs a person as the owner of the campaign says, whatever the country', () => {
    expect(judged({ campaign: { country: 'MY', decidesAlone: null } })).toMatchObject({ outcome: 'valid' });
    expect(codesOf(judged({ campaign: { country: 'MY', decidesAlone: false } }))).toEqual([1]);
    expect(judged({ campaign: { country: 'GB', decidesAlone: true } })).toMatchObject({ outcome: 'valid' });
  });

  const CERTAIN: readonly (readonly [InvalidCode, string, CaseFacts])[] = [
    [1, 'a file that cannot be opened', { images: unread({ problem: 'damaged' }) }],
    [1, 'a blurred picture', { images: unread(BLURRED) }],
    [
      2,
      'a head that is cut off',
      { receipt: { date: undefined, store: undefined, doubts: ['no-date', 'no-store'] }, image: { cut: ['top'] } },
    ],
    [2, 'a foot that is cut off', { receipt: { total: undefined, doubts: ['no-total'] }, image: { cut: ['bottom'] } }],
    [3, 'the same picture', { duplicates: [duplicate('perceptualHash')] }],
    [3, 'the same purchase', { duplicates: [duplicate('content')] }],
    [4, 'a day before the campaign', { receipt: { date: '2025-12-30' } }],
    [4, 'a day after the campaign', { receipt: { date: '2027-01-02' }, submittedAt: '2027-02-01T00:00:00.000Z' }],
    [5, 'a sharp picture of something else', { images: unread({ receiptScore: 0 }) }],
    [
      5,
      'sharp noise in which many words were read',
      { images: [examination(NOISE, { receiptScore: 3, words: 40, cut: ['left', 'right', 'top'] })] },
    ],
    [6, 'no product of the campaign', { campaign: { products: [{ name: 'Espresso Machine', points: 5 }] } }],
    [7, 'another store', { campaign: { stores: ['Blue Harbour Foods'] } }],
    [13, 'a second award of one', { campaign: { awardsPerCustomer: 1 }, one: { awards: { total: 9, ofCustomer: 1 } } }],
    [14, 'no date on a receipt that is legible', { receipt: { date: undefined, doubts: ['no-date'] } }],
    [15, 'a store whose card is linked', { one: { linkedStores: ['Green Valley Market'] } }],
    [
      16,
      'more awards of a customer than allowed',
      { campaign: { awardsPerCustomer: 2 }, one: { awards: { total: 9, ofCustomer: 2 } } },
    ],
    [
      16,
      'more awards than the campaign has',
      { campaign: { maxAwards: 9 }, one: { awards: { total: 9, ofCustomer: 0 } } },
    ],
    [18, 'another state', { campaign: { regions: ['NY'] } }],
    [18, 'another postal code', { campaign: { regions: ['100', '752'] } }],
  ];
  it.each(CERTAIN)('is code %i for %s', (code, _what, facts) => {
    expect(judged(facts)).toEqual(refused(code));
  });

  const DOUBTFUL: readonly (readonly [InvalidCode, string, CaseFacts])[] = [
    [1, 'an image that could not be examined', { images: ['failed'] }],
    [1, 'items that do not add up', { receipt: { doubts: ['items-unproven'] } }],
    [1, 'a picture on which nothing was read', { images: unread({ receiptScore: undefined }) }],
    [1, 'two different receipts', { images: [examination(readReceipt()), examination(readReceipt({ total: 5 }))] }],
    [
      2,
      'print over an edge, although all was read',
      { receipt: { doubts: ['items-unproven'] }, image: { cut: ['left'] } },
    ],
    [2, 'noise that runs over an edge', { images: unread({ receiptScore: 0, words: 3, cut: ['left'] }) }],
    [
      5,
      'noise in which words were read, but no receipt',
      { images: [examination(NOISE, { receiptScore: 3, words: 9, cut: ['left', 'right', 'top'] })] },
    ],
    [
      5,
      'noise that could not be read in time',
      { images: [examination(NOISE, { receiptScore: undefined, depiction: { ...PHOTOGRAPH, structure: 0.18 } })] },
    ],
    [3, 'a picture that is much like another', { duplicates: [duplicate('perceptualHash', false)] }],
    [4, 'a day in the future', { receipt: { date: '2026-03-09' } }],
    [4, 'an unsure day outside of the campaign', { receipt: { date: '2025-06-01', doubts: ['date-unsure'] } }],
    [
      5,
      'little that looks like a receipt',
      { image: { receiptScore: 6 }, receipt: { doubts: ['no-total', 'no-date'] } },
    ],
    [
      6,
      'no product, where items are not proven',
      { campaign: { products: [{ name: 'Espresso Machine', points: 5 }] }, receipt: { doubts: ['items-unproven'] } },
    ],
    [
      7,
      'another store, where the reading is not proven',
      { campaign: { stores: ['Blue Harbour Foods'] }, receipt: { doubts: ['items-unproven'] } },
    ],
    [
      7,
      'a line that is no name, where that of the store is a picture',
      { campaign: { stores: ['Blue Harbour Foods'] }, receipt: { store: 'WELCOME TO CHELMSFORD' } },
    ],
    [
      7,
      'a name of which a part stands in the head',
      { campaign: { stores: ['Blue Harbour Foods'] }, receipt: { head: ['HARB0UR'], store: 'CORNER MARKET' } },
    ],
    [14, 'a date that may stand there', { receipt: { date: undefined, doubts: ['date-unread'] } }],
    [14, 'no total', { receipt: { total: undefined, doubts: ['no-total'] } }],
    [17, 'signs of alteration', { image: { alteration: { score: 0.9, signs: ['software: GIMP'] } } }],
    [18, 'a postal code of which one digit differs', { campaign: { regions: ['942'] } }],
    [18, 'an address that was not read', { campaign: { regions: ['NY'] }, receipt: { regions: [] } }],
  ];
  it.each(DOUBTFUL)('is left to a person, by code %i, for %s', (code, _what, facts) => {
    expect(codesOf(judged(facts))).toContain(code);
  });

  it.each(['too-large', 'too-costly'] as const)('does not blame a file that was %s to be examined', (problem) => {
    const reason = 'The image could not be examined.';
    const doubts = (code: InvalidCode) => ({ outcome: 'review', doubts: [{ code, reason }] });
    expect(judged({ images: unread({ problem }) })).toEqual(doubts(1));
    expect(judged({ images: unread({ problem }), type: 'image', campaign: { reviewsEveryImage: false } })).toEqual(
      doubts(8),
    );
  });

  it('accepts the campaign’s own regions, by state or by the beginning of a postal code', () => {
    for (const region of ['CA', 'ca', '94105', '941']) {
      expect(judged({ campaign: { regions: ['NY', region] } })).toMatchObject({ outcome: 'valid' });
    }
  });

  it('ignores a poor image beside one that shows everything', () => {
    const images = [
      examination(readReceipt()),
      examination(undefined, BLURRED),
      examination(undefined, { problem: 'damaged' }),
    ];
    expect(judged({ images })).toMatchObject({ outcome: 'valid' });
  });

  it('is never blurred or cropped if all of it was read and proven', () => {
    expect(judged({ image: { ...BLURRED, cut: ['bottom', 'top'] } })).toMatchObject({ outcome: 'valid' });
  });

  it('follows the store’s days, also on the first and the last of the campaign', () => {
    const campaign = { startsAt: '2026-03-05T05:00:00.000Z', endsAt: '2026-03-08T05:00:00.000Z' };
    const on = (date: string) => judged({ campaign, receipt: { date }, submittedAt: '2026-04-01T00:00:00.000Z' });
    expect(on('2026-03-04')).toEqual(refused(4));
    expect(on('2026-03-05')).toMatchObject({ outcome: 'valid' });
    expect(on('2026-03-07')).toMatchObject({ outcome: 'valid' });
    expect(on('2026-03-08')).toEqual(refused(4));
  });

  it('sends receipts of a high total to a person', () => {
    expect(judged({ campaign: { reviewAboveTotal: 1_869 } })).toMatchObject({
      outcome: 'review',
      doubts: [{ reason: 'The total of 18.70 is above 18.69, up to which the campaign needs no review.' }],
    });
    expect(judged({ campaign: { reviewAboveTotal: 1_870 } })).toMatchObject({ outcome: 'valid' });
    expect(judged({ campaign: { reviewAboveTotal: 0 } })).toMatchObject({
      doubts: [{ reason: 'Every receipt of this campaign needs a review.' }],
    });
  });
});

describe('the verdict on another image', () => {
  const image = (facts: CaseFacts) => judged({ ...facts, type: 'image' });
  const trusted = { reviewsEveryImage: false };

  it('is valid only if the campaign trusts images; otherwise a person decides', () => {
    expect(codesOf(image({}))).toEqual([9]);
    expect(image({ campaign: trusted })).toEqual({ outcome: 'valid', results: [] });
  });

  it.each([
    ['contrast', 39],
    ['tones', 6],
    ['detail', 0.11],
    ['structure', 0.29],
  ])('is left to a person if a picture of a trusted campaign has too little %s for a photograph', (trait, value) => {
    const images = [examination(undefined, { depiction: { ...PHOTOGRAPH, [trait]: value } })];
    expect(image({ images, campaign: trusted })).toEqual({
      outcome: 'review',
      doubts: [{ code: 8, reason: `It may not be a photograph: little ${trait}.` }],
    });
    expect(codesOf(image({ images }))).toEqual([9]);
  });

  it('is left to a person if the depiction is unknown', () => {
    const images = unread({ depiction: undefined });
    expect(codesOf(image({ images, campaign: trusted }))).toEqual([8]);
  });

  it.each<readonly [InvalidCode, CaseFacts]>([
    [8, { images: unread(BLURRED) }],
    [8, { images: unread({ problem: 'unknown' }) }],
    [8, { images: unread({ depiction: { ...PHOTOGRAPH, contrast: 9 } }), campaign: trusted }],
    [8, { images: [examination(), examination(undefined, { depiction: { ...PHOTOGRAPH, contrast: 0 } })] }],
    [10, { duplicates: [duplicate('perceptualHash')] }],
    [11, { submittedAt: '2027-01-01T00:00:00.000Z' }],
    [11, { submittedAt: '2025-12-31T23:59:59.999Z' }],
    [16, { campaign: { maxAwards: 1 }, one: { awards: { total: 1, ofCustomer: 0 } } }],
  ])('is code %i', (code, facts) => {
    expect(image(facts)).toEqual(refused(code));
  });
});

describe('findings before any image is opened', () => {
  it('follow the order of the specification’s codes: 13, 16, 15, 3', () => {
    const campaign = { awardsPerCustomer: 1, maxAwards: 1, stores: ['Green Valley Market'] };
    const one = contextOf({
      campaign,
      one: { awards: { total: 1, ofCustomer: 1 }, linkedStores: ['GREEN VALLEY MARKET'] },
    });
    expect(earlyFindings(one, [duplicate('bytes')]).map(({ code }) => code)).toEqual([13, 15, 3]);
    const free = { ...one, campaign: { ...one.campaign, awardsPerCustomer: null } };
    expect(earlyFindings(free, []).map(({ code }) => code)).toEqual([16, 15]);
  });

  it('include linked cards only if every store of the campaign is linked', () => {
    const stores = ['Green Valley Market', 'Blue Harbour Foods'];
    const with1 = contextOf({ campaign: { stores }, one: { linkedStores: ['Green Valley Market'] } });
    expect(earlyFindings(with1, [])).toEqual([]);
    expect(earlyFindings({ ...with1, linkedStores: stores }, []).map(({ code }) => code)).toEqual([15]);
  });
});

describe('results', () => {
  it('hold the lines of the campaign’s products, by code or by name, with their points', () => {
    const products = [
      { name: 'Whole Milk', points: 10 },
      { name: 'Coffee', upc: '012345678905', points: 3 },
    ];
    const items = [
      readItem('WH0LE MILK', 349),
      readItem('RSTD CFE 500G', 899, { code: '012345678905', quantity: 2 }),
      readItem('BAGELS', 500),
    ];
    expect(judged({ campaign: { products }, receipt: { items } })).toMatchObject({
      results: [
        { id: '7-1', name: 'Whole Milk', description: 'WH0LE MILK', price: 349, quantity: 1, points: 10 },
        { id: '7-2', name: '012345678905', description: 'RSTD CFE 500G', price: 899, quantity: 2, points: 6 },
      ],
    });
  });

  it('need a person if points depend on a quantity that nothing proves', () => {
    const items = [readItem('WHOLE MILK', 698, { isQuantityUnsure: true })];
    const judgedFor = (points: number) =>
      judged({ campaign: { products: [{ name: 'Whole Milk', points }] }, receipt: { items } });
    expect(judgedFor(10)).toMatchObject({
      outcome: 'review',
      doubts: [{ code: 1, reason: 'The quantity is not proven: WHOLE MILK.' }],
    });
    expect(judgedFor(0)).toMatchObject({ outcome: 'valid', results: [{ quantity: 1, points: 0 }] });
  });

  it('hold all lines if the campaign names no products, without points', () => {
    expect(judged({})).toMatchObject({ results: [{ description: 'WHOLE MILK', points: 0 }] });
  });
});

describe('any findings', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const image = fc.record({
    sharpness: fc.option(share, { nil: undefined }),
    receiptScore: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    cut: fc.subarray(['left', 'right', 'top', 'bottom'] as const),
    alteration: fc.record({ score: share, signs: fc.constant(['ela']) }),
    problem: fc.option(fc.constantFrom('empty', 'unknown', 'too-large', 'too-costly', 'damaged'), {
      nil: undefined,
      freq: 8,
    }),
  });
  const receipt = fc.record({
    doubts: fc.subarray([
      'no-total',
      'total-unproven',
      'no-date',
      'date-unsure',
      'items-unproven',
      'no-store',
      'other-locale',
      'no-purchase',
    ] as const),
    date: fc.option(fc.constantFrom('2026-03-05', '2025-01-01', '2026-12-31'), { nil: undefined }),
    total: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
    regions: fc.subarray(['CA', 'NY']),
  });

  it('lead to one result: a code with its text, or findings with their codes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.tuple(image, receipt), { nil: 'failed' as const }), { minLength: 1, maxLength: 3 }),
        (seen) => {
          const images = seen.map((one) => (one === 'failed' ? one : examination(readReceipt(one[1]), one[0])));
          const judgement = judged({
            images,
            campaign: { regions: ['CA'], products: [{ name: 'Whole Milk', points: 1 }] },
          });
          if (judgement.outcome === 'review') {
            expect(judgement.doubts.length).toBeGreaterThan(0);
            for (const { code } of judgement.doubts) expect(INVALID_CODES).toContain(code);
          } else if (judgement.outcome === 'invalid') {
            expect(judgement.reason).toBe(INVALID_REASONS[judgement.code as InvalidCode]);
          } else {
            // Nothing is awarded that was not proven.
            const proven = images.some(
              (one) => one !== 'failed' && one.problem === undefined && one.receipt?.doubts.length === 0,
            );
            expect(proven).toBe(true);
          }
        },
      ),
    );
  });
});
