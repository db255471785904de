import { numberText } from '#shared/formats/exact-json';
import { type Context, contextOf, contextWithin } from '../fields/context.ts';
import type { Kind } from '../fields/field.ts';
import { MEMBERS_OF, type Member, type Members } from '../fields/fields.ts';
import type { RecordType } from '../items/caller-record.ts';
import type { Options } from '../items/options.ts';
import { type Issue, issue } from '../schemas/issues.ts';
import { isJsonObject } from '../schemas/plain-json.ts';
import { pointerTo } from '../schemas/pointer.ts';
import { loadCountries } from '../values/countries/countries.ts';
import { unitOf } from '../values/quantities/unit-lookup.ts';
import { compareFields } from './comparisons.ts';
import {
  judgeCountry,
  judgeEmail,
  judgeFlag,
  judgeHost,
  judgePhone,
  judgePostcode,
  judgeWeb,
  textOf,
} from './contact-rules.ts';
import { judgeDate, judgePast } from './date-rules.ts';
import { Judgement, type Spot } from './judgement.ts';
import { judgeCurrency, judgePrice } from './money-rules.ts';
import { judgeCount, judgeMeasure, judgeNumber, judgeRooms, judgeUnit, judgeYear } from './number-rules.ts';
import { judgeCoordinate, judgePoint, type ReadPoint } from './place-rules.ts';
import { judgeGtin, judgeIsbn } from './trade-rules.ts';

type StatedObject = Readonly<Record<string, unknown>>;
type Rule = (spot: Spot, judgement: Judgement) => unknown;

/**
 * The rule of each kind. Coordinates are judged in pairs and countries before everything else, so they have no rule
 * here.
 */
const RULES: Readonly<Partial<Record<Kind, Rule>>> = {
  text: textOf,
  verbatim: textOf,
  name: textOf,
  address: textOf,
  'legal-form': textOf,
  flag: judgeFlag,
  phone: judgePhone,
  email: judgeEmail,
  web: judgeWeb,
  link: judgeWeb,
  host: judgeHost,
  postcode: judgePostcode,
  gtin: judgeGtin,
  'trade-number': judgeGtin,
  isbn: judgeIsbn,
  amount: judgePrice,
  currency: judgeCurrency,
  past: judgePast,
  date: judgeDate,
  year: judgeYear,
  count: judgeCount,
  number: judgeNumber,
  beds: (spot, judgement) => judgeRooms(spot, judgement, 'beds'),
  rooms: (spot, judgement) => judgeRooms(spot, judgement, 'rooms'),
  baths: (spot, judgement) => judgeRooms(spot, judgement, 'baths'),
  measure: judgeMeasure,
  'measure-value': judgeMeasure,
  unit: judgeUnit,
};

export interface CheckResult {
  readonly issues: readonly Issue[];
  /** Pointers to all values that were checked. */
  readonly judged: readonly string[];
}

/** Checks a record by the rules of its type. */
export async function checkRecord(
  record: StatedObject,
  { type, options, now }: { type: RecordType; options: Options; now: number },
): Promise<CheckResult> {
  const countries = await loadCountries();
  const suggestions = { unit: unitOf, country: (text: string) => countries.suggest(text, options.locale) };
  const at = { path: '', members: MEMBERS_OF[type], context: contextOf(options, countries, suggestions) };
  return new RecordCheck(now).check(record, at);
}

/** The most values: some rules take 30 us for each. */
const VALUES_MAX = 1_000;

class RecordCheck {
  readonly #now: number;
  readonly #all: Judgement[] = [];
  #valuesLeft = VALUES_MAX;

  constructor(now: number) {
    this.#now = now;
  }

