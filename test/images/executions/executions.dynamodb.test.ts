import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, type Change } from '../../../functions/images/executions/advance.ts';
import { changeIn } from '../../../functions/images/executions/changes.dynamodb.ts';
import { type Executions, executionName } from '../../../functions/images/executions/execution.ts';
import { overdueIn } from '../../../functions/images/executions/overdue.dynamodb.ts';
import { sweepValidations } from '../../../functions/images/executions/sweep-validations.ts';
import { decideReview, openReview } from '../../../functions/images/validations/review-items.dynamodb.ts';
import { type Review, restarted, type Validation } from '../../../functions/images/validations/validation.ts';
import {
  changeValidation,
  validationById,
  validationKey,
} from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import type { TenantKey } from '../../../shared/ids.ts';
import { newId } from '../../../shared/ids.ts';
import { getItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable } from '../../support/cloud/local-table.ts';
import { newValidation, store } from '../../support/images/validations.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const at = (millis: number) => isoTime(NOW + millis);

let endpoint: LocalEndpoint;
let table: Table;
let tables = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
});
afterAll(() => endpoint.close());

/** Step Functions, as far as validations of names and tokens go: a name is taken once, and a token is good for one answer. */
class Machine implements Executions {
  readonly started = new Map<string, string>();
  readonly resumed: string[] = [];
  private readonly waiting: Set<string>;

  /** When executions are started. */
  now = 0;

  /** Returns whether the execution of this name has ended. */
  isOver = (_name: string): boolean => false;

  constructor(...tokens: string[]) {
    this.waiting = new Set(tokens);
  }

  async start(name: string, { stage }: { stage: string }) {
    if (this.isOver(name)) return undefined;
    if (!this.started.has(name)) this.started.set(name, stage);
    return this.now;
  }

  async resume(token: string) {
    if (!this.waiting.delete(token)) return false;
    this.resumed.push(token);
    return true;
  }
}

const review = (own: Partial<Review> = {}): Review => ({
  requestedAt: at(0),
  until: at(7 * DAY),
  doubts: [{ reason: 'No total was found.', code: 1 }],
  ...own,
});

const changeOf = async (key: TenantKey, sk: 'VALIDATION' | 'REVIEW' = 'VALIDATION') =>
  changeIn((await getItem(table, { ...validationKey(key), sk }))!);

async function told(machine: Machine, change: Change | undefined): Promise<void> {
  expect(change).toBeDefined();
  await advance(machine, change!);
}

describe('an item of a validation in the stream', () => {
  it('starts one execution when the validation is complete, however often it is delivered', async () => {
    const machine = new Machine();
    const validation = await store(table, newValidation());
    for (let time = 0; time < 3; time += 1) await told(machine, await changeOf(validation));
    expect([...machine.started]).toEqual([[executionName(validation, 'examine-0'), 'examine']]);
  });

  it.each([
    ['incomplete', { status: 'incomplete' }],
    ['valid', { status: 'valid' }],
    ['invalid', { status: 'invalid' }],
    ['left to a person', { review: review() }],
  ] as const)('starts nothing when it is %s', async (_name, own) => {
    expect(await changeOf(await store(table, newValidation(own)))).toBeUndefined();
  });

  it('starts another execution when the sweeper asks for one', async () => {
    const machine = new Machine();
    const validation = await store(table, newValidation());
    await told(machine, await changeOf(validation));
    await changeValidation(table, restarted(validation, at(0)), validation);
    await told(machine, await changeOf(validation));
    expect([...machine.started.keys()]).toEqual(
      ['examine-0', 'examine-1'].map((suffix) => executionName(validation, suffix)),
    );
  });

  it('starts no other execution when a person decides before the review opens', async () => {
    const machine = new Machine();
    const validation = await store(table, newValidation());
    await told(machine, await changeOf(validation));
    expect(await decideReview(table, validation, { status: 'invalid', invalidCode: 5, at: at(0) })).toBe(true);
    await told(machine, await changeOf(validation));
    expect([...machine.started.keys()]).toEqual([executionName(validation, 'examine-0')]);
  });

  it('is ignored if it is another kind of item', () => {
    expect(changeIn({ pk: 'CAMPAIGN#demo', sk: 'CAMPAIGN#spring' })).toBeUndefined();
  });
});

describe('an item of a review in the stream', () => {
  const INVALID = { status: 'invalid', invalidCode: 5, at: at(0) } as const;
  const asked = async () => {
    const validation = await store(table, newValidation({ review: review() }));
    await openReview(table, { ...validation, token: 'token', requestedAt: at(0) });
    return validation;
  };

  it('is ignored before a decision', async () => {
    expect(await changeOf(await asked(), 'REVIEW')).toBeUndefined();
  });

  it('resumes the waiting execution once', async () => {
    const machine = new Machine('token');
    const validation = await asked();
    await decideReview(table, validation, INVALID);
    await told(machine, await changeOf(validation, 'REVIEW'));
    expect([machine.resumed, [...machine.started]]).toEqual([['token'], []]);
    // Told again: nothing waits any more, and the execution that this starts finds the validation decided.
    for (let time = 0; time < 2; time += 1) await told(machine, await changeOf(validation, 'REVIEW'));
    expect(machine.resumed).toEqual(['token']);
    expect([...machine.started]).toEqual([[executionName(validation, 'decided'), 'apply']]);
  });

  it('starts an execution that applies a decision if none waits for it', async () => {
    const ended = await asked();
    const early = await store(table, newValidation());
    for (const validation of [ended, early]) {
      const machine = new Machine();
      await decideReview(table, validation, INVALID);
      await told(machine, await changeOf(validation, 'REVIEW'));
      expect([...machine.started]).toEqual([[executionName(validation, 'decided'), 'apply']]);
    }
  });

  it('resumes an execution whose validation was decided in the meantime', async () => {
    const validation = await store(table, newValidation({ status: 'invalid' }));
    await openReview(table, {
      ...validation,
      token: 'late',
      requestedAt: at(0),
      isOver: true,
    });
    const machine = new Machine('late');
    await told(machine, await changeOf(validation, 'REVIEW'));
    expect(machine.resumed).toEqual(['late']);
  });
});

