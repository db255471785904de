import { CHECK, INTEGER, TEXT } from '../resources/field-kinds.ts';
import type { FormField, FormSection } from '../resources/form-fields.ts';
import type { Resource } from '../resources/resource.ts';
import { App } from './app-answers.ts';

const whole = (name: keyof App, label: string, initial: string, hint?: string): FormField => ({
  name,
  label,
  kind: INTEGER,
  initial,
  isRequired: true,
  ...(hint !== undefined && { hint }),
});

const access: readonly FormField[] = [
  {
    name: 'placesEnabled',
    label: 'Places',
    kind: CHECK,
    control: 'check',
    initial: 'on',
    hint: 'The app may list places and check in.',
  },
  {
    name: 'imagesEnabled',
    label: 'Image validation',
    kind: CHECK,
    control: 'check',
    initial: 'on',
    hint: 'The app may submit receipts and images.',
  },
];

const places: FormSection['rows'] = [
  {
    name: 'distanceUnit',
    label: 'Distance unit',
    kind: TEXT,
    options: [
      ['km', 'Kilometres'],
      ['mi', 'Miles'],
    ],
    initial: 'km',
  },
  [
    whole('radiusMeters', 'Radius (m)', '5000', 'Used when a request states none.'),
    whole('limit', 'Limit', '20', 'Places of a list, when a request states none.'),
  ],
  [
    whole('acceptedDistanceMeters', 'Check-in radius (m)', '100', 'Of places that state none.'),
    whole('cooldownSeconds', 'Cooldown (seconds)', '86400', 'Between two check-ins of a customer at one place.'),
  ],
  [
    whole('checkInsPerDay', 'Check-ins per day', '10', 'Per customer and UTC day.'),
    whole('checkInsPerBrandAndDay', 'Check-ins per brand and day', '0', '0 means no limit.'),
  ],
];

const images: readonly FormField[] = [
  whole('imagesPerRecord', 'Images per record', '10', 'At most 40.'),
  whole('submissionsPerDay', 'Records per day', '20', 'Per customer and UTC day.'),
];

export const APPS: Resource<App> = {
  path: 'apps',
  apiPath: 'loyalty/apps',
  title: 'Apps',
  one: 'app',
  lead: 'Applications and sites that call the loyalty API.',
  answer: App,
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  sections: [
    { rows: [{ name: 'name', label: 'App name', kind: TEXT, isRequired: true, maxLength: 100 }, ...access] },
    { title: 'Places', rows: places },
    { title: 'Image validation', rows: [images] },
  ],
  deletion: 'Calls with its API key are refused within ten seconds. Customers, check-ins and records stay.',
};
