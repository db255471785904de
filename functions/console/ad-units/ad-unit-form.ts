import { LINES, OPTIONAL_TIME, TEXT } from '../resources/field-kinds.ts';
import type { Resource } from '../resources/resource.ts';
import { AdUnit } from './ad-unit-answers.ts';

export const AD_UNITS: Resource<AdUnit> = {
  path: 'ad-units',
  apiPath: 'loyalty/ad-units',
  title: 'Ad units',
  one: 'ad unit',
  lead: 'Advertisements that promote places for a time.',
  answer: AdUnit,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  sections: [
    {
      rows: [
        { name: 'name', label: 'Ad unit name', kind: TEXT, isRequired: true, maxLength: 200 },
        [
          {
            name: 'startsAt',
            label: 'Starts at (UTC)',
            kind: OPTIONAL_TIME,
            control: 'time',
            hint: 'Leave empty to start at once.',
          },
          {
            name: 'endsAt',
            label: 'Ends at (UTC)',
            kind: OPTIONAL_TIME,
            control: 'time',
            hint: 'Leave empty to run without an end.',
          },
        ],
        {
          name: 'placeIds',
          label: 'Places',
          kind: LINES,
          control: 'area',
          hint: 'Ids of places, one per line, at most 1,000.',
          isRequired: true,
        },
      ],
    },
  ],
  codes: { 'unknown-place': 'placeIds' },
  deletion: 'Lists no longer promote its places. The places stay.',
};
