import * as z from 'zod';
import { WEIGHTS } from '../../fields/fields.ts';
import { RECORD_TYPES } from '../../items/caller-record.ts';
import { GTIN_KINDS } from '../../values/identifiers/gtin.ts';

const decimal = (description: string) => z.string().meta({ description });

const PerArea = z.strictObject({ m2: z.string(), ft2: z.string() });

const Measure = z.strictObject({ value: z.string(), unit: z.string().meta({ description: 'Code of the unit.' }) });

const Pack = z
  .strictObject({
    count: z.string().meta({ description: 'How many single things are in the pack.' }),
    each: Measure,
    total: Measure,
  })
  .meta({ description: 'What a text such as "6 x 330 ml" says.' });

const UnitPrice = z.strictObject({
  value: decimal('Rounded to the minor digits of the currency.'),
  currency: z.string(),
  per: z.enum(['kg', 'L', 'm', 'm2']),
});

const VolumetricWeight = z.strictObject({ kg: z.string(), cm3PerKg: z.string() }).meta({
  description: 'Length, width and height multiplied, divided by what carriers count as one kilogram: 5000 cm3.',
});

const Phone = z.strictObject({
  e164: z.string(),
  country: z
    .string()
    .optional()
    .meta({ description: 'ISO 3166 alpha-2. Absent where several countries share the range.' }),
  type: z
    .string()
    .optional()
    .meta({ description: 'Such as mobile, fixed-line or toll-free.', examples: ['mobile'] }),
});

const Country = z.strictObject({
  alpha2: z.string(),
  alpha3: z.string(),
  numeric: z.string().meta({ description: 'Three digits.', examples: ['276'] }),
  name: z.string().meta({ description: 'In English.' }),
  currency: z.string().optional().meta({ description: 'The one that most prices are in: ISO 4217.' }),
  euMember: z.boolean().meta({ description: 'Whether the country is a member state of the European Union.' }),
});

const Gtin = z.strictObject({
  gtin14: z.string(),
  kind: z.enum(GTIN_KINDS),
  issuer: z
    .strictObject({
      prefix: z.string(),
      organisation: z.string().meta({ examples: ['GS1 Germany'] }),
      countries: z.array(z.string()).meta({ description: 'The area that the organisation serves: ISO 3166 alpha-2.' }),
    })
    .optional()
    .meta({
      description:
        'The GS1 organisation that issued the prefix of the number, and the area it serves. This is NOT the country of origin: goods may be made anywhere, whoever numbered them.',
    }),
});

const Web = z.strictObject({
  host: z.string().meta({ description: 'In the form of DNS: small letters, other scripts as Punycode.' }),
  registrableDomain: z.string().meta({
    description:
      'What one owner registered, by the Public Suffix List with its private part: example.co.uk, but also shop.github.io.',
  }),
});

const Geo = z
  .strictObject({
    timeZone: z.string().meta({ description: 'IANA time zone; at sea such as Etc/GMT+3.' }),
    country: z.string().optional().meta({
      description: 'ISO 3166 alpha-2, absent at sea. A territory with a code of its own goes by that: PR, not US.',
    }),
    subdivision: z.string().optional().meta({
      description:
        'ISO 3166-2, where borders within the country are known: GB-SCT, US-HI; not the other states of the US.',
    }),
    geohash: z.string().meta({ description: 'Nine characters, a cell of about 5 m.' }),
  })
  .meta({ description: 'Borders and zones are simplified: next to one, a point may come out on the other side.' });

const Cells = z.strictObject({
  plusCode: z.string().meta({ description: 'Open Location Code of ten digits, a cell of about 14 m.' }),
  h3: z
    .strictObject({ r5: z.string(), r8: z.string() })
    .meta({ description: 'H3 cells of resolution 5 (about 250 km2) and 8 (about 0.7 km2).' }),
});

/** Names the most important fields of each type: "In a business name or address, in a product …". */
const HEAVY = RECORD_TYPES.map((type) => {
  const heavy = Object.entries(WEIGHTS[type]).flatMap(([name, weight]) => (weight === 2 ? [name] : []));
  return `in a ${type} ${heavy.join(' or ')}`;
})
  .join(', ')
  .replace(/^i/, 'I');

const Quality = z.strictObject({
  completeness: z
    .number()
    .int()
    .min(0)
    .max(100)
    .meta({
      description: `Weight of what the record holds, in percent of what a good record of its type holds; rounded down. ${HEAVY} has weight 2, and everything else that missing can name weight 1. An address needs a city or postcode; in a property a point will do.`,
    }),
  missing: z.array(z.string()).meta({ description: 'JSON pointers of what is expected and not there.' }),
});

/** The members that can be derived from a record. A member is absent where the record lacks its input. */
export const Enrichment = z.strictObject({
  area: PerArea.optional().meta({ description: 'As it was sent in its own unit, rounded to 2 digits in the other.' }),
  pricePer: PerArea.optional().meta({ description: 'Price by area, rounded to the minor digits of the currency.' }),
  pack: Pack.optional(),
  unitPrice: UnitPrice.optional(),
  volumetricWeight: VolumetricWeight.optional(),
  phone: Phone.optional().meta({ description: 'Of the first phone number, if it is valid.' }),
  country: Country.optional(),
  gtin: Gtin.optional(),
  web: Web.optional().meta({ description: 'Of the first web site, or else of the mail address.' }),
  geo: Geo.optional(),
  cells: Cells.optional(),
  quality: Quality.optional(),
  matchKeys: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'Records that share one of these are probably the same thing. They do not depend on case, accents, punctuation, the legal form of a company, or the way in which a number is written.',
      examples: [['domain:acme.com', 'phone:+4930123456']],
    }),
  contentHash: z.string().optional().meta({
    description:
      'SHA-256 of the record in canonical JSON (RFC 8785). Numbers beyond the precision of a double are taken as text.',
  }),
});
export type Enrichment = z.output<typeof Enrichment>;
