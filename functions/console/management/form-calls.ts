import { actionOf } from '#shared/audit/audit-line';

/** The operation of the management API that does what a form does. */
export interface FormCall {
  /** Its id, which is its anchor in the API reference. */
  readonly operation: string;
  readonly summary: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Its path below `/manage/v1/`; a segment in braces has the name of one in the path of the form. */
  readonly path: string;
  /** An example of its body, for forms that do not state their own. */
  readonly body?: unknown;
}

const RULE = {
  module: 'dsar',
  trigger: 'DSAR starts',
  apiConfigurationId: 'cfg_1',
  headers: { 'X-Source': 'privacy' },
  body: { request: '{{requestId}}' },
};
const CONFIGURATION = {
  name: 'Privacy desk',
  targetUrl: 'https://api.example.com/hooks',
  authentication: { type: 'bearer', token: 'SECRET' },
};
const SUBMISSION = {
  app: 'app_1',
  customer: 'cus_1',
  campaignPermalink: 'autumn-receipts',
  validationType: 'receipt',
  images: [{ id: 'front', mimeType: 'image/jpeg', size: 184_320 }],
};
const REVIEW = {
  status: 'valid',
  storeName: 'Cedar Supply Co',
  receiptDate: '2026-09-15',
  results: [{ name: 'Oak board', price: '12.50', quantity: 2, points: 10 }],
};

type Operation = readonly [summary: string, route: `${FormCall['method']} ${string}`, body?: unknown];

/**
 * The operations that forms call: the summary and the route of each, and an example of its body. A variable of the route
 * has the name of one in the path of the form.
 */
