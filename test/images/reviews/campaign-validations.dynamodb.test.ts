import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countedDays, firstDay } from '../../../functions/images/reviews/days.ts';
import { createdSince } from '../../../functions/images/reviews/reviews.dynamodb.ts';
import { listValidations } from '../../../functions/images/validations/listed-validations.dynamodb.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { changeValidation } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable } from '../../support/cloud/local-table.ts';
import { newValidation, store } from '../../support/images/validations.ts';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
});
afterAll(() => endpoint.close());

/** Stores a validation of the campaign `autumn`. */
const submitted = (tenant: string, createdAt: string, own: Partial<Validation> = {}) =>
  store(table, newValidation({ tenant, campaignPermalink: 'autumn', createdAt, storeName: 'Cedar', ...own }));

describe('the validations of a campaign', () => {
  it('are listed whole, newest first and page by page, those of no other campaign or tenant among them', async () => {
    const [tenant, other] = [newId('t'), newId('t')];
    const submissions: Validation[] = [];
    for (let n = 1; n <= 28; n += 1) {
      submissions.push(await submitted(tenant, `2026-11-${String(n).padStart(2, '0')}T00:00:00.000Z`));
    }
    await submitted(tenant, '2026-11-06T00:00:00.000Z', { campaignPermalink: 'spring' });
    await submitted(other, '2026-11-06T00:00:00.000Z');
    for (const oldestFirst of [false, true]) {
      const listed: Validation[] = [];
      let cursor: string | undefined;
      do {
        const page = { limit: 5, cursor };
        const { items, nextCursor } = await listValidations(table, { tenant, campaign: 'autumn', page, oldestFirst });
        listed.push(...items);
        expect(listed).toHaveLength(nextCursor === undefined ? 28 : 5 * Math.ceil(listed.length / 5));
        cursor = nextCursor;
      } while (cursor !== undefined);
      expect(listed).toEqual(oldestFirst ? submissions : submissions.toReversed());
    }
  });

  it('are counted by day and verdict, with the verdict that they have now', async () => {
    const tenant = newId('t');
    await submitted(tenant, '2026-11-21T23:59:59.999Z', { status: 'valid' });
    await submitted(tenant, '2026-11-22T00:00:00.000Z', { status: 'invalid' });
    await submitted(tenant, '2026-11-22T08:00:00.000Z', { status: 'incomplete' });
    const pending = await submitted(tenant, '2026-11-22T09:00:00.000Z');
    await submitted(tenant, `${firstDay(NOW)}T00:00:00.000Z`, { status: 'valid' });
    await submitted(tenant, '2026-10-24T23:59:59.999Z', { status: 'valid' });
    const days = async () =>
      countedDays(await createdSince(table, { tenant, permalink: 'autumn' }, firstDay(NOW)), NOW);
    const counted = await days();
    expect([counted.length, counted[0], counted.at(-1)?.date]).toEqual([
      30,
      { date: '2026-10-25', valid: 1, invalid: 0, undecided: 0 },
      '2026-11-23',
    ]);
    expect(counted.slice(-3, -1)).toEqual([
      { date: '2026-11-21', valid: 1, invalid: 0, undecided: 0 },
      { date: '2026-11-22', valid: 0, invalid: 1, undecided: 2 },
    ]);
    expect(await changeValidation(table, { ...pending, revision: 2, status: 'valid' }, pending)).toBe(true);
    expect((await days()).at(-2)).toEqual({ date: '2026-11-22', valid: 1, invalid: 1, undecided: 1 });
  });

  it('are counted of whole days only, if there are more than one call counts', async () => {
    const tenant = newId('t');
    // Each partition of the list has some of every day.
    const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
    for (const day of ['19', '20', '21', '22']) {
      await Promise.all(
        hours.map((hour) => submitted(tenant, `2026-11-${day}T${hour}:00:00.000Z`, { status: 'valid' })),
      );
    }
    const counted = async (entriesMax: number) =>
      countedDays(await createdSince(table, { tenant, permalink: 'autumn' }, firstDay(NOW), entriesMax), NOW);
    const whole = await counted(4 * 24 * 4);
    expect([whole.length, whole.at(-2)?.valid]).toEqual([30, 24]);
    for (const entriesMax of [4, 40, 60, 80]) {
      const days = await counted(entriesMax);
      expect(days, `${entriesMax} entries`).toEqual(whole.slice(whole.length - days.length));
      expect(days.length).toBeLessThanOrEqual(1 + Math.floor(entriesMax / 24));
    }
  });
});
