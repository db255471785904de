/** Screens of a tenant, in the order of the side bar: `[path below the tenant, label]`. */
export const TENANT_SCREENS = [
  { title: undefined, screens: [['', 'Overview']] },
  {
    title: 'Integrations',
    screens: [
      ['runs', 'Delivery log'],
      ['api-configurations', 'API configurations'],
      ['rules', 'Rules'],
      ['replays', 'Bulk replays'],
    ],
  },
  {
    title: 'Data',
    screens: [
      ['search', 'Search'],
      ['downloads', 'Downloads'],
    ],
  },
  {
    title: 'Loyalty',
    screens: [
      ['campaigns', 'Campaigns'],
      ['images', 'Review queue'],
      ['places', 'Places'],
      ['imports', 'Place imports'],
      ['ad-units', 'Ad units'],
      ['customers', 'Customers'],
      ['apps', 'Apps'],
      ['erasures', 'Erasures'],
    ],
  },
  {
    title: 'Account',
    screens: [
      ['usage', 'Usage and plan'],
      ['keys', 'Keys and tokens'],
      ['people', 'People'],
      ['audit', 'Audit log'],
    ],
  },
] as const satisfies readonly { title: string | undefined; screens: readonly (readonly [string, string])[] }[];

/** Screens of operators. */
export const OPERATOR_SCREENS = [
  ['/console/accounts', 'Accounts'],
  ['/console/imports', 'Record imports'],
  ['/console/audit', 'Audit log'],
  ['/console/system', 'System'],
] as const;
