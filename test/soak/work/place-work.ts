import type { PatientClient } from '../patient-client.ts';
import type { Hooks } from './hooks.ts';
import type { Findings, Work } from './work.ts';

const HERE = { latitude: 52.3731, longitude: 4.8922 };
const PLACES = [
  { id: 'soak-tower', points: 7 },
  { id: 'soak-bridge', points: 3 },
];
const POINTS = PLACES.reduce((sum, { points }) => sum + points, 0);

/** New customers who look around and check in: once at each place, for its points. */
export class PlaceWork implements Work {
  readonly name = 'places';
  private readonly client: PatientClient;
  private readonly hooks: Hooks;
  private readonly faults: string[] = [];
  private readonly customers: string[] = [];
  private readonly venues = new Map<string, number>();
  private rule = '';

  constructor(client: PatientClient, hooks: Hooks) {
    this.client = client;
    this.hooks = hooks;
  }

  async begin(): Promise<void> {
    for (const place of PLACES) {
      const { venueId } = await this.client.manageOrThrow('POST', 'loyalty/places', {
        ...place,
        name: place.id,
        ...HERE,
      });
      this.venues.set(place.id, venueId);
    }
    this.rule = await this.hooks.rule('places', 'Check-in made', 'places-{{requestId}}');
  }

  async use(): Promise<void> {
    const { id: customer } = await this.client.manageOrThrow('POST', 'loyalty/customers', {});
    const at = `location[latitude]=${HERE.latitude}&location[longitude]=${HERE.longitude}`;
    const listed = await this.client.app('GET', `/users/${customer}/places?${at}`);
    const ids = listed.json.places.map(({ id }: { id: string }) => id);
    if (!PLACES.every(({ id }) => ids.includes(id))) this.faults.push(`${customer} sees ${ids.join(', ')}.`);
    for (const { id } of PLACES) {
      const check_in = { place_id: id, venue_id: this.venues.get(id), state: 'checkable', distance: 0 };
      const { json, text, failures } = await this.client.app('POST', `/users/${customer}/places/${id}/check_ins`, {
        check_in,
      });
      const isSecond = failures > 0 && json.errors?.code === 'check_in_not_available';
      if (json.status !== 'ok' && !isSecond) this.faults.push(`${customer} at ${id}: ${text}`);
    }
    this.customers.push(customer);
  }

  hasEnded = async (): Promise<boolean> => true;

  async audit(): Promise<Findings> {
    const faults = [...this.faults];
    const runs: string[] = [];
    for (const customer of this.customers) {
      const checkIns = await Array.fromAsync(this.client.all(`loyalty/customers/${customer}/check-ins`));
      const ids: string[] = checkIns.map(({ placeId }) => placeId);
      if (ids.toSorted().join() !== 'soak-bridge,soak-tower')
        faults.push(`${customer} checked in at ${ids.join(', ')}.`);
      runs.push(...checkIns.map(({ id }) => `places-${id} ${this.rule}`));
      const { availablePoints } = await this.client.manageOrThrow('GET', `loyalty/customers/${customer}`);
      if (availablePoints !== POINTS) faults.push(`${customer} has ${availablePoints} points, not ${POINTS}.`);
    }
    return { faults, runs, counts: { customers: this.customers.length, checkIns: runs.length } };
  }
}
