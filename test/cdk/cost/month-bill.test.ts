import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BilledTemplate, IDLE_WORK, idleBill } from '../../../cdk/cost/idle-bill.ts';
import { readMonth } from '../../../cdk/cost/month.ts';
import { egressDollars, monthBill, monthRow, STORED, totalOf } from '../../../cdk/cost/month-bill.ts';
import { settingsOf } from '../../../cdk/settings.ts';
import { stacksOf } from '../../support/cloud/templates-only.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const README = readFileSync(join(ROOT, 'cdk', 'README.md'), 'utf8');
const SMALL: Record<string, number> = JSON.parse(readFileSync(join(ROOT, 'cdk', 'cost', 'small-month.json'), 'utf8'));
const { webhookRetentionDays: webhookDays } = settingsOf(new App({ context: { stage: 'prod', alarmsTo: 'nobody' } }));

const times = (factor: number) =>
  readMonth(JSON.stringify(Object.fromEntries(Object.entries(SMALL).map(([name, count]) => [name, count * factor]))));
const billOf = (month: object) => monthBill(readMonth(JSON.stringify(month)), { webhookDays });
const totalOfAll = (month: object) => billOf(month).reduce((sum, one) => sum + totalOf(one), 0);

let templates: readonly BilledTemplate[];
beforeAll(() => {
  templates = stacksOf('prod').map(({ template }) => template);
}, 300_000);

describe('the bill of a month', () => {
  it('is what the guide says of an idle, a small, a medium and a large one', () => {
    const idle = idleBill(templates, IDLE_WORK);
    const sizes = { idle: 0, small: 1, medium: 20, large: 500 };
    const rows = Object.entries(sizes).map(([name, factor]) =>
      monthRow(name, monthBill(times(factor), { webhookDays }), idle),
    );
    const table = rows.join('\n');
    expect(README, `The table must be:\n${table}`).toContain(`\n${table}\n`);
  });

  it('grows with every count and every size', () => {
    const month = { ...SMALL, checkIns: 1_000, recordBytes: 790, webhookBytes: 500, pictureBytes: 2_000_000 };
    for (const [name, value] of Object.entries(month)) {
      expect(totalOfAll({ ...month, [name]: 2 * value }), name).toBeGreaterThan(totalOfAll(month));
    }
  });

  it('is nothing without use', () => {
    expect(totalOfAll({})).toBe(0);
  });

  it('counts storage as long as the buckets of the template keep objects', () => {
    const rules = templates.flatMap(({ Resources }) =>
      Object.values(Resources).flatMap(({ Properties }) => Properties?.['LifecycleConfiguration']?.Rules ?? []),
    );
    const days = rules.map(({ ExpirationInDays }) => ExpirationInDays);
    expect(days).toEqual(expect.arrayContaining([STORED.resultDays, STORED.pictureDays]));
    const [picture] = rules.filter(({ ExpirationInDays }) => ExpirationInDays === STORED.pictureDays);
    expect(picture.Transitions[0].TransitionInDays).toBe(STORED.standardPictureDays);
  });

  it('takes a lower price for transfer above each tier', () => {
    expect(egressDollars(10_240)).toBeCloseTo(921.6);
    expect(egressDollars(10_340)).toBeCloseTo(921.6 + 8.5);
    expect(egressDollars(200_000)).toBeCloseTo(921.6 + 40_960 * 0.085 + 102_400 * 0.07 + 46_400 * 0.05);
  });
});

describe('the counts of a month', () => {
  it('are 0 where they are left out', () => {
    expect(readMonth('{}')).toMatchObject({ previews: 0, records: 0, receipts: 0, recordBytes: 790 });
  });

  it.each([
    ['{', 'The month is not JSON.'],
    ['[]', 'The month must be an object with some of the members previews, '],
    ['{"preview": 1}', 'There is no member preview: choose from previews, '],
    ['{"previews": -1}', 'previews must be a whole number, at least 0.'],
    ['{"previews": "5"}', 'previews must be a whole number, at least 0.'],
    ['{"listings": 0.5}', 'listings must be a whole number, at least 0.'],
    ['{"recordBytes": 0}', 'recordBytes must be a whole number, at least 1.'],
  ])('that are wrong are refused with a sentence: %s', (text, sentence) => {
    expect(() => readMonth(text)).toThrow(sentence);
  });
});
