import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import type { Examination } from '../../../functions/images/examination/examination.ts';
import { laneOf } from '../../../functions/images/examining/lane.ts';
import { decideReview, reviewById } from '../../../functions/images/validations/review-items.dynamodb.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { newId } from '../../../shared/ids.ts';
import { IMAGES_PER_RECORD_MAX } from '../../../shared/loyalty/app.ts';
import { customerKey } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import { putNewItem } from '../../../shared/table/table.dynamodb.ts';
import { withMiddleware } from '../../support/faults/mortal-clients.ts';
import { examination, hashOfSeed, readItem, readReceipt } from '../../support/images/examinations.ts';
import {
  type Ending,
  LANES,
  openValidationDesk,
  type Run,
  type ValidationDesk,
} from '../../support/images/validation-desk.ts';
import { few, isThorough, MOMENTS, times } from '../../support/runner/thoroughness.ts';

let desk: ValidationDesk;
beforeAll(async () => {
  desk = await openValidationDesk();
});
afterAll(() => desk.close());

let seeds = 0;
/**
 * A receipt like no other: its own time and number. A perceptual hash of its own takes 32 calls to the table, so most have one in
 * thorough tests only: without it, duplicates show by their bytes and by what was read.
 */
function ownReceipt(more: Parameters<typeof readReceipt>[0] = {}, hasHash = isThorough) {
  seeds += 1;
  const time = `${String(Math.floor(seeds / 60) % 24).padStart(2, '0')}:${String(seeds % 60).padStart(2, '0')}`;
  const perceptualHash = hasHash ? hashOfSeed(seeds) : undefined;
  const result = examination(readReceipt({ time, number: `T-${seeds}`, ...more }), { perceptualHash });
  return () => result;
}

/** As far as it was read: nothing of it, but an edge over which print runs. */
const late = (whole: Examination): Examination => ({
  ...whole,
  words: undefined,
  receiptScore: undefined,
  cut: ['bottom'],
  receipt: { ...readReceipt({ date: undefined, total: undefined, store: undefined }), doubts: ['no-date', 'no-total'] },
  outOfTime: true,
});

const uncertain = (more: Parameters<typeof readReceipt>[0] = {}) => ownReceipt({ doubts: ['items-unproven'], ...more });

/** One verdict, and what belongs to it: awards and points of the validation, or none. */
async function agrees(campaign: Campaign, record: Validation): Promise<Validation> {
  const after = await desk.validation(record);
  expect(['valid', 'invalid']).toContain(after.status);
  const isValid = after.status === 'valid';
  expect(await desk.awards(campaign)).toEqual({ total: isValid ? 1 : 0, ofCustomer: isValid ? 1 : 0 });
  const lines = (after.results ?? []).reduce((sum, { points }) => sum + points, 0);
  expect(await desk.points(after)).toBe(isValid ? campaign.pointsPerValidation + lines : 0);
  return after;
}