const OPERATIONS = {
  invitePerson: ['Invite a person', 'POST people', { email: 'dana@example.com', name: 'Dana', role: 'reviewer' }],
  changePerson: ['Change, disable or enable a person', 'PATCH people/{id}', { role: 'viewer' }],
  deletePerson: ['Delete a person', 'DELETE people/{id}'],
  resetPerson: ['Reset the password and the authenticator app of a person', 'POST people/{id}/reset'],
  endPersonSessions: ['Sign a person out everywhere', 'DELETE people/{id}/sessions'],
  createAccount: [
    'Create an account',
    'POST accounts',
    { name: 'Acme, Inc.', plan: 'starter', email: 'jo@example.com' },
  ],
  changeAccount: ['Change, suspend or resume an account', 'PATCH accounts/{id}', { email: 'jo@example.com' }],
  eraseAccount: ['Erase an account', 'DELETE accounts/{id}'],
  createDataToken: [
    'Create a data token',
    'POST accounts/{tenant}/data-tokens',
    { availableDownloads: 1000, planId: 'basic' },
  ],
  changeDataToken: [
    'Change the credit or plan of a data token',
    'PATCH accounts/{id}/data-tokens/{token}',
    { addDownloads: 500 },
  ],
  beginRecordUpload: [
    'Begin an upload of records',
    'POST imports/uploads',
    { type: 'businesses', name: 'businesses.csv', bytes: 1000 },
  ],
  importRecords: [
    'Import an uploaded file of records',
    'POST imports',
    {
      type: 'businesses',
      key: 'the key of beginRecordUpload',
      uploadId: 'the uploadId of beginRecordUpload',
      bytes: 1000,
      map: { columns: { Title: 'name' } },
    },
  ],
  redriveDeadLetters: ['Send all dead letters of a queue back to work', 'POST system/dead-letters/{queue}/redrive'],
  dropDeadLetter: ['Delete a dead letter', 'DELETE system/dead-letters/{queue}/{id}'],
  removeSignInLimit: ['Remove the sign-in limit of a person', 'DELETE people/{name}/sign-in-limit'],
  createApiConfiguration: ['Create an API configuration', 'POST api-configurations', CONFIGURATION],
  replaceApiConfiguration: ['Replace an API configuration', 'PUT api-configurations/{id}', CONFIGURATION],
  deleteApiConfiguration: ['Delete an API configuration', 'DELETE api-configurations/{id}'],
  testApiConfiguration: ['Send a test request', 'POST api-configurations/{id}/test', {}],
  rotateSigningSecret: ['Rotate the signing secret', 'POST api-configurations/{id}/signing-secret'],
  endPreviousSigningSecrets: [
    'End the previous signing secrets',
    'DELETE api-configurations/{id}/signing-secret/previous',
  ],
  createRule: ['Create a rule', 'POST rules', RULE],
  replaceRule: ['Replace a rule', 'PUT rules/{id}', RULE],
  deleteRule: ['Delete a rule', 'DELETE rules/{id}'],
  sendEvent: [
    'Send an event',
    'POST events',
    {
      id: 'event-1',
      module: 'dsar',
      trigger: 'DSAR starts',
      recordType: 'Request',
      recordId: 'r-1',
      data: { status: 'open' },
    },
  ],
  startBulkReplay: [
    'Replay all failed runs that match',
    'POST replays',
    { from: '2026-11-01T00:00:00Z', module: 'dsar' },
  ],
  cancelBulkReplay: ['Cancel a bulk replay', 'DELETE replays/{id}'],
  replayRun: ['Replay a failed run', 'POST runs/{id}/replay'],
  retryRun: ['Retry a waiting run now', 'POST runs/{id}/retry'],
  createPlace: [
    'Create a place',
    'POST loyalty/places',
    { id: 'space-needle', name: 'Space Needle', latitude: 47.6205, longitude: -122.3493, points: 10 },
  ],
  changePlace: ['Change a place', 'PATCH loyalty/places/{id}', { points: 20 }],
  deletePlace: ['Delete a place', 'DELETE loyalty/places/{id}'],
  createImageValidation: ['Submit images of a customer', 'POST image-validations', SUBMISSION],
  examineImageValidation: ['Examine an image validation again', 'POST image-validations/{id}/examination'],
  claimImageValidation: ['Claim an image validation', 'POST image-validations/{id}/claim'],
  releaseImageValidation: ['Release an image validation', 'DELETE image-validations/{id}/claim'],
  reviewImageValidation: ['Review an image validation', 'POST image-validations/{id}/review', REVIEW],
  deleteImageValidation: ['Erase an image validation', 'DELETE image-validations/{id}'],
  createDownloadRequest: [
    'Start a download',
    'POST requests',
    { type: 'businesses', q: 'city:austin AND categories:hotels', format: 'csv', records: 500 },
  ],
  beginPlaceUpload: ['Begin an upload of places', 'POST loyalty/imports/uploads', { name: 'places.csv', bytes: 1000 }],
  importPlaces: [
    'Import an uploaded file of places',
    'POST loyalty/imports',
    {
      key: 'the key of beginPlaceUpload',
      uploadId: 'the uploadId of beginPlaceUpload',
      bytes: 1000,
      map: { columns: { Title: 'name' } },
    },
  ],
  setSpendCap: ['Set the spend cap of an account', 'PUT accounts/{tenant}/spend-cap', { amount: '25.00' }],
  changePlan: ['Change the plan of an account', 'PUT accounts/{tenant}/plan', { plan: 'growth' }],
  createConversionKey: [
    'Create a conversion key',
    'POST accounts/{tenant}/keys',
    { mode: 'test', name: 'Checkout servers' },
  ],
  revokeConversionKey: ['Revoke a conversion key', 'DELETE accounts/{tenant}/keys/{id}'],
  createOAuthClient: ['Create a test OAuth client', 'POST accounts/{tenant}/oauth-clients'],
  revokeOAuthClient: ['Revoke an OAuth client', 'DELETE accounts/{tenant}/oauth-clients/{id}'],
  createManagementKey: [
    'Create a management key',
    'POST accounts/{tenant}/management-keys',
    { name: 'Nightly export', scopes: ['read'] },
  ],
  revokeManagementKey: ['Revoke a management key', 'DELETE accounts/{tenant}/management-keys/{id}'],
  revokeDataToken: ['Revoke a data token', 'DELETE accounts/{tenant}/data-tokens/{id}'],
  createCampaign: [
    'Create a campaign',
    'POST loyalty/campaigns',
    {
      permalink: 'autumn-receipts',
      type: 'receipt',
      name: 'Autumn receipts',
      startsAt: '2026-09-01T00:00:00-07:00',
      endsAt: '2026-12-01T00:00:00-08:00',
      country: 'US',
      currency: 'USD',
      stores: ['Cedar Supply Co'],
      pointsPerValidation: 10,
    },
  ],
  changeCampaign: ['Change a campaign', 'PATCH loyalty/campaigns/{id}', { maxAwards: 1000 }],
  deleteCampaign: ['Delete a campaign', 'DELETE loyalty/campaigns/{id}'],
  createApp: ['Create an app', 'POST loyalty/apps', { name: 'Acme Rewards', distanceUnit: 'mi', checkInsPerDay: 5 }],
  changeApp: ['Change the settings of an app', 'PATCH loyalty/apps/{id}', { cooldownSeconds: 3600 }],
  replaceAppSecret: ['Replace the secret of an app', 'POST loyalty/apps/{id}/secret'],
  deleteApp: ['Delete an app', 'DELETE loyalty/apps/{id}'],
  createCustomer: [
    'Create a customer',
    'POST loyalty/customers',
    { externalId: 'crm-4711', email: 'jo@example.com', attributes: { tier: 'gold' } },
  ],
  changeCustomer: ['Change a customer', 'PATCH loyalty/customers/{id}', { attributes: { tier: 'platinum' } }],
  deleteCustomer: ['Delete a customer', 'DELETE loyalty/customers/{id}'],
  createAdUnit: [
    'Create an ad unit',
    'POST loyalty/ad-units',
    { name: 'Summer at the tower', placeIds: ['space-needle'], endsAt: '2027-09-01T00:00:00Z' },
  ],
  changeAdUnit: ['Change an ad unit', 'PATCH loyalty/ad-units/{id}', { endsAt: null }],
  deleteAdUnit: ['Delete an ad unit', 'DELETE loyalty/ad-units/{id}'],
} as const satisfies Readonly<Record<string, Operation>>;

