import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { type Draft, tenantFaults } from '#shared/http/management-api';
import type { TenantKey } from '#shared/ids';
import { type AdUnit, AdUnitChange, type AdUnitFields } from './ad-unit.ts';

/** Every listing of places processes all ad units of its tenant. */
const AD_UNITS_MAX = 100;

export interface AdUnits {
  add(unit: AdUnit): Promise<boolean>;
  byId(key: TenantKey): Promise<AdUnit | undefined>;
  /** False if the ad unit has changed since `before`, or was deleted. */
  change(unit: AdUnit, before: AdUnit): Promise<boolean>;
  remove(key: TenantKey): Promise<boolean>;
}

/** Returns the ids that belong to places of the tenant. */
type ExistingPlaces = (tenant: string, ids: readonly string[]) => Promise<ReadonlySet<string>>;

export interface AdUnitDeps {
  readonly units: AdUnits;
  readonly existing: ExistingPlaces;
  readonly count: (tenant: string) => Promise<number>;
  readonly nextCreativeId: (tenant: string) => Promise<number>;
}

export async function createAdUnit(
  { units, existing, count, nextCreativeId }: AdUnitDeps,
  fields: AdUnitFields,
  { tenant, id, now }: TenantKey & { readonly now: number },
): Promise<AdUnit> {
  checkTimes(fields);
  await requirePlaces(existing, tenant, fields.placeIds);
  if ((await count(tenant)) >= AD_UNITS_MAX) {
    throw new Refusal(409, 'too-many-ad-units', `There are already ${AD_UNITS_MAX} ad units. Delete one first.`);
  }
  const at = isoTime(now);
  const creativeId = await nextCreativeId(tenant);
  const unit: AdUnit = { ...fields, tenant, id, creativeId, revision: 1, createdAt: at, updatedAt: at };
  if (!(await units.add(unit))) throw new Error('Two ad units have the same random id.');
  return unit;
}

export async function changeAdUnit(
  { units, existing }: Pick<AdUnitDeps, 'units' | 'existing'>,
  change: AdUnitChange,
  { now, ...key }: TenantKey & { readonly now: number },
): Promise<AdUnit> {
  if (change.placeIds) await requirePlaces(existing, key.tenant, change.placeIds);
  for (;;) {
    const before = await adUnitById(units, key);
    const unit = { ...before, ...change, revision: before.revision + 1, updatedAt: isoTime(now) };
    checkTimes(unit);
    if (await units.change(unit, before)) return unit;
  }
}

export async function adUnitById(units: Pick<AdUnits, 'byId'>, key: TenantKey): Promise<AdUnit> {
  return (await units.byId(key)) ?? noSuch('ad unit');
}

export async function deleteAdUnit(units: Pick<AdUnits, 'remove'>, key: TenantKey): Promise<void> {
  if (!(await units.remove(key))) noSuch('ad unit');
}

/** Checks what the schema cannot, when an ad unit is created or changed. */
export const adUnitFaults = (deps: Pick<AdUnitDeps, 'units' | 'existing'>) =>
  tenantFaults(AdUnitChange, (sound, draft) => adUnitChecks(deps, sound, draft));

async function adUnitChecks(
  { units, existing }: Pick<AdUnitDeps, 'units' | 'existing'>,
  sound: AdUnitChange,
  { tenant, id, unsound }: Draft,
) {
  const stored = id === undefined ? undefined : await units.byId({ tenant, id });
  const { startsAt = null, endsAt = null } = { ...stored, ...sound };
  return [
    () => unsound.has('startsAt') || unsound.has('endsAt') || checkTimes({ startsAt, endsAt }),
    () => sound.placeIds && requirePlaces(existing, tenant, sound.placeIds),
  ];
}

function checkTimes({ startsAt, endsAt }: Pick<AdUnit, 'startsAt' | 'endsAt'>): void {
  if (startsAt === null || endsAt === null || Date.parse(startsAt) < Date.parse(endsAt)) return;
  throw faultOf('endsAt', 'must be later than startsAt');
}

const NAMED = 5;

async function requirePlaces(existing: ExistingPlaces, tenant: string, ids: readonly string[]): Promise<void> {
  const existingIds = await existing(tenant, ids);
  const unknown = ids.filter((id) => !existingIds.has(id));
  if (unknown.length === 0) return;
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : '';
  const alone = { status: 400, code: 'unknown-place' };
  throw faultOf('placeIds', `There is no place ${unknown.slice(0, NAMED).join(', ')}${more}.`, alone);
}
