import { numberText } from '#shared/exact-json';
import type { Options } from '../items/options.ts';
import { loadCountries } from '../knowledge/countries/countries.ts';
import { conventionsOf } from '../knowledge/texts/conventions.ts';
import { type Issue, issue } from '../schemas/issues.ts';
import { isJsonObject } from '../schemas/plain-json.ts';
import { pointerTo } from '../schemas/pointer.ts';
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
import { type Circumstances, Judgement, type ReadBy, type Spot } from './judgement.ts';
import { judgeCurrency, judgePrice } from './money-rules.ts';
import { judgeCount, judgeMeasure, judgeNumber, judgeRooms, judgeYear } from './number-rules.ts';
import { judgeCoordinate, judgePoint, type ReadPoint } from './place-rules.ts';
import { type Kind, type Nested, TABLES, type Table } from './tables.ts';
import { judgeGtin, judgeIsbn } from './trade-rules.ts';

type Members = Readonly<Record<string, unknown>>;
type Rule = (spot: Spot, judgement: Judgement) => unknown;

/** Coordinates are judged in pairs, and countries before all else, so they are not here. */
const RULES: Readonly<Record<Exclude<Kind, 'latitude' | 'longitude' | 'country'>, Rule>> = {
  text: textOf,
  flag: judgeFlag,
  phone: judgePhone,
  email: judgeEmail,
  web: judgeWeb,
  host: judgeHost,
  postcode: judgePostcode,
  gtin: judgeGtin,
  isbn: judgeIsbn,
  price: judgePrice,
  currency: judgeCurrency,
  past: judgePast,
  date: judgeDate,
  year: judgeYear,
  count: judgeCount,
  number: judgeNumber,
  beds: (spot, judgement) => judgeRooms(spot, judgement, 'beds'),
  rooms: (spot, judgement) => judgeRooms(spot, judgement, 'rooms'),
  baths: (spot, judgement) => judgeRooms(spot, judgement, 'baths'),
  area: (spot, judgement) => judgeMeasure(spot, judgement, 'area'),
  mass: (spot, judgement) => judgeMeasure(spot, judgement, 'mass'),
  length: (spot, judgement) => judgeMeasure(spot, judgement, 'length'),
  volume: (spot, judgement) => judgeMeasure(spot, judgement, 'volume'),
};

export interface Checked {
  readonly issues: readonly Issue[];
  /** Pointers to all values that were looked at. */
  readonly judged: readonly string[];
}

/** What the rules for records of a type say of one. */
export async function checkRecord(
  record: Members,
  { type, options, now }: { type: keyof typeof TABLES; options: Options; now: number },
): Promise<Checked> {
  const countries = await loadCountries();
  const about = { options, now, countries, conventions: conventionsOf(options.locale) };
  return new RecordCheck(about).check(record, TABLES[type]);
}

/** Some of the rules take 30 us a value. */
const VALUES_MAX = 1_000;

class RecordCheck {
  readonly #about: Circumstances;
  readonly #all: Judgement[] = [];
  #left = VALUES_MAX;

  constructor(about: Circumstances) {
    this.#about = about;
  }