describe('an execution', () => {
  it('makes a proven receipt valid, with its lines, its store and its points', async () => {
    const campaign = await desk.campaign({ products: [{ name: 'Whole Milk', points: 7 }] });
    const record = await desk.submit(campaign);
    const items = [readItem('WHOLE MILK', 1_000, { quantity: 2 }), readItem('BAGELS', 748)];
    const run = await desk.run(record, { examine: ownReceipt({ items }, true) });
    expect(run).toMatchObject({ status: 'SUCCEEDED', calls: ['prepare', 'examine', 'decide', 'apply'] });
    expect(await agrees(campaign, record)).toMatchObject({
      storeName: 'GREEN VALLEY MARKET',
      receiptDate: '2026-03-05',
      results: [{ id: `${record.id}-1`, name: 'Whole Milk', description: 'WHOLE MILK', price: 1_000, points: 14 }],
    });
  });

  it('refuses receipts, with code 15, of a store whose card the customer has linked', async () => {
    const campaign = await desk.campaign({ stores: ['Blue Heron Bistro'] });
    const record = await desk.submit(campaign);
    const customer = customerKey({ tenant: record.tenant, id: record.customer });
    const attributes = JSON.stringify({ linkedRetailers: 'Walmart, Blue Heron Bistro' });
    const { createdAt, updatedAt } = record;
    const stored = { ...customer, id: record.customer, tenant: record.tenant, attributes, createdAt, updatedAt };
    await putNewItem(desk.tables.accounts, stored);
    const run = await desk.run(record, { examine: ownReceipt() });
    expect(run).toMatchObject({ status: 'SUCCEEDED', calls: ['prepare', 'apply'] });
    expect(await agrees(campaign, record)).toMatchObject({ status: 'invalid', invalidCode: 15 });
  });

  it('awards the maximum of images and lines in one transaction', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => ({
      name: `PRODUCT ${n}`,
      upc: String(10_000_000 + n),
      points: 2,
    }));
    const campaign = await desk.campaign({ products: lines });
    const images = Array.from({ length: IMAGES_PER_RECORD_MAX }, (_, n) => `image-${n}`);
    const record = await desk.submit(campaign, {}, images);
    const items = lines.map(({ name, upc }) => readItem(name, 100, { code: upc }));
    expect(await desk.run(record, { examine: ownReceipt({ items }) })).toMatchObject({ status: 'SUCCEEDED' });
    const after = await agrees(campaign, record);
    expect([after.status, after.results?.length, after.images.length]).toEqual(['valid', 50, IMAGES_PER_RECORD_MAX]);
  });

  it('examines every image in the lane of its app, and continues if one of them crashes its function', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign, {}, ['good', 'bad']);
    const { tenant, app } = record;
    const good = ownReceipt();
    const examine = (slot: string) => {
      if (slot === 'bad') throw Object.assign(new Error('out of memory'), { name: 'Runtime.ExitError' });
      return good();
    };
    const run = await desk.run(record, { examine });
    // The last time, it is not opened any more.
    expect(run.calls.filter((name) => name === 'examine')).toHaveLength(4);
    expect(run.lanes).toEqual(['good', 'bad'].map((name) => laneOf(name, { tenant, app, lanes: LANES })));
    expect(run.token).toBeDefined();
    expect(await desk.validation(record)).toMatchObject({
      status: 'pending',
      review: { doubts: [{ code: 1, reason: 'The image could not be examined.' }] },
    });
  });

  it('retries an image whose reading ran out of time, and uses the second reading', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const whole = ownReceipt()();
    let tries = 0;
    const run = await desk.run(record, { examine: () => ((tries += 1) < 3 ? late(whole) : whole) });
    expect(run).toMatchObject({ status: 'SUCCEEDED' });
    expect(run.calls.filter((name) => name === 'examine')).toHaveLength(3);
    expect(await agrees(campaign, record)).toMatchObject({ status: 'valid' });
  });

  it('says that time ran out if it always does, and does not blame the receipt', async () => {
    const campaign = await desk.campaign({ stores: ['Blue Harbour Foods'] });
    const record = await desk.submit(campaign);
    const whole = ownReceipt()();
    const run = await desk.run(record, { examine: () => late(whole) });
    expect(run.calls.filter((name) => name === 'examine')).toHaveLength(3);
    expect((await desk.validation(record)).review?.doubts).toEqual([
      { code: 1, reason: 'Reading the image ran out of time.' },
    ]);
  });

  it('waits for a person if there is a doubt, and applies the person’s decision', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const run = await desk.run(record, { examine: uncertain() });
    const waiting = await desk.validation(record);
    expect(run).toMatchObject({ status: 'RUNNING' });
    const decision = { status: 'valid', storeName: 'Green Valley', at: '2026-03-06T00:00:00.000Z' } as const;
    expect(await decideReview(desk.tables.images, waiting, decision)).toBe(true);
    expect(await run.resume()).toMatchObject({ status: 'SUCCEEDED' });
    expect(await agrees(campaign, record)).toMatchObject({ storeName: 'Green Valley', receiptDate: '2026-03-05' });
  });

  it('applies the first finding if nobody has looked in time', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const run = await desk.run(record, { examine: uncertain() });
    expect(await run.expire()).toMatchObject({ status: 'SUCCEEDED' });
    expect(await agrees(campaign, record)).toMatchObject({ status: 'invalid', invalidCode: 1 });
  });

  it('decides a validation whose executions all failed as code 0', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    await desk.run(record, { examine: ownReceipt(), stage: 'give-up' });
    expect(await agrees(campaign, record)).toMatchObject({ status: 'invalid', invalidCode: 0 });
  });
});