  async check(record: StatedObject, at: Omit<At, 'judgement'>): Promise<CheckResult> {
    await this.#object(record, at);
    const issues = this.#all.flatMap((judgement) => judgement.issues);
    if (this.#valuesLeft <= 0) {
      const detail = `The record has more than ${VALUES_MAX} values that rules apply to. The others were not checked.`;
      issues.push(issue('warning', '', 'record.too-many-values', { detail }));
    }
    return { issues, judged: this.#all.flatMap((judgement) => judgement.judged) };
  }

  /** Judges an object with a country and prices of its own. */
  async #object(object: StatedObject, at: Omit<At, 'judgement'>) {
    const judgement = new Judgement(this.#now);
    this.#all.push(judgement);
    await this.#countries(object, { ...at, judgement });
    await this.#fields(object, { ...at, judgement });
    compareFields(judgement);
  }

  /** Judges countries first, also those in parts of the object, because phones and points have to agree with them. */
  async #countries(object: StatedObject, at: At) {
    for (const spot of spotsOf(object, at)) {
      const { member, value, path } = spot;
      if (member.kind === 'country') for (const one of this.#items(spot, at)) await judgeCountry(one, at.judgement);
      else if (member.inner?.isPart && isObject(value))
        await this.#countries(value, { ...at, path, members: member.inner.members });
    }
  }

  async #fields(object: StatedObject, around: At) {
    const at = { ...around, context: contextWithin(around.context, (name) => valueOf(object, name)) };
    const point: { -readonly [Name in keyof ReadPoint]: ReadPoint[Name] } = {};
    for (const spot of spotsOf(object, at)) {
      const { kind, inner } = spot.member;
      if (kind === 'latitude' || kind === 'longitude') {
        at.judgement.judged.push(spot.path);
        point[kind] = point[kind] ?? judgeCoordinate(spot, at.judgement, kind);
      } else if (inner !== undefined && kind !== 'amount') await this.#container(spot, inner, at);
      else await this.#values(spot, at);
    }
    await judgePoint(point, at.judgement);
  }

  async #values(spot: Spot, at: At) {
    const rule = RULES[spot.member.kind];
    if (rule === undefined) return;
    for (const one of this.#items(spot, at)) await rule(one, at.judgement);
  }

  /** A part of an object occurs once; a container of independent things may hold many. */
  async #container(spot: Spot, { isPart, members }: NonNullable<Member['inner']>, at: At) {
    const values = !isPart && Array.isArray(spot.value) ? (spot.value as unknown[]) : [spot.value];
    for (const [index, value] of values.entries()) {
      const path = values === spot.value ? pointerTo(spot.path, index) : spot.path;
      if (value === null || (spot.member.kind === 'any' && !isObject(value))) continue;
      if (this.#valuesLeft <= 0) return;
      this.#valuesLeft -= 1;
      if (!isObject(value)) {
        if (spot.member.kind !== 'objects') await this.#values({ ...spot, value, path }, at);
        else at.judgement.error(path, 'type.object', { detail: 'The value must be an object.' });
      } else if (isPart) await this.#fields(value, { ...at, path, members });
      else await this.#object(value, { ...at, path, members });
    }
  }

  /** The value of a field, or each value of its list. */
  *#items(spot: Spot, { judgement }: At): Generator<Spot> {
    const values = Array.isArray(spot.value) ? (spot.value as unknown[]) : [spot.value];
    for (const [index, value] of values.entries()) {
      if (value === undefined || value === null) continue;
      if (this.#valuesLeft <= 0) return;
      this.#valuesLeft -= 1;
      const path = values === spot.value ? pointerTo(spot.path, index) : spot.path;
      judgement.judged.push(path);
      yield { ...spot, value, path };
    }
  }
}

interface At {
  readonly path: string;
  readonly members: Members;
  readonly context: Context;
  readonly judgement: Judgement;
}

/** The fields of an object in the order of the tables. Null counts as missing. */
function spotsOf(among: StatedObject, { path, members, context }: At): Spot[] {
  const spots: Spot[] = [];
  for (const [name, value] of Object.entries(among)) {
    const member = members.get(name);
    if (member === undefined || value === undefined || value === null) continue;
    spots.push({ value, path: pointerTo(path, name), name, member, among, context });
  }
  return spots.sort((one, other) => one.member.rank - other.member.rank);
}

/** The value of an own member: inherited ones do not count. */
const valueOf = (object: StatedObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isObject = (value: unknown): value is StatedObject => isJsonObject(value) && numberText(value) === undefined;
