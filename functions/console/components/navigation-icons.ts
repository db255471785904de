import type { IconName } from './icon.tsx';
import type { OPERATOR_SCREENS, TENANT_SCREENS } from './navigation.ts';

type TenantScreen = (typeof TENANT_SCREENS)[number]['screens'][number][0];
type OperatorScreen = (typeof OPERATOR_SCREENS)[number][0];

/** The icon of each screen in the side bar. The compiler asks for every screen. */
export const SCREEN_ICONS: Readonly<Record<TenantScreen | OperatorScreen, IconName>> = {
  '': 'overview',
  runs: 'log',
  'api-configurations': 'configuration',
  rules: 'rule',
  replays: 'bulk-replay',
  search: 'search',
  downloads: 'down',
  imports: 'import',
  campaigns: 'campaign',
  images: 'review',
  places: 'place',
  'ad-units': 'ad-unit',
  customers: 'customer',
  apps: 'app',
  erasures: 'erasure',
  usage: 'usage',
  keys: 'key',
  people: 'person',
  audit: 'audit',
  '/console/accounts': 'account',
  '/console/imports': 'import',
  '/console/audit': 'audit',
  '/console/system': 'system',
};