describe('another execution of a validation that awaits a person', () => {
  const crashing = () => () => {
    throw Object.assign(new Error('out of memory'), { name: 'Runtime.ExitError' });
  };
  async function waitingRun() {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const run = await desk.run(record, { examine: crashing() });
    return { campaign, record, run, waiting: await desk.validation(record) };
  }

  it('decides it once, and ends the review for which the first execution waits', async () => {
    const { campaign, record, run } = await waitingRun();
    const receipt = ownReceipt();
    expect(await desk.run(record, { examine: receipt })).toMatchObject({ status: 'SUCCEEDED' });
    const after = await agrees(campaign, record);
    expect(after.status).toBe('valid');
    expect(await reviewById(desk.tables.images, record)).toMatchObject({ isOver: true });
    expect(await run.resume()).toMatchObject({ status: 'SUCCEEDED' });
    expect(await desk.run(record, { examine: receipt })).toMatchObject({ status: 'SUCCEEDED', calls: ['prepare'] });
    expect(await agrees(campaign, record)).toEqual(after);
  });

  it('keeps its place in the queue and the end of its review if a person is needed again', async () => {
    const { campaign, record, run, waiting } = await waitingRun();
    const second = await desk.run(record, { examine: uncertain() });
    const again = await desk.validation(record);
    const { requestedAt, until } = waiting.review ?? {};
    expect(again.review).toMatchObject({ requestedAt, until });
    expect(again.review?.doubts).not.toEqual(waiting.review?.doubts);
    expect(await reviewById(desk.tables.images, record)).toMatchObject({ requestedAt, token: second.token });
    // Nobody decides: the first execution ends the review, and the second one changes nothing.
    expect(await run.expire()).toMatchObject({ status: 'SUCCEEDED' });
    const after = await agrees(campaign, record);
    expect(after.invalidCode).toBe(1);
    expect(await second.expire()).toMatchObject({ status: 'SUCCEEDED' });
    expect(await agrees(campaign, record)).toEqual(after);
  });

  it('does not undo a person’s decision, whether its result is certain or not', async () => {
    for (const examine of [ownReceipt(), uncertain()]) {
      const { campaign, record, run, waiting } = await waitingRun();
      const decision = { status: 'invalid', invalidCode: 5, at: '2026-03-06T00:00:00.000Z' } as const;
      expect(await decideReview(desk.tables.images, waiting, decision)).toBe(true);
      const second = await desk.run(record, { examine });
      await (second.token === undefined ? run : second).resume();
      expect(await agrees(campaign, record)).toMatchObject({ status: 'invalid', invalidCode: 5 });
    }
  });
});

describe('a decision that leaves members open', () => {
  it('takes them from the proposal that the person has seen, although another execution has read more', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const seen = uncertain();
    await desk.run(record, { examine: seen });
    const { review } = await desk.validation(record);
    expect(review?.proposal?.storeName).toBeDefined();
    const decision = { status: 'valid', at: '2026-03-06T00:00:00.000Z' } as const;
    expect(await decideReview(desk.tables.images, await desk.validation(record), decision)).toBe(true);
    const second = await desk.run(record, { examine: uncertain({ store: 'ANOTHER STORE' }) });
    expect(await second.resume()).toMatchObject({ status: 'SUCCEEDED' });
    expect(await agrees(campaign, record)).toMatchObject({ status: 'valid', storeName: review?.proposal?.storeName });
  });
});

/** The many entries of a perceptual hash are written side by side, and looked up so: one of them stands for all. */
const isBesideAnother = (before: string | undefined, command: string | undefined) =>
  before === command && (command === 'PutItemCommand' || command === 'QueryCommand');

