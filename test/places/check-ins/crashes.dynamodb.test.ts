import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../functions/places/catalog/place.ts';
import { keepListing } from '../../../functions/places/check-in-rules/last-listings.dynamodb.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { failingDynamoDb } from '../../support/faults/failing-dynamodb.ts';
import { losingFirst, losingProxy } from '../../support/faults/losing-proxy.ts';
import { Killed, Mortality } from '../../support/faults/mortal-clients.ts';
import {
  type Caller,
  CENTRE,
  checkIn,
  checkInDeps,
  disagreements,
  keyOf,
  newApp,
  newCaller,
  openPlacesDesk,
  outcomeOf,
  type PlacesDesk,
  type Tables,
} from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const app = newApp({ cooldownSeconds: 3_600 });
const MADE = { state: 'alreadycheckedin_checkable', nextAt: NOW + 3_600_000 };
const ALREADY = { code: 'check_in_not_available' };

let desk: PlacesDesk;
let proxy: Awaited<ReturnType<typeof losingProxy>>;
let place: Place;
beforeAll(async () => {
  desk = await openPlacesDesk();
  proxy = await losingProxy(desk.clientOptions().endpoint);
  place = await desk.place(app.tenant, { points: 5 });
});
afterEach(() => {
  proxy.state.loses = () => undefined;
  proxy.state.calls = [];
});
afterAll(async () => {
  await proxy.close();
  await desk.close();
});

/** The tables as they are seen through other clients. */
const through = (client: Tables['places']['client']): Tables => ({
  places: { name: desk.places.name, client },
  accounts: { name: desk.accounts.name, client },
});

async function standing(): Promise<Caller> {
  const caller = newCaller(app);
  await desk.stand(caller, CENTRE, NOW);
  return caller;
}

async function checkedInOnce(caller: Caller): Promise<void> {
  const records = await desk.records(caller);
  expect(disagreements(records)).toEqual([]);
  expect(records.entries).toHaveLength(1);
  expect(records.balance).toMatchObject({ points: 5, entries: 1 });
}

/** A list and a check-in, as one process serves them. */
async function listAndCheckIn(tables: Tables, caller: Caller, now: number) {
  await keepListing(tables.places, keyOf(caller), { ...CENTRE, at: now, places: [place.id] });
  return outcomeOf(checkIn(checkInDeps(tables), { caller, place, now }));
}

describe('a process that crashes at any of its calls', () => {
  it('leaves a whole check-in or nothing, and repeating the request stores at most one', async () => {
    const calm = new Mortality();
    await listAndCheckIn(through(calm.bind(desk.places.client)), newCaller(app), NOW);
    expect(calm.calls).toBe(3);
    for (let call = 1; call <= calm.calls; call += 1) {
      for (const when of ['before', 'after'] as const) {
        const caller = newCaller(app);
        const mortal = through(new Mortality(call, when).bind(desk.places.client));
        await expect(listAndCheckIn(mortal, caller, NOW)).rejects.toThrow(Killed);
        const { entries, ...others } = await desk.records(caller);
        const wasMade = call === 3 && when === 'after';
        expect(entries).toHaveLength(wasMade ? 1 : 0);
        expect(disagreements({ entries, ...others })).toEqual([]);
        const again = await listAndCheckIn(desk, caller, NOW + 1_000);
        expect(again).toEqual(wasMade ? ALREADY : { ...MADE, nextAt: MADE.nextAt + 1_000 });
        await checkedInOnce(caller);
      }
    }
  });

  it('does not prevent the next check-in after the cooldown', async () => {
    const caller = newCaller(app);
    const mortal = through(new Mortality(3, 'after').bind(desk.places.client));
    await expect(listAndCheckIn(mortal, caller, NOW)).rejects.toThrow(Killed);
    expect(await listAndCheckIn(desk, caller, NOW + 3_599_999)).toEqual(ALREADY);
    expect(await listAndCheckIn(desk, caller, NOW + 3_600_000)).toMatchObject({ nextAt: NOW + 7_200_000 });
    expect((await desk.records(caller)).balance).toMatchObject({ points: 10, entries: 2 });
  });
});

