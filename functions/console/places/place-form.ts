import { CHECK, type FieldKind, INTEGER, OPTIONAL_INTEGER, OPTIONAL_TEXT, TEXT } from '../resources/field-kinds.ts';
import type { Resource } from '../resources/resource.ts';
import { Place } from './place-answers.ts';

const degrees = (example: number): FieldKind => ({
  textOf: INTEGER.textOf,
  valueIn: (text) =>
    /^[-+]?\d{1,9}(\.\d{1,20})?$/.test(text)
      ? { value: Number(text) }
      : { wrong: `Enter degrees as a number, such as ${example}` },
});

export const PLACES: Resource<Place> = {
  path: 'places',
  apiPath: 'loyalty/places',
  title: 'Places',
  one: 'place',
  lead: 'Places at which customers can check in.',
  answer: Place,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  sections: [
    {
      rows: [
        { name: 'name', label: 'Name', kind: TEXT, isRequired: true, maxLength: 200 },
        {
          name: 'id',
          label: 'Id',
          kind: OPTIONAL_TEXT,
          hint: "Letters, digits, - and _. Leave empty to generate. It can't be changed later.",
          maxLength: 64,
          isFinal: true,
        },
        [
          { name: 'latitude', label: 'Latitude', kind: degrees(47.6205), hint: '-90 to 90', isRequired: true },
          { name: 'longitude', label: 'Longitude', kind: degrees(-122.3493), hint: '-180 to 180', isRequired: true },
        ],
        { name: 'address', label: 'Address', kind: TEXT, maxLength: 300 },
        [
          { name: 'city', label: 'City', kind: TEXT, maxLength: 100 },
          { name: 'state', label: 'State or region', kind: TEXT, maxLength: 100 },
        ],
        [
          {
            name: 'brand',
            label: 'Brand',
            kind: TEXT,
            hint: 'Places of a brand share its check-in limit.',
            maxLength: 100,
          },
          { name: 'points', label: 'Points per check-in', kind: INTEGER, initial: '0' },
        ],
        {
          name: 'acceptedDistanceMeters',
          label: 'Check-in radius (m)',
          kind: OPTIONAL_INTEGER,
          hint: "1 to 50,000. Leave empty to use the app's default.",
        },
        { name: 'icon', label: 'Icon URL', kind: TEXT, control: 'url', hint: 'A picture for apps.', maxLength: 1_000 },
        {
          name: 'closed',
          label: 'Closed',
          kind: CHECK,
          control: 'check',
          hint: "The place stays listed, but customers can't check in.",
        },
      ],
    },
  ],
  codes: { 'place-exists': 'id' },
  deletion: "Customers no longer see it and can't check in. Past check-ins and points stay.",
};