describe('a person who decides while the service does', () => {
  it('is refused or has the last word, wherever the verdict stands', async () => {
    const AT = '2026-03-06T00:00:00.000Z';
    let first = 1;
    for (const [receipt, cause] of [
      [ownReceipt(), 'valid'],
      [ownReceipt({ date: '2020-01-01' }), 'invalid'],
    ] as const) {
      let accepted = 0;
      let commands: string[] | undefined;
      for (let at = first; at <= (commands?.length ?? first); at += 1) {
        if (!isThorough && isBesideAnother(commands?.[at - 2], commands?.[at - 1])) continue;
        const campaign = await desk.campaign();
        const record = await desk.submit(campaign);
        const made: string[] = [];
        let isAccepted = false;
        type Next = (args: unknown) => Promise<unknown>;
        const meanwhile = (next: Next, context: { commandName: string }) => async (args: unknown) => {
          if (made.push(context.commandName) === at) {
            const seen = await desk.validation(record);
            isAccepted = await decideReview(desk.tables.images, seen, {
              status: 'invalid',
              invalidCode: 5,
              at: AT,
            });
          }
          return next(args);
        };
        const client = withMiddleware(desk.tables.images.client, 'meanwhile', meanwhile);
        const tables = {
          ...desk.tables,
          images: { ...desk.tables.images, client },
        };
        await desk.run(record, { examine: receipt, tables });
        commands = made;
        accepted += Number(isAccepted);
        const after = await agrees(campaign, record);
        expect([after.status, after.invalidCode === 5], `call ${at}`).toEqual(
          isAccepted ? ['invalid', true] : [cause, false],
        );
      }
      // All but what follows the verdict.
      expect(accepted).toBeGreaterThan(first === 1 ? 4 : 0);
      // Both make the same calls until they write the verdict.
      if (!isThorough) first = commands!.length - 4;
    }
  });
});

const ENDINGS = MOMENTS.map((moment) => `crashes-${moment}` as const);
/** The first call of the function ends so. */
function crashOnce(crashing: string, ending: Ending) {
  let once = ending;
  return {
    ending: (_call: number, name: string): Ending => {
      if (name !== crashing) return undefined;
      const now = once;
      once = undefined;
      return now;
    },
  };
}

describe('crashes', () => {
  it.each(
    few<readonly [string, () => () => Examination, string]>(
      [['a receipt that is valid', ownReceipt, 'valid']],
      [['a receipt of another day', () => ownReceipt({ date: '2020-01-01' }), 'invalid']],
    ),
  )('of any function, before or after its work, do not change the result of %s', async (_name, receipt, status) => {
    for (const crashing of ['prepare', 'examine', 'decide', 'apply']) {
      for (const ending of ENDINGS) {
        const campaign = await desk.campaign();
        const record = await desk.submit(campaign);
        const run = await desk.run(record, { examine: receipt(), ...crashOnce(crashing, ending) });
        expect(run.status).toBe('SUCCEEDED');
        expect(run.calls.filter((name) => name === crashing)).toHaveLength(2);
        expect(await agrees(campaign, record)).toMatchObject({ status });
      }
    }
  });

  it('of the function that requests a review end in one review and one verdict', async () => {
    for (const ending of ENDINGS) {
      const campaign = await desk.campaign();
      const record = await desk.submit(campaign);
      const run = await desk.run(record, { examine: uncertain(), ...crashOnce('review', ending) });
      const waiting = await desk.validation(record);
      await decideReview(desk.tables.images, waiting, {
        status: 'invalid',
        invalidCode: 2,
        at: '2026-03-06T00:00:00.000Z',
      });
      expect(await run.resume()).toMatchObject({ status: 'SUCCEEDED' });
      expect(await agrees(campaign, record)).toMatchObject({ status: 'invalid', invalidCode: 2 });
    }
  });

  it('that never end leave the validation to the next execution', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const examine = ownReceipt();
    const run = await desk.run(record, {
      examine,
      ending: (_call, name) => (name === 'apply' ? 'crashes-before' : undefined),
    });
    expect(run.status).toBe('FAILED');
    expect(await desk.validation(record)).toMatchObject({ status: 'pending' });
    expect(await desk.run(record, { examine })).toMatchObject({ status: 'SUCCEEDED' });
    expect(await agrees(campaign, record)).toMatchObject({ status: 'valid' });
  });
});