describe('a request that arrives twice', () => {
  it('at the same moment is one check-in and one refusal', async () => {
    const caller = await standing();
    const outcomes = await Promise.all([1, 2].map(() => desk.checkIn({ caller, place, now: NOW })));
    expect(outcomes).toContainEqual(MADE);
    expect(outcomes).toContainEqual(ALREADY);
    await checkedInOnce(caller);
  });
});

describe('a transaction', () => {
  /** Cancels the first transactions for these reasons, as DynamoDB does under load. */
  function cancelling(...reasons: string[]) {
    const client = dynamoDbClient(desk.clientOptions());
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          const Code = commandName === 'TransactWriteItemsCommand' ? reasons.shift() : undefined;
          if (Code === undefined) return next(args);
          const CancellationReasons = [{ Code: 'None' }, { Code }, { Code: 'None' }, { Code: 'None' }];
          throw new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons });
        },
      { step: 'initialize' },
    );
    return { deps: checkInDeps(through(client)), left: reasons };
  }

  it('that conflicts with another one, or is throttled, is retried', async () => {
    const caller = await standing();
    const { deps, left } = cancelling('TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded');
    expect(await outcomeOf(checkIn(deps, { caller, place, now: NOW }))).toEqual(MADE);
    expect(left).toEqual([]);
    await checkedInOnce(caller);
  });

  it('that is refused although nothing forbids it is a fault after three attempts, not a refusal', async () => {
    const caller = await standing();
    const { deps, left } = cancelling(...Array.from({ length: 4 }, () => 'ConditionalCheckFailed'));
    await expect(checkIn(deps, { caller, place, now: NOW })).rejects.toThrow('although its state allows it');
    expect(left).toHaveLength(1);
    expect((await desk.records(caller)).entries).toEqual([]);
  });
});

describe('a lost answer', () => {
  const lossy = (maxAttempts: number) =>
    checkInDeps(through(dynamoDbClient({ ...desk.clientOptions(), endpoint: proxy.url, maxAttempts })));

  it('of a transaction is repeated by the SDK, and what was stored counts as stored', async () => {
    const caller = await standing();
    proxy.state.loses = losingFirst('TransactWriteItems', 'answer', 'answer');
    expect(await outcomeOf(checkIn(lossy(3), { caller, place, now: NOW }))).toEqual(MADE);
    expect(proxy.state.calls.filter((name) => name === 'TransactWriteItems')).toHaveLength(3);
    await checkedInOnce(caller);
  });

  it('of every attempt is a fault, whether it was stored or not, and a repeated request stores no second check-in', async () => {
    for (const loss of ['call', 'answer'] as const) {
      const caller = await standing();
      proxy.state.loses = (operation) => (operation === 'TransactWriteItems' ? loss : undefined);
      await expect(outcomeOf(checkIn(lossy(2), { caller, place, now: NOW }))).rejects.toThrow();
      proxy.state.loses = () => undefined;
      const again = await outcomeOf(checkIn(lossy(2), { caller, place, now: NOW }));
      expect(again).toEqual(loss === 'answer' ? ALREADY : MADE);
      await checkedInOnce(caller);
    }
  });

  it('of a read changes nothing, and the check-in is stored', async () => {
    const caller = await standing();
    proxy.state.loses = losingFirst('BatchGetItem', 'answer', 'call');
    expect(await outcomeOf(checkIn(lossy(3), { caller, place, now: NOW }))).toEqual(MADE);
    await checkedInOnce(caller);
  });
});

describe('a table that does not respond', () => {
  it.each([
    ['is throttled', { status: 400, error: 'ProvisionedThroughputExceededException' }],
    ['fails', { status: 500, error: 'InternalServerError' }],
    ['breaks the connection', 'lost'],
  ] as const)(
    'because it %s makes a check-in a fault, and never a refusal that a customer would believe',
    async (_, ending) => {
      const failing = await failingDynamoDb();
      failing.state.ending = ending;
      const deps = checkInDeps(through(failing.client));
      await expect(outcomeOf(checkIn(deps, { caller: newCaller(app), place, now: NOW }))).rejects.toThrow();
      await failing.close();
    },
  );
});
