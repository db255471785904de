/**
 * Searches all short lives of one customer: at every state of the model that a sequence of steps reaches, every check-in
 * is attempted with the product's own steps on the real tables, and compared with the model.
 */

import { isDeepStrictEqual } from 'node:util';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import type { Place } from '../../../functions/places/catalog/place.ts';
import { stateOf } from '../../../functions/places/check-in-rules/standing.ts';
import { standingStore } from '../../../functions/places/check-in-rules/standing-items.dynamodb.ts';
import { atOnce } from '../../../shared/at-once.ts';
import { newId } from '../../../shared/ids.ts';
import type { App } from '../../../shared/loyalty/app.ts';
import { type Item, marshalled } from '../../../shared/table/table.dynamodb.ts';
import {
  type Caller,
  CENTRE,
  type CustomerRecords,
  disagreements,
  keyOf,
  newApp,
  newCaller,
  northOf,
  type Outcome,
  type PlacesDesk,
} from '../../support/places/places-desk.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import {
  type Attempt,
  type ModelApp,
  type ModelEvent,
  type ModelPlace,
  modelKey,
  modelRefusal,
  modelState,
} from './check-in-model.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-15T21:59:59.999Z');
const FAR = northOf(CENTRE, 150);

/** The cooldown of the one is over when that of the other is not; the limits are small enough to be reached. */
const APPS: readonly ModelApp[] = few(
  [{ name: 'strict', cooldownMillis: 2 * HOUR, perDay: 2, perBrand: 1 }],
  [{ name: 'plain', cooldownMillis: HOUR, perDay: 3, perBrand: 0 }],
);
const PLACES: readonly ModelPlace[] = [
  { name: 'a1', brand: 'A', points: 5, closed: false },
  { name: 'a2', brand: 'A', points: 7, closed: false },
  { name: 'b1', brand: 'B', points: 0, closed: false },
];

/** Before a check-in: no time, exactly one cooldown, or up to midnight in UTC. Two hours bring the last millisecond of a day. */
const STEPS: readonly ((at: number) => number)[] = [
  (at) => at,
  (at) => at + HOUR,
  (at) => (Math.floor(at / DAY) + 1) * DAY,
];

interface State {
  readonly at: number;
  readonly events: readonly ModelEvent[];
  readonly caller: Caller;
}

interface Findings {
  states: number;
  made: number;
  refused: Record<string, number>;
  /** States that lists showed. */
  checkInStates: Set<string>;
  /** Where the product and the model differ. */
  differences: string[];
}

/** All lives of so many steps. Those that lead to the same state of the model go on as one. */
export async function searchCheckIns(desk: PlacesDesk, depth: number): Promise<Findings> {
  const search = new Search(desk);
  await search.begin();
  for (let step = 0; step < depth; step += 1) await search.step();
  return search.findings;
}

/** Longer lives, at random: each walk takes one customer through so many attempts. */
export async function walkCheckIns(
  desk: PlacesDesk,
  { walks, steps, random }: { walks: number; steps: number; random: () => number },
): Promise<Findings> {
  const search = new Search(desk);
  await search.begin();
  for (let walk = 0; walk < walks; walk += 1) await search.walk(steps, random);
  return search.findings;
}

class Search {
  readonly findings: Findings = { states: 0, made: 0, refused: {}, checkInStates: new Set(), differences: [] };
  readonly #desk: PlacesDesk;
  readonly #tenant = newId('t');
  readonly #apps: ReadonlyMap<ModelApp, App>;
  readonly #places = new Map<string, Place>();
  readonly #seen = new Set<string>();
  #layer: State[] = [];