describe('the sweeper', () => {
  const emptyTable = () => createImagesTable(endpoint, `images-${(tables += 1)}`);
  const swept = (on: Table, machine: Machine, now: number) =>
    sweepValidations(
      {
        machine,
        overdue: (time) => overdueIn(on, time),
        change: (after, before) => changeValidation(on, after, before),
      },
      now,
    );
  /** As of before: pending since then. */
  const since = (millis: number, own: Partial<Validation> = {}) => newValidation({ updatedAt: at(-millis), ...own });

  it('finds validations that are overdue by an hour, over all tenants and pages, and no others', async () => {
    const own = await emptyTable();
    const late = Array.from({ length: 130 }, (_, n) => since(61 * MINUTE + n * 1_000, { tenant: newId('t') }));
    const others = [
      since(59 * MINUTE),
      since(DAY, { status: 'incomplete' }),
      since(DAY, { status: 'valid' }),
      since(DAY, { status: 'invalid' }),
      since(DAY, { review: review({ until: at(-59 * MINUTE) }) }),
    ];
    await Promise.all([...late, ...others].map((one) => store(own, one)));
    const result = [];
    for await (const { tenant } of overdueIn(own, NOW)) result.push(tenant);
    expect(result).toEqual(late.map(({ tenant }) => tenant).toReversed());
  });

  it('ignores a validation whose execution is running, however long its images wait', async () => {
    const own = await emptyTable();
    const machine = new Machine();
    const validation = await store(own, since(2 * 60 * MINUTE));
    for (let hours = 0; hours < 48; hours += 1) expect(await swept(own, machine, NOW + hours * 61 * MINUTE)).toBe(0);
    // Were there none, this would be the first.
    expect([...machine.started]).toEqual([[executionName(validation, 'examine-0'), 'examine']]);
    expect(await validationById(own, validation)).toMatchObject({ status: 'pending', restarts: 0, revision: 1 });
  });

  it('starts the missing execution of a validation, which is one fault', async () => {
    const own = await emptyTable();
    const machine = new Machine();
    machine.now = NOW + 1_000;
    const validation = await store(own, since(2 * 60 * MINUTE));
    expect(await swept(own, machine, NOW)).toBe(1);
    expect(await swept(own, machine, NOW + 61 * MINUTE)).toBe(0);
    expect([...machine.started]).toEqual([[executionName(validation, 'examine-0'), 'examine']]);
    expect(await validationById(own, validation)).toMatchObject({ status: 'pending', restarts: 0, revision: 1 });
  });

  it('restarts the execution five times, and then decides the validation', async () => {
    const own = await emptyTable();
    const machine = new Machine();
    machine.isOver = (name) => /examine-\d+$/.test(name);
    const validation = await store(own, since(2 * 60 * MINUTE));
    for (let hours = 0; hours < 7; hours += 1) {
      expect(await swept(own, machine, NOW + hours * 61 * MINUTE)).toBe(1);
      expect(await swept(own, machine, NOW + hours * 61 * MINUTE + 1_000)).toBe(0);
    }
    expect(await validationById(own, validation)).toMatchObject({
      status: 'pending',
      restarts: 7,
      revision: 8,
    });
    // The first five are started by the stream, which tells of each change of the validation.
    expect([...machine.started]).toEqual([
      [executionName(validation, '7-late'), 'give-up'],
      [executionName(validation, '8-late'), 'give-up'],
    ]);
  });

  it('has an expired review applied, even if its execution is gone', async () => {
    const own = await emptyTable();
    const machine = new Machine();
    const validation = await store(own, since(8 * DAY, { review: review({ until: at(-61 * MINUTE) }) }));
    expect(await swept(own, machine, NOW)).toBe(1);
    expect([...machine.started]).toEqual([[executionName(validation, '2-late'), 'apply']]);
  });

  it('starts nothing for a validation that was decided after the search', async () => {
    const own = await emptyTable();
    const machine = new Machine();
    machine.isOver = () => true;
    const validation = await store(own, since(DAY, { restarts: 5 }));
    const stale = async function* () {
      yield validation;
    };
    await changeValidation(own, { ...validation, revision: 2, status: 'valid' }, validation);
    const change = (after: Validation, before: Validation) => changeValidation(own, after, before);
    expect(await sweepValidations({ machine, overdue: stale, change }, NOW)).toBe(1);
    expect([...machine.started]).toEqual([]);
    expect(await validationById(own, validation)).toMatchObject({
      status: 'valid',
      restarts: 5,
    });
  });
});
