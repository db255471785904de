import type { RecordType } from '../items/caller-record.ts';
import type { Dimension } from '../values/quantities/unit-definition.ts';
import { BUSINESS, BUSINESS_WEIGHTS } from './business.ts';
import { EVERY_RECORD } from './every-record.ts';
import { type Field, type Fields, KINDS, type Kind, type Weights } from './field.ts';
import { PRODUCT, PRODUCT_WEIGHTS } from './product.ts';
import { PROPERTY, PROPERTY_WEIGHTS } from './property.ts';

const ALL = { ...EVERY_RECORD, ...BUSINESS, ...PRODUCT, ...PROPERTY } as const;
export type FieldName = keyof typeof ALL;
export const FIELDS: Readonly<Record<FieldName, Field>> = ALL;

export const WEIGHTS: Readonly<Record<RecordType, Weights>> = {
  business: BUSINESS_WEIGHTS,
  product: PRODUCT_WEIGHTS,
  property: PROPERTY_WEIGHTS,
};

/** A member of a record, known by its name. */
export interface Member {
  readonly kind: Kind;
  /** The position of its kind in the order of kinds, and its own position in the tables. */
  readonly turn: number;
  readonly rank: number;
  readonly isPrice: boolean;
  readonly dimensions: readonly Dimension[];
  readonly currencies: readonly string[];
  /** The members of its objects, if it is a container. */
  readonly inner?: { readonly isPart: boolean; readonly members: Members };
}

/** The possible members of an object. */
export type Members = ReadonlyMap<string, Member>;

export const namesOf = (field: FieldName): readonly string[] => [field, ...(FIELDS[field].aliases ?? [])];

/** The member that names the unit of the measure beside it. */
export const unitNameOf = (name: string): string => {
  const field: Field | undefined = FIELDS[name as FieldName];
  return field?.unit ?? `${name}Unit`;
};

/** The members that records may have by these tables. Their containers may hold all of them too. */
function membersOf(fields: Fields): Members {
  const members = new Map<string, Member>();
  const withHeld = new Map<Fields, Map<string, Member>>();
  add(members, fields, (holds) => {
    if (holds === undefined) return members;
    const inner = withHeld.get(holds) ?? new Map<string, Member>();
    withHeld.set(holds, inner);
    return inner;
  });
  for (const [holds, inner] of withHeld) {
    for (const [name, member] of members) inner.set(name, member);
    add(inner, holds, () => members);
  }
  return members;
}

function add(to: Map<string, Member>, fields: Fields, innerOf: (holds: Fields | undefined) => Members): void {
  for (const [field, { kind, aliases = [], container, holds, ...more }] of Object.entries(fields)) {
    const { isPrice = false, dimensions = [], currencies = namesOf('currency') } = more;
    const inner = container && { isPart: container === 'part', members: innerOf(holds) };
    for (const name of [field, ...aliases]) {
      const facts = { rank: to.size, isPrice, dimensions, currencies };
      to.set(name, { kind, turn: KINDS.indexOf(kind), ...facts, ...(inner && { inner }) });
      if (kind === 'measure' || kind === 'measure-value')
        to.set(unitNameOf(name), { kind: 'unit', turn: KINDS.indexOf('unit'), ...facts });
    }
  }
}

/** The members that the rules of a type apply to. Other members may hold anything. */
export const MEMBERS_OF: Readonly<Record<RecordType, Members>> = {
  business: membersOf({ ...EVERY_RECORD, ...BUSINESS }),
  product: membersOf({ ...EVERY_RECORD, ...PRODUCT }),
  property: membersOf({ ...EVERY_RECORD, ...PROPERTY }),
};

/**
 * The members that are read in a record of any type, because a name means the same in all: a product may have an area.
 */
export const MEMBERS: Members = membersOf(FIELDS);

/** The path to a value. A list on the path stands for its first item. */
export type Place = readonly string[];

const places = new Map<FieldName, readonly Place[]>();

/** The places where enrichment looks for a field, most usual first. */
export function placesOf(field: FieldName): readonly Place[] {
  const cached = places.get(field) ?? findPlaces(field);
  places.set(field, cached);
  return cached;
}

function findPlaces(field: FieldName): readonly Place[] {
  const { kind, within = [''], holds = {}, or = [] } = FIELDS[field];
  const inner = Object.keys(holds).filter((name) => holds[name]?.kind === kind);
  const outer = within.flatMap((parent) => namesOf(field).map((name) => (parent === '' ? [name] : [parent, name])));
  const own = outer.flatMap((place) => [place, ...inner.map((name) => [...place, name])]);
  return [...own, ...or.flatMap((other) => placesOf(other as FieldName))];
}