  constructor(desk: PlacesDesk) {
    this.#desk = desk;
    this.#apps = new Map(
      APPS.map((app) => [
        app,
        newApp(
          {
            cooldownSeconds: app.cooldownMillis / 1_000,
            checkInsPerDay: app.perDay,
            checkInsPerBrandAndDay: app.perBrand,
          },
          this.#tenant,
        ),
      ]),
    );
  }

  async begin(): Promise<void> {
    await this.#store({ closed: false });
    this.#layer = [{ at: START, events: [], caller: this.#newCaller() }];
  }

  /** Attempts every check-in in every state that the last step has reached first. */
  async step(): Promise<void> {
    const layer = this.#layer;
    this.#layer = [];
    this.findings.states += layer.length;
    await this.#store({ closed: true });
    await atOnce(layer, 8, (state) => this.#refusals(state, { closed: true }));
    await this.#store({ closed: false });
    await atOnce(layer, 8, async (state) => {
      await this.#refusals(state, { closed: false });
      await this.#acceptances(state);
    });
  }

  async #store(fields: { closed: boolean }): Promise<void> {
    for (const { name, brand, points } of PLACES) {
      const place = await this.#desk.place(this.#tenant, { id: name, brand, points, ...fields });
      this.#places.set(name, place);
    }
  }

  #newCaller(): Caller {
    return newCaller(this.#apps.get(APPS[0]!)!);
  }

  /** All that can be attempted at one time in one position. */
  #attempts(at: number, { isFar, closed }: { isFar: boolean; closed: boolean }): Attempt[] {
    return PLACES.flatMap((place) => APPS.map((app) => ({ place: { ...place, closed }, app, at, isFar })));
  }

  /** None of them may change anything, so one customer makes all those of one time, one after another. */
  async #refusals(state: State, { closed }: { closed: boolean }): Promise<void> {
    const past = await this.#desk.records(state.caller);
    // A closed place is closed at any time.
    const steps = closed && !isThorough ? STEPS.slice(0, 1) : STEPS;
    for (const at of new Set(steps.map((step) => step(state.at)))) {
      const own = { ...state, caller: await this.#copy(past) };
      const before = await this.#desk.records(own.caller);
      for (const isFar of closed ? [false] : [false, true]) {
        await this.#desk.stand(own.caller, isFar ? FAR : CENTRE, at);
        const attempts = this.#attempts(at, { isFar, closed });
        await this.#compareList(own, attempts);
        for (const attempt of attempts) await this.#refusal(own, attempt);
        await this.#compareRecords(own, attempts[0]!, before);
      }
      // Time has passed: what follows may be something that no check-in leads to.
      if (!closed) this.#reach({ ...own, at });
    }
  }

  async walk(steps: number, random: () => number): Promise<void> {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
    let state: State = { at: START, events: [], caller: this.#newCaller() };
    for (let step = 0; step < steps; step += 1) {
      const at = pick(STEPS)(state.at);
      const isFar = random() < 0.1;
      await this.#desk.stand(state.caller, isFar ? FAR : CENTRE, at);
      const attempts = this.#attempts(at, { isFar, closed: false });
      await this.#compareList(state, attempts);
      const attempt = pick(attempts);
      const before = await this.#desk.records(state.caller);
      if (modelRefusal(state.events, attempt) === undefined) state = await this.#acceptance(state, attempt);
      else {
        await this.#refusal(state, attempt);
        await this.#compareRecords(state, attempt, before);
      }
      state = { ...state, at };
    }
  }

  async #refusal(state: State, attempt: Attempt): Promise<void> {
    const code = modelRefusal(state.events, attempt);
    if (code === undefined) return;
    this.findings.refused[code] = (this.findings.refused[code] ?? 0) + 1;
    const outcome = await this.#attempt(state.caller, attempt);
    this.#expect(isDeepStrictEqual(outcome, { code }), state, attempt, outcome);
  }

  async #compareRecords(state: State, attempt: Attempt, before: CustomerRecords): Promise<void> {
    const after = await this.#desk.records(state.caller);
    this.#expect(isDeepStrictEqual(after, before), state, attempt, 'a refusal changed the records');
  }

  /** Each is made by a customer of its own, with the same past. */
  async #acceptances(state: State): Promise<void> {
    const before = await this.#desk.records(state.caller);
    for (const at of new Set(STEPS.map((step) => step(state.at)))) {
      for (const attempt of this.#attempts(at, { isFar: false, closed: false })) {
        if (modelRefusal(state.events, attempt) !== undefined) continue;
        const caller = await this.#copy(before);
        await this.#desk.stand(caller, CENTRE, at);
        this.#reach(await this.#acceptance({ ...state, caller }, attempt));
      }
    }
  }

  /** The state after the check-in. */
  async #acceptance(state: State, attempt: Attempt): Promise<State> {
    this.findings.made += 1;
    const outcome = await this.#attempt(state.caller, attempt);
    const expected = { state: 'alreadycheckedin_checkable', nextAt: attempt.at + attempt.app.cooldownMillis };
    this.#expect(isDeepStrictEqual(outcome, expected), state, attempt, outcome);
    const events = [...state.events, attempt];
    const wrong = this.#wrongIn(await this.#desk.records(state.caller), events);
    this.#expect(wrong.length === 0, state, attempt, wrong);
    return { ...state, at: attempt.at, events };
  }

  #attempt(caller: Caller, { place, app, at }: Attempt): Promise<Outcome> {
    const own = { ...caller, app: this.#apps.get(app)! };
    return this.#desk.checkIn({ caller: own, place: this.#places.get(place.name)!, now: at });
  }

  /** What a list shows is decided by what is stored, as what a check-in does is. */
  async #compareList(state: State, attempts: readonly Attempt[]): Promise<void> {
    const now = attempts[0]!.at;
    const standing = await standingStore(this.#desk.places).whole(keyOf(state.caller), now);
    if (!standing) throw new Error('The customer has too many items.');
    for (const attempt of attempts) {
      const seen = { app: this.#apps.get(attempt.app)!, standing, distance: attempt.isFar ? 150 : 0, now };
      const checkInState = stateOf(this.#places.get(attempt.place.name)!, seen);
      this.findings.checkInStates.add(checkInState);
      this.#expect(checkInState === modelState(state.events, attempt), state, attempt, checkInState);
    }
  }

  #wrongIn(records: CustomerRecords, events: readonly ModelEvent[]): string[] {
    const wrong = disagreements(records);
    if (records.entries.length !== events.length) wrong.push(`${records.entries.length} entries`);
    const points = events.reduce((sum, { place }) => sum + place.points, 0);
    if (records.balance?.['points'] !== points) wrong.push(`not ${points} points`);
    return wrong;
  }

  /** Remembers a state to go on from, if it is a new one. */
  #reach(state: State): void {
    const key = modelKey(state.events, state.at);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#layer.push(state);
  }

  #expect(holds: boolean, { events, at }: State, attempt: Attempt, what: unknown): void {
    if (holds || this.findings.differences.length >= 20) return;
    const told = (one: ModelEvent) => `${one.place.name} by ${one.app.name} at +${(one.at - START) / HOUR} h`;
    const past = events.map(told).join(', ');
    const now = `${told(attempt)}${attempt.isFar ? ', far' : ''}${attempt.place.closed ? ', closed' : ''}`;
    this.findings.differences.push(`after [${past}], at +${(at - START) / HOUR} h, ${now}: ${JSON.stringify(what)}`);
  }

  /** Another customer with the same past. */
  async #copy({ standing, points }: CustomerRecords): Promise<Caller> {
    const copy = this.#newCaller();
    const { tenant, id } = keyOf(copy);
    const put = (prefix: string) => (item: Item) => ({
      PutRequest: { Item: marshalled({ ...item, pk: `${prefix}${tenant}#${id}` }) },
    });
    const requests = { places: standing.map(put('STANDING#')), accounts: points.map(put('POINTS#')) };
    const RequestItems = Object.fromEntries(Object.entries(requests).filter(([, all]) => all.length > 0));
    if (Object.keys(RequestItems).length === 0) return copy;
    const { UnprocessedItems: left = {} } = await this.#desk.places.client.send(
      new BatchWriteItemCommand({ RequestItems }),
    );
    if (Object.keys(left).length > 0) throw new Error('The copy is not complete.');
    return copy;
  }
}
