import * as z from 'zod';
import { CallerRecord, RECORD_TYPES } from '../items/caller-record.ts';
import type { Options } from '../items/options.ts';
import { country, gtin, phone, web } from './codes.ts';
import { completenessOf } from './completeness.ts';
import { contentHashOf } from './content-hash.ts';
import { matchKeysOf } from './match-keys.ts';
import { cells, geo } from './place.ts';
import { Enrichment } from './record/enrichment.ts';
import { type Derivation, type Subject, together, UnresolvedMember } from './record/subject.ts';
import { unit } from './unit.ts';

const GROUPS = ['unit', 'phone', 'country', 'gtin', 'web', 'geo', 'cells', 'quality', 'match'] as const;
type Group = (typeof GROUPS)[number];

export const EnrichItem = z.strictObject({
  type: z.enum(RECORD_TYPES),
  record: CallerRecord.meta({
    description: 'One record. Members that are not known are kept and add nothing.',
    examples: [
      { price: '450000', currency: 'USD', area: { value: '1250', unit: 'ft2' }, lat: 37.7749, lon: -122.4194 },
    ],
  }),
  include: z
    .array(z.enum(GROUPS))
    .min(1)
    .max(GROUPS.length)
    .optional()
    .meta({
      description: [
        'What to derive; everything that the record has the fields for, when absent.',
        'unit: area, price by area, pack, unit price, volumetric weight.',
        'phone: E.164, country and kind of number. country: codes, currency, membership of the EU.',
        'gtin: kind and issuer. web: registrable domain. geo: time zone, country, geohash.',
        'cells: plus code and H3. quality: completeness. match: keys to find duplicates by, and a hash of the content.',
      ].join(' '),
    }),
});
export type EnrichItem = z.output<typeof EnrichItem>;

export const EnrichResult = z.strictObject({
  enrichment: Enrichment,
  sources: z.record(z.string(), z.string()).meta({
    description:
      'Package and version of the data that determined a member: by JSON pointer into enrichment, which stands for all below it. What follows from the record by rule alone has no source.',
    examples: [{ '/geo/timeZone': 'tz-lookup 11.7.0' }],
  }),
  unresolved: z.array(UnresolvedMember).optional().meta({ description: 'Members that nothing could be derived from.' }),
  record: CallerRecord.meta({ description: 'As it was sent, to the digit.' }),
});
export type EnrichResult = z.output<typeof EnrichResult>;

/** Derives members from a record and returns them beside it. The record itself is never changed, even if it is wrong. */
export async function enrichItem(
  item: EnrichItem,
  { options }: { options: Options; now: number },
): Promise<EnrichResult> {
  const { type, record, include = GROUPS } = item;
  const subject = { type, fields: record, options };
  const groups = GROUPS.filter((group) => include.includes(group));
  const {
    enrichment,
    sources = {},
    unresolved = [],
  } = together(await Promise.all(groups.map((each) => DERIVE[each](subject))));
  return { enrichment, sources, ...(unresolved.length > 0 && { unresolved: distinct(unresolved) }), record };
}

/** Removes duplicates: groups that read the same field report the same fault. */
function distinct(unresolved: readonly UnresolvedMember[]): UnresolvedMember[] {
  return [...new Map(unresolved.map((each) => [`${each.path} ${each.code}`, each])).values()];
}

const DERIVE: Readonly<Record<Group, (subject: Subject) => Promise<Derivation>>> = {
  unit,
  phone,
  country,
  gtin,
  web,
  geo,
  cells,
  quality,
  match,
};

async function quality({ type, fields }: Subject): Promise<Derivation> {
  return { enrichment: { quality: completenessOf(type, fields) } };
}

async function match(subject: Subject): Promise<Derivation> {
  const matchKeys = await matchKeysOf(subject);
  const contentHash = contentHashOf(subject.fields);
  if (contentHash !== undefined) return { enrichment: { matchKeys, contentHash } };
  const detail = 'The record has no hash: a text in it holds half of a surrogate pair, which is not valid Unicode.';
  return { enrichment: { matchKeys }, unresolved: [{ path: '', code: 'unparseable-value', detail }] };
}