function to(operation: keyof typeof OPERATIONS, ownBody?: unknown): FormCall {
  const [summary, route, example]: Operation = OPERATIONS[operation];
  const [method = '', path = ''] = route.split(' ');
  const body = ownBody ?? example;
  return { operation, summary, method: method as FormCall['method'], path, ...(body !== undefined && { body }) };
}

/**
 * What each form does, by the path to which it is sent. A test compares all of it with the contract, and asks for every
 * form of the console.
 */
export const FORM_CALLS: Readonly<Record<`/console/${string}`, FormCall>> = {
  '/console/t/{tenant}/people/-/new': to('invitePerson'),
  '/console/t/{tenant}/people/{id}': to('changePerson'),
  '/console/t/{tenant}/people/{id}/delete': to('deletePerson'),
  '/console/t/{tenant}/people/{id}/reset': to('resetPerson'),
  '/console/t/{tenant}/people/{id}/sign-out': to('endPersonSessions'),
  '/console/t/{tenant}/people/{id}/disable': to('changePerson', { active: false }),
  '/console/t/{tenant}/people/{id}/enable': to('changePerson', { active: true }),
  '/console/accounts/-/new': to('createAccount'),
  '/console/accounts/{id}': to('changeAccount'),
  '/console/accounts/{id}/suspend': to('changeAccount', { active: false }),
  '/console/accounts/{id}/resume': to('changeAccount', { active: true }),
  '/console/accounts/{id}/webhooks': to('changeAccount', { apiIntegration: true }),
  '/console/accounts/{id}/erase': to('eraseAccount'),
  '/console/accounts/{id}/tokens': { ...to('createDataToken'), path: 'accounts/{id}/data-tokens' },
  '/console/accounts/{id}/tokens/{token}': to('changeDataToken'),
  '/console/imports/-/new': to('beginRecordUpload'),
  '/console/imports/-/start': to('importRecords'),
  '/console/imports/{id}/fix': to('beginRecordUpload', { type: 'businesses', name: 'corrected.ndjson', bytes: 1000 }),
  '/console/system/dead-letters/{queue}/redrive': to('redriveDeadLetters'),
  '/console/system/dead-letters/{queue}/letters/{id}/drop': to('dropDeadLetter'),
  '/console/system/sign-in-limit/unlock': to('removeSignInLimit'),
  '/console/t/{tenant}/api-configurations/new': to('createApiConfiguration'),
  '/console/t/{tenant}/api-configurations/{id}': to('replaceApiConfiguration'),
  '/console/t/{tenant}/api-configurations/{id}/delete': to('deleteApiConfiguration'),
  '/console/t/{tenant}/api-configurations/{id}/test': to('testApiConfiguration'),
  '/console/t/{tenant}/api-configurations/{id}/signing-secret': to('rotateSigningSecret'),
  '/console/t/{tenant}/api-configurations/{id}/signing-secret/previous': to('endPreviousSigningSecrets'),
  '/console/t/{tenant}/rules/new': to('createRule'),
  '/console/t/{tenant}/rules/{id}': to('replaceRule'),
  '/console/t/{tenant}/rules/{id}/delete': to('deleteRule'),
  '/console/t/{tenant}/rules/{id}/test': to('sendEvent'),
  '/console/t/{tenant}/replays/new': to('startBulkReplay'),
  '/console/t/{tenant}/replays/{id}/cancel': to('cancelBulkReplay'),
  '/console/t/{tenant}/runs/-/replay': to('replayRun'),
  '/console/t/{tenant}/runs/{id}/replay': to('replayRun'),
  '/console/t/{tenant}/runs/{id}/retry': to('retryRun'),
  '/console/t/{tenant}/places/-/new': to('createPlace'),
  '/console/t/{tenant}/places/{id}': to('changePlace'),
  '/console/t/{tenant}/places/{id}/delete': to('deletePlace'),
  '/console/t/{tenant}/images/-/new': to('createImageValidation'),
  '/console/t/{tenant}/images/{id}/examine': to('examineImageValidation'),
  '/console/t/{tenant}/images/next': to('claimImageValidation'),
  '/console/t/{tenant}/images/{id}/claim': to('claimImageValidation'),
  '/console/t/{tenant}/images/{id}/release': to('releaseImageValidation'),
  '/console/t/{tenant}/images/{id}/review': to('reviewImageValidation'),
  '/console/t/{tenant}/images/{id}/erase': to('deleteImageValidation'),
  '/console/t/{tenant}/downloads/new': to('createDownloadRequest'),
  '/console/t/{tenant}/imports/-/new': to('beginPlaceUpload'),
  '/console/t/{tenant}/imports/-/start': to('importPlaces'),
  '/console/t/{tenant}/imports/{id}/fix': to('beginPlaceUpload', { name: 'corrected.ndjson', bytes: 1000 }),
  '/console/t/{tenant}/usage/spend-cap': to('setSpendCap'),
  '/console/t/{tenant}/usage/plan': to('changePlan'),
  '/console/t/{tenant}/keys/keys': to('createConversionKey'),
  '/console/t/{tenant}/keys/keys/{id}/revoke': to('revokeConversionKey'),
  '/console/t/{tenant}/keys/oauth-clients': to('createOAuthClient'),
  '/console/t/{tenant}/keys/oauth-clients/{id}/revoke': to('revokeOAuthClient'),
  '/console/t/{tenant}/keys/management-keys': to('createManagementKey'),
  '/console/t/{tenant}/keys/management-keys/{id}/revoke': to('revokeManagementKey'),
  '/console/t/{tenant}/keys/data-tokens': to('createDataToken'),
  '/console/t/{tenant}/keys/data-tokens/{id}/revoke': to('revokeDataToken'),
  '/console/t/{tenant}/campaigns/-/new': to('createCampaign'),
  '/console/t/{tenant}/campaigns/{id}': to('changeCampaign'),
  '/console/t/{tenant}/campaigns/{id}/end': to('changeCampaign', { endsAt: '2026-12-01T00:00:00Z' }),
  '/console/t/{tenant}/campaigns/{id}/delete': to('deleteCampaign'),
  '/console/t/{tenant}/apps/-/new': to('createApp'),
  '/console/t/{tenant}/apps/{id}': to('changeApp'),
  '/console/t/{tenant}/apps/{id}/secret': to('replaceAppSecret'),
  '/console/t/{tenant}/apps/{id}/delete': to('deleteApp'),
  '/console/t/{tenant}/customers/-/new': to('createCustomer'),
  '/console/t/{tenant}/customers/{id}': to('changeCustomer'),
  '/console/t/{tenant}/customers/{id}/erase': to('deleteCustomer'),
  '/console/t/{tenant}/ad-units/-/new': to('createAdUnit'),
  '/console/t/{tenant}/ad-units/{id}': to('changeAdUnit'),
  '/console/t/{tenant}/ad-units/{id}/delete': to('deleteAdUnit'),
};