describe('two executions of one validation', () => {
  it('end in one verdict and one award, wherever the second starts', async () => {
    const steps = ['prepare', 'examine', 'decide', 'apply'];
    for (const at of steps) {
      const campaign = await desk.campaign();
      const record = await desk.submit(campaign);
      const examine = ownReceipt();
      const run = await desk.run(record, {
        examine,
        meanwhile: async (_call, name) => {
          if (name === at) expect(await desk.run(record, { examine })).toMatchObject({ status: 'SUCCEEDED' });
        },
      });
      expect(run.status).toBe('SUCCEEDED');
      expect(await agrees(campaign, record)).toMatchObject({ status: 'valid' });
    }
  });

  it('at the same time end in one verdict and one award', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const examine = ownReceipt();
    await Promise.all(Array.from({ length: times(5) }, () => desk.run(record, { examine })));
    expect(await agrees(campaign, record)).toMatchObject({ status: 'valid' });
  });

  it('of which one requested a review: the other’s verdict ends the wait', async () => {
    const campaign = await desk.campaign();
    const record = await desk.submit(campaign);
    const waiting = await desk.run(record, { examine: uncertain() });
    await desk.run(record, { examine: ownReceipt({ date: '2020-01-01' }) });
    expect(await desk.validation(record)).toMatchObject({ status: 'invalid', invalidCode: 4 });
    expect(await waiting.expire()).toMatchObject({ status: 'SUCCEEDED' });
    expect(await agrees(campaign, record)).toMatchObject({ status: 'invalid', invalidCode: 4 });
  });
});

describe('one receipt in several validations', () => {
  it('is awarded once if it is the same file, by code 3', async () => {
    const campaign = await desk.campaign();
    const examine = ownReceipt();
    const [first, second] = [await desk.submit(campaign, {}, ['same']), await desk.submit(campaign, {}, ['same'])];
    await desk.run(first, { examine });
    expect(await desk.run(second, { examine })).toMatchObject({ calls: ['prepare', 'apply'] });
    expect(await desk.validation(second)).toMatchObject({ status: 'invalid', invalidCode: 3 });
    expect(await agrees(campaign, first)).toMatchObject({ status: 'valid' });
  });

  it('is awarded once if it is the same picture, saved again', async () => {
    const campaign = await desk.campaign();
    const examine = ownReceipt({}, true);
    const [first, second] = [await desk.submit(campaign), await desk.submit(campaign)];
    await desk.run(first, { examine });
    await desk.run(second, { examine });
    expect(await desk.validation(second)).toMatchObject({ status: 'invalid', invalidCode: 3 });
    expect(await agrees(campaign, first)).toMatchObject({ status: 'valid' });
  });

  it('is awarded once if it was photographed again', async () => {
    const campaign = await desk.campaign();
    const receipt = readReceipt({ time: '03:03', number: 'T-77' });
    const [first, second] = [await desk.submit(campaign), await desk.submit(campaign)];
    await desk.run(first, { examine: () => examination(receipt, { perceptualHash: hashOfSeed(901) }) });
    await desk.run(second, { examine: () => examination(receipt, { perceptualHash: hashOfSeed(902) }) });
    expect(await desk.validation(second)).toMatchObject({ status: 'invalid', invalidCode: 3 });
    expect(await agrees(campaign, first)).toMatchObject({ status: 'valid' });
  });

  it('goes to a person if another transaction number is read', async () => {
    const campaign = await desk.campaign();
    const [first, second] = [await desk.submit(campaign), await desk.submit(campaign)];
    const examinationOf = (number: string, seed: number) => () =>
      examination(readReceipt({ time: '04:04', number }), { perceptualHash: hashOfSeed(seed) });
    await desk.run(first, { examine: examinationOf('T-1', 903) });
    const run = await desk.run(second, { examine: examinationOf('T-2', 904) });
    expect(await desk.validation(second)).toMatchObject({ status: 'pending', review: { doubts: [{ code: 3 }] } });
    // The person has seen that it is another purchase.
    const waiting = await desk.validation(second);
    await decideReview(desk.tables.images, waiting, { status: 'valid', at: '2026-03-06T00:00:00.000Z' });
    await run.resume();
    expect(await desk.validation(second)).toMatchObject({ status: 'valid' });
  });

  it('is awarded once, to one of them, however many arrive at the same time', async () => {
    const campaign = await desk.campaign();
    const examine = ownReceipt({}, true);
    const records = await Promise.all(Array.from({ length: times(8) }, () => desk.submit(campaign)));
    const runs = await Promise.all(records.map((record) => desk.run(record, { examine })));
    await goOn(records, runs);
    const after = await Promise.all(records.map((record) => desk.validation(record)));
    const codes = after.map(({ status, invalidCode }) => invalidCode ?? status);
    expect(codes.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
      ...records.slice(1).map(() => 3),
      'valid',
    ]);
    expect(await desk.awards(campaign)).toMatchObject({ total: 1 });
  });

  it('may be submitted again after it was refused', async () => {
    const campaign = await desk.campaign();
    const [first, second] = [await desk.submit(campaign, {}, ['again']), await desk.submit(campaign, {}, ['again'])];
    await desk.run(first, { examine: () => examination(undefined, { sharpness: 0.1 }) });
    expect(await desk.validation(first)).toMatchObject({ status: 'invalid', invalidCode: 1 });
    await desk.run(second, { examine: ownReceipt() });
    expect(await desk.validation(second)).toMatchObject({ status: 'valid' });
  });
});

