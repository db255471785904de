import {
  CHECK,
  type FieldKind,
  INTEGER,
  LINES,
  OPTIONAL_AMOUNT,
  OPTIONAL_INTEGER,
  rowsOf,
  TEXT,
  TIME,
} from '../resources/field-kinds.ts';
import type { FormField, FormSection } from '../resources/form-fields.ts';
import type { Resource } from '../resources/resource.ts';
import { Campaign } from './campaign-answers.ts';

type Product = Campaign['products'][number];

/** The products of a campaign: `Oak board; 5; 012345678905`. */
const PRODUCTS = rowsOf(
  ([name = '', points = '', upc = '', ...more]) => {
    if (name === '' || !/^\d{1,7}$/.test(points) || more.length > 0) {
      return { wrong: 'Enter a name and points, separated by a semicolon, such as Oak board; 5' };
    }
    return { value: { name, points: Number(points), ...(upc !== '' && { upc }) } };
  },
  (row) => {
    const { name, points, upc } = row as Product;
    return [name, points, ...(upc === undefined ? [] : [upc])].join('; ');
  },
);

const PERMALINK_MAX = 100;

/** The permalink for a name: `autumn-receipts` for "Autumn receipts". Empty if it has no letter from a to z and no digit. */
const permalinkOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, PERMALINK_MAX)
    .replace(/-$/, '');

const identity: readonly FormField[] = [
  {
    name: 'permalink',
    label: 'Campaign permalink',
    kind: TEXT,
    hint: "Apps refer to the campaign by it: lower-case letters, digits and hyphens. Leave empty to derive it from the name. It can't be changed later.",
    derived: ({ name = '' }) => permalinkOf(name),
    isFinal: true,
    maxLength: PERMALINK_MAX,
  },
  {
    name: 'type',
    label: 'Validation type',
    kind: TEXT,
    options: [
      ['receipt', 'Receipt'],
      ['image', 'Image'],
    ],
    hint: "What customers submit. It can't be changed later.",
    isFinal: true,
    initial: 'receipt',
  },
];

const dates: readonly FormField[] = [
  { name: 'startsAt', label: 'Starts at (UTC)', kind: TIME, control: 'time', isRequired: true },
  { name: 'endsAt', label: 'Ends at (UTC)', kind: TIME, control: 'time', isRequired: true },
];

/** A code of capital letters, however it is typed. */
const CAPITALS: FieldKind = { ...TEXT, valueIn: (text) => ({ value: text.toUpperCase() }) };

const locale: readonly FormField[] = [
  {
    name: 'country',
    label: 'Country',
    kind: CAPITALS,
    hint: 'Two letters, such as US. It decides how dates and amounts are read.',
    isRequired: true,
    maxLength: 2,
    initial: 'US',
  },
  {
    name: 'currency',
    label: 'Currency',
    kind: CAPITALS,
    hint: 'Three letters, such as USD.',
    isRequired: true,
    maxLength: 3,
    initial: 'USD',
  },
];

const contents: readonly FormField[] = [
  { name: 'stores', label: 'Stores', kind: LINES, control: 'area', hint: 'One per line. Leave empty for any store.' },
  {
    name: 'products',
    label: 'Products',
    kind: PRODUCTS,
    control: 'area',
    hint: 'One per line: name; points per unit; bar code (may be left out). Leave empty for any purchase.',
  },
  {
    name: 'regions',
    label: 'Regions',
    kind: LINES,
    control: 'area',
    hint: 'States, or beginnings of postal codes, one per line. Leave empty for any region.',
  },
];

const awards: FormSection['rows'] = [
  {
    name: 'pointsPerValidation',
    label: 'Points per validation',
    kind: INTEGER,
    hint: 'In addition to the points of its products.',
    initial: '0',
  },
  [
    {
      name: 'maxAwards',
      label: 'Max awards',
      kind: OPTIONAL_INTEGER,
      hint: 'Of all customers together. Awards made while there was no limit are not counted. Leave empty for no limit.',
    },
    {
      name: 'awardsPerCustomer',
      label: 'Max awards per customer',
      kind: OPTIONAL_INTEGER,
      hint: 'Leave empty for no limit.',
    },
  ],
  {
    name: 'receiptsOnce',
    label: 'A receipt or image counts once',
    kind: TEXT,
    options: [
      ['campaign', 'In this campaign'],
      ['tenant', 'In all campaigns of the account'],
    ],
    initial: 'campaign',
  },
];

/** True, false, or null for the default of the country. */
const DECIDES_ALONE: FieldKind = {
  textOf: (value) => (typeof value === 'boolean' ? String(value) : ''),
  valueIn: (text) => ({ value: text === '' ? null : text === 'true' }),
};

const reviews: readonly FormField[] = [
  {
    name: 'decidesAlone',
    label: 'Receipts without any doubt',
    kind: DECIDES_ALONE,
    options: [
      ['', 'Automatic in tested countries, by a person elsewhere'],
      ['true', 'Automatic'],
      ['false', 'By a person'],
    ],
    hint: 'There is no doubt if lines and total agree, and day and store fit the campaign. Tested so far: Malaysia.',
  },
  {
    name: 'reviewAboveTotal',
    label: 'Review receipts above',
    kind: OPTIONAL_AMOUNT,
    hint: 'A person decides receipts whose total is higher. Leave empty for no limit.',
  },
  {
    name: 'reviewsEveryImage',
    label: 'A person decides every image',
    kind: CHECK,
    control: 'check',
    hint: 'No program can tell whether an image suits the campaign.',
    initial: 'on',
  },
];

export const CAMPAIGNS: Resource<Campaign> = {
  path: 'campaigns',
  apiPath: 'loyalty/campaigns',
  title: 'Campaigns',
  one: 'campaign',
  lead: 'Campaigns for which customers submit receipts or images.',
  answer: Campaign,
  idOf: ({ permalink }) => permalink,
  nameOf: ({ name }) => name,
  sections: [
    {
      rows: [
        { name: 'name', label: 'Campaign name', kind: TEXT, isRequired: true, maxLength: 200 },
        ...identity,
        dates,
        locale,
      ],
    },
    { title: 'What counts', rows: contents },
    { title: 'Awards', rows: awards },
    { title: 'Reviews', rows: reviews },
  ],
  codes: { 'permalink-taken': 'permalink' },
  hasRevision: true,
  deletion: 'Apps can no longer submit to the campaign. Its records and the points that were earned stay.',
};