  async check(record: Members, table: Table): Promise<Checked> {
    await this.#object(record, { path: '', table, country: this.#about.options.defaultCountry });
    const issues = this.#all.flatMap((judgement) => judgement.issues);
    if (this.#left <= 0) {
      const detail = `The record has more than ${VALUES_MAX} values that rules apply to. The others were not checked.`;
      issues.push(issue('warning', '', 'record.too-many-values', { detail }));
    }
    return { issues, judged: this.#all.flatMap((judgement) => judgement.judged) };
  }

  /** An object with a country and prices of its own. */
  async #object(members: Members, at: Omit<At, 'judgement'>) {
    const judgement = new Judgement(this.#about);
    this.#all.push(judgement);
    await this.#countries(members, { ...at, judgement });
    await this.#fields(members, { ...at, judgement });
    compareFields(judgement);
  }

  /** Countries first, those in parts of the object included: phones and points have to agree with them. */
  async #countries(members: Members, at: At) {
    for (const [name, entry] of at.table) {
      const value = valueOf(members, name);
      const path = pointerTo(at.path, name);
      if (entry === 'country') {
        for (const spot of this.#spots({ value, path, name, among: members }, at))
          await judgeCountry(spot, at.judgement);
      } else if (typeof entry === 'object' && !entry.own && isObject(value)) {
        await this.#countries(value, { ...at, path, table: entry.fields });
      }
    }
  }

  async #fields(members: Members, around: At) {
    const at = { ...around, ...this.#readBy(members, around) };
    const point: { -readonly [Name in keyof ReadPoint]: ReadPoint[Name] } = {};
    for (const [name, entry] of at.table) {
      const { country, statedCountry } = at;
      const path = pointerTo(at.path, name);
      const spot = { value: valueOf(members, name), path, name, among: members, country, statedCountry };
      if (spot.value === undefined || entry === 'country') continue;
      if (typeof entry === 'object') await this.#nested(spot, entry, at);
      else if (entry !== 'latitude' && entry !== 'longitude') await this.#values(spot, entry, at);
      else {
        at.judgement.judged.push(path);
        point[entry] = point[entry] ?? judgeCoordinate(spot, at.judgement, entry);
      }
    }
    await judgePoint(point, at.judgement);
  }

  #readBy(members: Members, { country, statedCountry }: ReadBy): ReadBy {
    const names = ['country', 'countryCode'];
    const stated = names.map((name) => valueOf(members, name)).find((value) => !isBlank(value));
    if (stated === undefined) return { country, statedCountry };
    const found = typeof stated === 'string' ? this.#about.countries.read(stated, this.#about.options.locale) : [];
    const alpha2 = 'alpha2' in found ? found.alpha2 : undefined;
    return { country: alpha2, statedCountry: alpha2 };
  }

  async #values(spot: Spot, kind: Exclude<Kind, 'latitude' | 'longitude' | 'country'>, at: At) {
    for (const one of this.#spots(spot, at)) await RULES[kind](one, at.judgement);
  }

  async #nested(spot: Spot, { fields, own, or }: Nested, at: At) {
    const values = own && Array.isArray(spot.value) ? (spot.value as unknown[]) : [spot.value];
    for (const [index, value] of values.entries()) {
      const path = values === spot.value ? pointerTo(spot.path, index) : spot.path;
      if (value === null || (or === 'anything' && !isObject(value))) continue;
      if (this.#left <= 0) return;
      this.#left -= 1;
      if (isObject(value)) {
        if (own) await this.#object(value, { ...at, path, table: fields });
        else await this.#fields(value, { ...at, path, table: fields });
      } else if (or !== undefined && or in RULES) {
        await this.#values({ ...spot, value, path }, or as keyof typeof RULES, at);
      } else at.judgement.error(path, 'type.object', { detail: 'The value must be an object.' });
    }
  }

  /** The value of a field, or each of its list. */
  *#spots(spot: Spot, { judgement }: At): Generator<Spot> {
    const values = Array.isArray(spot.value) ? (spot.value as unknown[]) : [spot.value];
    for (const [index, value] of values.entries()) {
      if (value === undefined || value === null) continue;
      if (this.#left <= 0) return;
      this.#left -= 1;
      const path = values === spot.value ? pointerTo(spot.path, index) : spot.path;
      judgement.judged.push(path);
      yield { ...spot, value, path };
    }
  }
}

interface At extends ReadBy {
  readonly path: string;
  readonly table: Table;
  readonly judgement: Judgement;
}

/** The member that the caller sent; null counts as none. */
const valueOf = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined;

const isBlank = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value.trim() === '');

const isObject = (value: unknown): value is Members => isJsonObject(value) && numberText(value) === undefined;
