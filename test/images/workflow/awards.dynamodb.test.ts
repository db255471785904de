import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shardCounts } from '../../../functions/images/campaigns/award-counters.dynamodb.ts';
import { AWARD_SHARDS } from '../../../functions/images/campaigns/award-limit.ts';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import { campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { changeValidation } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { applyVerdict } from '../../../functions/images/workflow/apply-verdict.ts';
import { applyDeps } from '../../../functions/images/workflow/steps.dynamodb.ts';
import { openValidationDesk, type ValidationDesk } from '../../support/images/validation-desk.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

let desk: ValidationDesk;
beforeAll(async () => {
  desk = await openValidationDesk();
});
afterAll(() => desk.close());

const VALID = {
  kind: 'judged',
  verdict: { outcome: 'valid', results: [] },
} as const;
const NOW = Date.parse('2026-11-15T10:30:00.000Z');

async function pending(campaign: Campaign, customer: string): Promise<Validation> {
  const submitted = await desk.submit(campaign, { customer });
  const after: Validation = {
    ...submitted,
    status: 'pending',
    revision: submitted.revision + 1,
  };
  await changeValidation(desk.tables.images, after, submitted);
  return after;
}

const decide = ({ tenant, id }: Validation) => applyVerdict(applyDeps(desk.tables), { tenant, id }, VALID, NOW);

describe('awards of a campaign', () => {
  it('are exactly as many as its limit, with many writers at the same time, each of them twice', async () => {
    const Case = fc.record({
      maxAwards: fc.integer({ min: 1, max: 24 }),
      customers: fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }),
      twice: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(Case, async ({ maxAwards, customers, twice }) => {
        const campaign = await desk.campaign({ maxAwards });
        const records = await Promise.all(customers.map((customer) => pending(campaign, `customer-${customer}`)));
        await Promise.all(records.flatMap((record, nth) => [decide(record), ...(twice[nth] ? [decide(record)] : [])]));
        const after = await Promise.all(records.map((record) => desk.validation(record)));
        const valid = after.filter(({ status }) => status === 'valid');
        expect(valid).toHaveLength(Math.min(maxAwards, records.length));
        expect(after.filter(({ invalidCode }) => invalidCode === 16)).toHaveLength(records.length - valid.length);
        expect(await desk.awards(campaign)).toMatchObject({
          total: valid.length,
        });
      }),
      { numRuns: isThorough ? 200 : 5 },
    );
  });

  it('spread over all shards', async () => {
    const campaign = await desk.campaign({ maxAwards: 3 * AWARD_SHARDS });
    const records = await Promise.all(
      Array.from({ length: 3 * AWARD_SHARDS + 1 }, (_, nth) => pending(campaign, `customer-${nth}`)),
    );
    await Promise.all(records.map(decide));
    expect(await shardCounts(desk.tables.images, campaign)).toEqual(Array.from({ length: AWARD_SHARDS }, () => 3));
  });

  it('are counted from when the campaign has a limit', async () => {
    const campaign = await desk.campaign({ maxAwards: null });
    for (const customer of ['first', 'second']) await decide(await pending(campaign, customer));
    expect(await desk.awards(campaign, 'first')).toEqual({
      total: null,
      ofCustomer: 1,
    });
    expect(await shardCounts(desk.tables.images, campaign)).toEqual(Array.from({ length: AWARD_SHARDS }, () => 0));

    const limited = {
      ...campaign,
      maxAwards: 1,
      revision: campaign.revision + 1,
    };
    await campaignStore(desk.tables.images).change(limited, campaign);
    const [third, fourth] = [await pending(limited, 'third'), await pending(limited, 'fourth')];
    await decide(third);
    await decide(fourth);
    expect(await desk.validation(third)).toMatchObject({ status: 'valid' });
    expect(await desk.validation(fourth)).toMatchObject({ invalidCode: 16 });
  });

  it('are stated in points, those of the validation and of its lines together', async () => {
    const record = await pending(await desk.campaign({ pointsPerValidation: 50 }), 'with-lines');
    const line = (points: number) => ({
      id: `${record.id}-${points}`,
      name: 'Oak board',
      description: '',
      price: 100,
      quantity: 1,
      points,
    });
    const verdict = { outcome: 'valid', results: [line(0), line(5), line(7)] } as const;
    const key = { tenant: record.tenant, id: record.id };
    const applied = () => applyVerdict(applyDeps(desk.tables), key, { kind: 'judged', verdict }, NOW);
    await applied();
    await applied();
    const after = await desk.validation(record);
    expect([after.points, await desk.points(after)]).toEqual([62, 62]);
  });

  it('end where the limit was lowered to what was awarded', async () => {
    const campaign = await desk.campaign({ maxAwards: 100 });
    for (const customer of ['first', 'second']) await decide(await pending(campaign, customer));
    const lowered = {
      ...campaign,
      maxAwards: 2,
      revision: campaign.revision + 1,
    };
    await campaignStore(desk.tables.images).change(lowered, campaign);
    const late = await pending(lowered, 'third');
    await decide(late);
    expect(await desk.validation(late)).toMatchObject({ invalidCode: 16 });
    expect(await desk.awards(lowered)).toMatchObject({ total: 2 });
  });
});
