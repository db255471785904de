import { PRICES } from '../../../cdk/cost/prices.ts';
import { capturedOutput } from '../captured-output.ts';
import { type Charge, dollars, perMillion, printCalls, printCharges } from '../costs/charges.ts';
import { sizeOf } from '../size.ts';
import { type CostDesk, openCostDesk } from './cost-desk.ts';
import { announcementCharges, requestCharges, type Step } from './places-charges.ts';
import { answerBytes, CHECK_IN_ROUTE, LIST_ROUTE, type newPlacesInstance } from './places-instance.ts';

const REQUESTS = 100;
const WARM_UP = 50;
export const TARGETS = { listing: 4.5, checkIn: 9.5 } as const;

type Instance = ReturnType<typeof newPlacesInstance>;
type Customer = Awaited<ReturnType<CostDesk['customer']>>;

/** What an instance of a function has in its caches when a request comes. */
export type Caches = 'cold' | 'without the customer' | 'warm';

/**
 * What AWS charges for a listing of 20 of 1,000 places within the radius, for a registered customer with a few visits,
 * and for a check-in: the calls of the real code are counted where they are made. `REQUESTS` sets how many are measured.
 */
export async function benchPlacesCost(): Promise<void> {
  const { date, region, architecture } = PRICES;
  console.log(`\nCost of places: list prices ${region}, ${architecture}, ${date}`);
  const requests = sizeOf('REQUESTS', REQUESTS);
  const desk = await openCostDesk();
  try {
    await measuredListing(desk, 'without the customer', WARM_UP);
    for (const caches of ['cold', 'without the customer', 'warm'] as const) {
      const { step, bytes } = await measuredListing(desk, caches, requests);
      console.log(`\nListing, caches ${caches}; an answer of ${Math.round(bytes)} bytes`);
      printCalls(step.entries, requests);
      printTotal(requestCharges(step, LIST_ROUTE), TARGETS.listing);
    }
    await measuredCheckIn(desk, { caches: 'warm', requests: WARM_UP, batch: 1 });
    for (const caches of ['cold', 'without the customer'] as const) {
      for (const batch of [1, 10]) {
        const { checkIn, announce } = await measuredCheckIn(desk, { caches, requests, batch });
        console.log(`\nCheck-in, caches ${caches}; ${batch} announced at once`);
        printCalls([...checkIn.entries, ...announce.entries], requests);
        printTotal(
          [...requestCharges(checkIn, CHECK_IN_ROUTE), ...announcementCharges(announce, batch)],
          TARGETS.checkIn,
        );
      }
    }
  } finally {
    await desk.close();
  }
  console.log(
    [
      'Time: processor time of this process by the share of a processor that the memory gives, and for each wait 8 ms for a',
      'read or write, 20 ms for a transaction, 30 ms for PutEvents, twoDecimals up to a millisecond. Calls made at the same time are',
      'one wait. The engine is another process; the bus is not, so the announcer takes less. A write of a transaction costs two.',
      'All three functions are hot: no lines of Lambda, no traces. Reading the stream is free for Lambda.',
      'Not in it: cold starts, transfer of the answer, storage, and what rules on the event do with it.',
    ].join('\n'),
  );
}

function printTotal(charges: readonly Charge[], target: number): void {
  printCharges(charges, [['total', charges]]);
  console.log(`Target: at most ${dollars(target)} per million; here ${dollars(perMillion(charges))}.`);
}

interface Work<Ready> {
  readonly name: Step['name'];
  readonly requests: number;
  readonly prepare: (n: number) => Promise<Ready>;
  /** The bytes of the answer. */
  readonly work: (ready: Ready) => Promise<number>;
}

/** First for the times, then once more for the calls. What is prepared is neither timed nor counted. */
async function measured<Ready>({ ledger, waits }: CostDesk, { name, requests, prepare, work }: Work<Ready>) {
  let [cpuMicros, waitSeconds, bytes] = [0, 0, 0];
  const begun = ledger.entries.length;
  const output = capturedOutput();
  try {
    for (let n = 0; n < 2 * requests; n += 1) {
      ledger.isPaused = true;
      const ready = await prepare(n);
      ledger.isPaused = n < requests;
      ledger.step = name;
      waits.take();
      const cpu = process.cpuUsage();
      bytes += await work(ready);
      if (!ledger.isPaused) continue;
      const { user, system } = process.cpuUsage(cpu);
      cpuMicros += user + system;
      waitSeconds += waits.take().seconds;
    }
  } finally {
    output.end();
  }
  const entries = ledger.entries.slice(begun);
  const step = { name, requests, entries, cpuSeconds: cpuMicros / 1e6 / requests, waitSeconds: waitSeconds / requests };
  return { step: step satisfies Step, bytes: bytes / (2 * requests) };
}

/** Instances as the caches of a scenario want them, each with another customer for the app and the ad units. */
async function instances(desk: CostDesk, caches: Caches, use: (instance: Instance, by: Customer) => Promise<unknown>) {
  const shared = desk.newInstance();
  if (caches !== 'cold') await use(shared, await desk.customer(0));
  return () => (caches === 'cold' ? desk.newInstance() : shared);
}

const listing = async ({ credentials }: CostDesk, { list }: Instance, { id, place }: Customer) =>
  answerBytes(list, LIST_ROUTE, {
    credentials,
    path: { user_id: id },
    query: `location%5Blatitude%5D=${place.latitude}&location%5Blongitude%5D=${place.longitude}`,
  });

export async function measuredListing(desk: CostDesk, caches: Caches, requests: number) {
  const lists = (instance: Instance, customer: Customer) => listing(desk, instance, customer);
  desk.ledger.isPaused = true;
  const instance = await instances(desk, caches, lists);
  return measured(desk, {
    name: 'list',
    requests,
    async prepare(n) {
      const ready = { instance: instance(), customer: await desk.customer(n) };
      if (caches === 'warm') await lists(ready.instance, ready.customer);
      return ready;
    },
    work: (ready) => lists(ready.instance, ready.customer),
  });
}

interface CheckIns {
  readonly caches: Caches;
  readonly requests: number;
  /** Check-ins that are announced together. */
  readonly batch: number;
}

/** Each customer lists first, by another function. */
export async function measuredCheckIn(desk: CostDesk, { caches, requests, batch }: CheckIns) {
  const { credentials } = desk;
  const checksIn = ({ checkIn }: Instance, { id, place }: Customer) => {
    const body = { place_id: place.id, venue_id: place.venueId, state: 'checkable', distance: 0 };
    const path = { user_id: id, place_id: place.id };
    return answerBytes(checkIn, CHECK_IN_ROUTE, { credentials, path, body: JSON.stringify({ check_in: body }) });
  };
  desk.ledger.isPaused = true;
  const lister = desk.newInstance();
  const instance = await instances(desk, caches, async (one, customer) => {
    await listing(desk, lister, customer);
    await checksIn(one, customer);
  });
  const made: Customer[] = [];
  const { step: checkIn } = await measured(desk, {
    name: 'check-in',
    requests,
    async prepare(n) {
      const customer = await desk.customer(n);
      await listing(desk, lister, customer);
      made.push(customer);
      return { instance: instance(), customer };
    },
    work: (ready) => checksIn(ready.instance, ready.customer),
  });
  const { step: announce } = await measured(desk, {
    name: 'announce',
    requests: Math.floor(requests / batch),
    prepare: (n) =>
      Promise.all(made.slice(n * batch, (n + 1) * batch).map(({ id, place }) => desk.visit(id, place.id))),
    async work(visits) {
      await instance().announce(visits);
      return 0;
    },
  });
  return { checkIn, announce };
}