const OPERATOR_PATH = /^(accounts(\/[^/]+(\/data-tokens.*)?)?$|imports|system\/|people\/[^/]+\/sign-in-limit$)/;

/** True if only operators may make the call, and so no management key. */
export const needsOperator = ({ method, path }: FormCall): boolean =>
  OPERATOR_PATH.test(path) && !(method === 'DELETE' && path.includes('/data-tokens/'));

/** Maps actions of the audit log, such as `rules.create`, to the summaries of their calls. */
export const SUMMARIES: ReadonlyMap<string, string> = new Map(
  Object.values(FORM_CALLS).map(({ method, path, summary }) => [actionOf(`${method} /manage/v1/${path}`), summary]),
);

const PATTERNS = Object.entries(FORM_CALLS).map(([path, call]) => ({ segments: path.split('/'), call }));

/** The call of a form, with the ids of its path; an id that the form does not name is written as `ID`. */
export function callOf(action: string): FormCall | undefined {
  const segments = (action.split('?')[0] ?? '').split('/');
  // A path without a variable comes before one with: no id is `new`, `next` or `-`.
  const fitting = PATTERNS.filter(({ segments: own }) => isMatch(own, segments)).sort(
    (one, other) => variablesIn(one.segments) - variablesIn(other.segments),
  )[0];
  if (!fitting) return undefined;
  const { call, segments: own } = fitting;
  const values = new Map(own.map((name, place) => [name, segments[place] ?? '']));
  return { ...call, path: call.path.replaceAll(/\{\w+\}/g, (name) => values.get(name) ?? idName(name)) };
}

const isVariable = (segment: string) => segment.startsWith('{');
const variablesIn = (segments: readonly string[]) => segments.filter(isVariable).length;
const isMatch = (own: readonly string[], segments: readonly string[]) =>
  own.length === segments.length && own.every((part, place) => isVariable(part) || part === segments[place]);
const idName = (name: string) => name.slice(1, -1).toUpperCase();