/** As the table's stream does: executions go on whose reviews nobody needs any more. */
async function goOn(records: readonly Validation[], runs: readonly Run[]): Promise<void> {
  for (const [at, record] of records.entries()) {
    const review = await reviewById(desk.tables.images, record);
    const run = runs[at]!;
    if (review?.isOver && run.status === 'RUNNING') await run.resume();
  }
}

describe('a receipt that is pending in another validation', () => {
  const AT = '2026-03-06T00:00:00.000Z';
  const refuse = (record: Validation, invalidCode = 2) =>
    decideReview(desk.tables.images, record, { status: 'invalid', invalidCode, at: AT });

  /** The first validation waits for a person; the second one, of the same file or another picture of it, has run. */
  async function duplicates({
    second: own = {},
    seenAgain = uncertain(),
  }: {
    second?: object;
    seenAgain?: () => Examination;
  } = {}) {
    const campaign = await desk.campaign();
    const sha256 = `duplicate-${(seeds += 1)}`;
    const first = await desk.submit(campaign, { createdAt: '2026-03-05T10:00:00.000Z' }, [sha256]);
    const second = await desk.submit(campaign, own, [sha256]);
    const runs = [
      await desk.run(first, { examine: uncertain() }),
      await desk.run(second, { examine: seenAgain }),
    ] as const;
    return { campaign, first, second, runs, goOn: () => goOn([first, second], runs) };
  }

  it('is a doubtful finding, not a refusal', async () => {
    const { second, first } = await duplicates({ seenAgain: ownReceipt() });
    expect(await desk.validation(second)).toMatchObject({
      status: 'pending',
      review: { doubts: [{ code: 3, reason: `The same file as in ${first.id}, which was not decided yet.` }] },
    });
  });

  it('becomes valid without a person when the other is refused, and its purchase is reserved', async () => {
    const { campaign, first, second, runs, goOn: next } = await duplicates({ seenAgain: ownReceipt() });
    await refuse(await desk.validation(first));
    await runs[0].resume();
    await next();
    expect(await desk.validation(first)).toMatchObject({ status: 'invalid', invalidCode: 2 });
    expect(await agrees(campaign, second)).toMatchObject({ status: 'valid', storeName: 'GREEN VALLEY MARKET' });
  });

  it('is refused without a person, with code 3, when the other is awarded', async () => {
    const { campaign, first, second, runs, goOn: next } = await duplicates({ seenAgain: ownReceipt() });
    await decideReview(desk.tables.images, await desk.validation(first), { status: 'valid', at: AT });
    await runs[0].resume();
    await next();
    expect(await desk.validation(second)).toMatchObject({ status: 'invalid', invalidCode: 3 });
    expect(await agrees(campaign, first)).toMatchObject({ status: 'valid' });
  });

  it('is awarded if it is approved first: the older one is then the duplicate', async () => {
    const { campaign, first, second, runs } = await duplicates({ seenAgain: ownReceipt() });
    await decideReview(desk.tables.images, await desk.validation(second), { status: 'valid', at: AT });
    await runs[1].resume();
    expect(await desk.validation(second)).toMatchObject({ status: 'valid' });
    await decideReview(desk.tables.images, await desk.validation(first), { status: 'valid', at: AT });
    await runs[0].resume();
    expect(await desk.validation(first)).toMatchObject({ status: 'invalid', invalidCode: 3 });
    expect(await desk.awards(campaign)).toMatchObject({ total: 1 });
  });

  it('stays with a person if there are other findings, or if the receipts may differ', async () => {
    const { first, second, runs, goOn: next } = await duplicates();
    await refuse(await desk.validation(first));
    await runs[0].resume();
    await next();
    expect(await desk.validation(second)).toMatchObject({ status: 'pending' });
    // Of what is left, the first doubt applies when nobody looks.
    await runs[1].expire();
    expect(await desk.validation(second)).toMatchObject({ status: 'invalid', invalidCode: 1 });
    const campaign = await desk.campaign();
    const perceptualHash = hashOfSeed((seeds += 1));
    const alike = () => examination(readReceipt({ doubts: ['items-unproven'] }), { perceptualHash });
    const [one, other] = [await desk.submit(campaign), await desk.submit(campaign)];
    const run = await desk.run(one, { examine: alike });
    const waiting = await desk.run(other, { examine: alike });
    await decideReview(desk.tables.images, await desk.validation(one), { status: 'valid', at: AT });
    await run.resume();
    await goOn([other], [waiting]);
    expect(await desk.validation(other)).toMatchObject({ status: 'pending' });
  });

  it('has no effect on another campaign, unless that campaign says so', async () => {
    const tenant = newId('t');
    const [one, two, all] = [
      await desk.campaign({ tenant, permalink: 'one', campaignId: 1 }),
      await desk.campaign({ tenant, permalink: 'two', campaignId: 2 }),
      await desk.campaign({ tenant, permalink: 'all', campaignId: 3, receiptsOnce: 'tenant' }),
    ];
    const examine = ownReceipt();
    const codes: unknown[] = [];
    for (const campaign of [one, two, all, one]) {
      const record = await desk.submit(campaign, {}, ['everywhere']);
      await desk.run(record, { examine });
      const { status, invalidCode } = await desk.validation(record);
      codes.push(invalidCode ?? status);
    }
    expect(codes).toEqual(['valid', 'valid', 3, 3]);
    // Another photograph of it, which only what it says makes known.
    const again = () => ({ ...examine(), perceptualHash: hashOfSeed((seeds += 1)) });
    const [inThree, inFour] = [
      await desk.submit(all),
      await desk.submit(await desk.campaign({ tenant, permalink: 'four', campaignId: 4 })),
    ];
    await desk.run(inThree, { examine: again });
    await desk.run(inFour, { examine: again });
    expect(await desk.validation(inThree)).toMatchObject({ status: 'invalid', invalidCode: 3 });
    expect(await desk.validation(inFour)).toMatchObject({ status: 'valid' });
  });

  it('is decided whatever function crashes, before or after its work', async () => {
    for (const [outcome, code] of [
      ['invalid', undefined],
      ['valid', 3],
    ] as const) {
      for (const ending of ENDINGS) {
        for (const crashing of ['review', 'apply']) {
          // In `npm test` each function crashes with one of the outcomes.
          if (!isThorough && (crashing === 'apply') !== (outcome === 'valid')) continue;
          const campaign = await desk.campaign();
          const once = crashOnce(crashing, ending);
          const sha256 = `duplicate-${(seeds += 1)}`;
          const first = await desk.submit(campaign, { createdAt: '2026-03-05T10:00:00.000Z' }, [sha256]);
          const second = await desk.submit(campaign, {}, [sha256]);
          const waiting = await desk.run(first, { examine: uncertain(), ...(crashing === 'apply' && once) });
          const other = await desk.run(second, { examine: ownReceipt(), ...(crashing === 'review' && once) });
          const verdict =
            outcome === 'valid' ? { status: 'valid' as const } : { status: 'invalid' as const, invalidCode: 2 };
          await decideReview(desk.tables.images, await desk.validation(first), { ...verdict, at: AT });
          expect(await waiting.resume()).toMatchObject({ status: 'SUCCEEDED' });
          await goOn([second], [other]);
          // What the stream delivers twice starts an execution that finds the validation decided.
          await desk.run(second, { examine: uncertain(), stage: 'apply' });
          const after = await desk.validation(second);
          expect([after.status, after.invalidCode], `${crashing} ${ending}`).toEqual(
            code === undefined ? ['valid', undefined] : ['invalid', code],
          );
          expect(await desk.awards(campaign)).toMatchObject({ total: 1 });
        }
      }
    }
  });

  it('is decided whenever the other is decided while its own review starts', async () => {
    // At each call to the table, from the moment that the duplicate is seen to the open review.
    let met = 0;
    for (let at = 1; ; at += 1) {
      const campaign = await desk.campaign();
      const sha256 = `duplicate-${(seeds += 1)}`;
      const first = await desk.submit(campaign, { createdAt: '2026-03-05T10:00:00.000Z' }, [sha256]);
      const second = await desk.submit(campaign, {}, [sha256]);
      const waiting = await desk.run(first, { examine: uncertain() });
      let made = 0;
      let name = '';
      const meanwhile = (next: (args: unknown) => Promise<unknown>) => async (args: unknown) => {
        if (name === 'review' && (made += 1) === at) {
          await refuse(await desk.validation(first));
          await waiting.resume();
        }
        return next(args);
      };
      const client = withMiddleware(desk.tables.images.client, 'meanwhile', meanwhile);
      const run = await desk.run(second, {
        examine: ownReceipt(),
        tables: { ...desk.tables, images: { ...desk.tables.images, client } },
        meanwhile: async (_call, current) => void (name = current),
      });
      if (made < at) break;
      met += 1;
      expect(await desk.validation(first)).toMatchObject({ status: 'invalid' });
      await goOn([second], [run]);
      expect(await desk.validation(second), `call ${at}`).toMatchObject({ status: 'valid' });
    }
    // What is asked of the table from the note that the validation waits to the look whether it still does.
    expect(met).toBe(6);
  });
});

