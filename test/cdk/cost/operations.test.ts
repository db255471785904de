import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POINTERS_DOLLARS, pictureDollars } from '../../../cdk/cost/month-bill.ts';
import { OPERATIONS, type OperationName } from '../../../cdk/cost/operations.ts';
import { PRICES, type PricedUnit } from '../../../cdk/cost/prices.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const textOf = (readme: string) => readFileSync(join(ROOT, readme), 'utf8');
const GUIDE = textOf('cdk/README.md');
const PLACES = textOf('functions/places/README.md');
const IMAGES = textOf('functions/images/README.md');

/** The cells of the only row of a table that begins with this text. */
function cellsOf(readme: string, beginning: string): string[] {
  const rows = readme.split('\n').filter((line) => line.startsWith(`| ${beginning}`));
  expect(rows, beginning).toHaveLength(1);
  return (rows[0] ?? '').split('|').map((cell) => cell.replaceAll('**', '').trim());
}

/** The first number of the last cell: the dollars of a million. */
const guideDollars = (beginning: string) => Number.parseFloat(cellsOf(GUIDE, beginning).at(-2) ?? '');

const perMillion = (name: OperationName, only?: PricedUnit[]) =>
  Object.entries(OPERATIONS[name].units)
    .filter(([unit]) => only === undefined || only.includes(unit as PricedUnit))
    .reduce((sum, [unit, quantity]) => sum + quantity * PRICES.perUnit[unit as PricedUnit] * 1e6, 0);

describe('the cost of an operation', () => {
  it.each<[OperationName, string, number]>([
    ['previews', 'search, warm', 2],
    ['records', 'download of 1,000,000 records', 4],
    ['deliveries', 'webhook delivered at the first attempt', 2],
    ['conversions', 'metered request of one item', 2],
    ['listings', 'listing of 20 of 1,000 places', 2],
    ['checkIns', 'check-in |', 2],
    ['receipts', 'image validation: a receipt', 0],
  ])('of %s is what the guide says', (name, beginning, digits) => {
    // A row of downloads is that of a million records.
    expect(perMillion(name).toFixed(digits)).toBe(guideDollars(beginning).toFixed(digits));
  });

  it('of a listing and a check-in is what the README of places says', () => {
    const [, , listing = '', checkIn = ''] = cellsOf(PLACES, '**total**');
    expect(perMillion('listings').toFixed(2)).toBe(listing);
    expect(perMillion('checkIns').toFixed(2)).toBe(checkIn);
  });

  it('of a receipt is what the README of images says, in all and of each service of AWS', () => {
    const column = (beginning: string) => Number.parseFloat(cellsOf(IMAGES, beginning)[2] ?? '');
    expect(perMillion('receipts').toFixed(0)).toBe(String(column('**total**')));
    expect(perMillion('receipts', ['stateTransition'])).toBeCloseTo(column('Step Functions'), 1);
    expect(perMillion('receipts', ['lambdaGigabyteSecond', 'lambdaRequest'])).toBeCloseTo(
      column('Lambda, examining') + column('Lambda, the rest'),
      1,
    );
    expect(perMillion('receipts', ['dynamoDbWriteUnit'])).toBeCloseTo(column('writes, units'), 1);
    expect(perMillion('receipts', ['dynamoDbReadUnit'])).toBeCloseTo(column('reads, units'), 1);
    expect(perMillion('receipts', ['s3Put', 's3Get'])).toBeCloseTo(column('S3, requests'), 1);
    expect(perMillion('receipts', ['logGigabyte', 'xrayTrace'])).toBeCloseTo(column('logs and traces'), 1);
  });

  it('of storing a picture is what the README of images says', () => {
    const [, dollars = '', pointers = ''] =
      /a picture of 0\.5 MB costs (\d+) dollars per million \(\d+ without\), and its 17 pointers (\d+)/.exec(IMAGES) ??
      [];
    expect((pictureDollars(500_000) * 1e6).toFixed(0)).toBe(dollars);
    expect((POINTERS_DOLLARS * 1e6).toFixed(0)).toBe(pointers);
  });
});
