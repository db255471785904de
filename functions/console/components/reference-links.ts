import type { OPERATOR_SCREENS, TENANT_SCREENS } from './navigation.ts';

type TenantScreen = (typeof TENANT_SCREENS)[number]['screens'][number][0];
type OperatorScreen = (typeof OPERATOR_SCREENS)[number][0];
type Section = readonly [anchor: string, label: string];

/** The section of `/docs/management` with the operations of each screen. The compiler asks for every screen. */
const TENANT_SECTIONS: Readonly<Record<TenantScreen, Section>> = {
  '': ['guide', 'Management API'],
  runs: ['runs', 'Runs'],
  'api-configurations': ['api-configurations', 'API configurations'],
  rules: ['rules', 'Rules'],
  replays: ['startBulkReplay', 'Bulk replays'],
  search: ['records', 'Records'],
  downloads: ['downloads', 'Downloads'],
  imports: ['place-imports', 'Place imports'],
  campaigns: ['campaigns', 'Campaigns'],
  'ad-units': ['ad-units', 'Ad units'],
  customers: ['customers', 'Customers'],
  apps: ['apps', 'Apps'],
  places: ['places', 'Places'],
  images: ['image-validations', 'Image validations'],
  erasures: ['erasures', 'Erasures'],
  usage: ['plans-and-usage', 'Plans and usage'],
  keys: ['conversion-credentials', 'Conversion credentials'],
  people: ['people', 'People'],
  audit: ['audit-records', 'Audit records'],
};

/** Some tabs have other operations than their screen. */
export const TAB_SECTIONS: Readonly<Record<string, Section>> = {
  'keys/management-keys': ['management-keys', 'Management keys'],
  'keys/data-tokens': ['data-tokens', 'Data tokens'],
};

const OPERATOR_SECTIONS: Readonly<Record<OperatorScreen, Section>> = {
  '/console/accounts': ['accounts', 'Accounts'],
  '/console/imports': ['record-imports', 'Record imports'],
  '/console/audit': ['audit-records', 'Audit records'],
  '/console/system': ['system-states', 'System states'],
};

/** The section of the screen at this path; undefined for a page that shows nothing of the API. */
export function sectionOf(path: string): Section | undefined {
  const [, , place = '', , screen = '', tab = ''] = path.replace(/[/?]*(?:\?.*)?$/, '').split('/');
  const ofTab = `${screen}/${tab}`;
  if (place === 't' && Object.hasOwn(TAB_SECTIONS, ofTab)) return TAB_SECTIONS[ofTab];
  const table: Readonly<Record<string, Section>> = place === 't' ? TENANT_SECTIONS : OPERATOR_SECTIONS;
  const key = place === 't' ? screen : `/console/${place}`;
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