describe('limits of awards', () => {
  const decidedCodes = async (records: readonly Validation[]) => {
    const after = await Promise.all(records.map((record) => desk.validation(record)));
    return after.map(({ status, invalidCode }) => String(invalidCode ?? status)).sort((a, b) => a.localeCompare(b));
  };

  it('of one award per customer refuse the second with code 13, also if both arrive at the same time', async () => {
    const campaign = await desk.campaign({ awardsPerCustomer: 1 });
    const records = await Promise.all([desk.submit(campaign), desk.submit(campaign), desk.submit(campaign)]);
    await Promise.all(records.map((record) => desk.run(record, { examine: ownReceipt() })));
    expect(await decidedCodes(records)).toEqual(['13', '13', 'valid']);
  });

  it('of several awards per customer, or in total, refuse the next with code 16', async () => {
    for (const limit of [{ awardsPerCustomer: 2 }, { maxAwards: 2 }]) {
      const campaign = await desk.campaign(limit);
      const records = await Promise.all(Array.from({ length: 4 }, () => desk.submit(campaign)));
      await Promise.all(records.map((record) => desk.run(record, { examine: ownReceipt() })));
      expect(await decidedCodes(records)).toEqual(['16', '16', 'valid', 'valid']);
      expect(await desk.awards(campaign)).toEqual({ total: 2, ofCustomer: 2 });
      const late = await desk.submit(campaign);
      expect(await desk.run(late, { examine: ownReceipt() })).toMatchObject({ calls: ['prepare', 'apply'] });
    }
  });
});
