import type { SampleRequest } from '#shared/client/curl-sample';
import type { DocumentPath } from '../documents/documents.ts';

/** The guide to an interface, which people read before they look up an operation. */
export interface Guide {
  /** The last part of the path of its page. */
  readonly slug: string;
  /** A sentence for the list of interfaces. */
  readonly summary: string;
  readonly first: SampleRequest;
  /** Instructions to get a credential for the first request from a local run. */
  readonly credential: string;
  /** Headings and their text, in which backticks mark code. */
  readonly sections: readonly (readonly [heading: string, text: string])[];
}

const LOCALLY =
  'Run `npm ci && npm start`: the whole service answers at http://localhost:3000, with a demo tenant, its credentials and its data. Nothing leaves the machine. Set `API_URL=http://localhost:3000` for the samples of this page.';

const MANAGEMENT_GUIDE: Guide = {
  slug: 'management',
  summary: 'Accounts, credentials, webhooks, places, image validations, plans and usage.',
  first: { method: 'GET', path: '/manage/v1/rules', credential: 'bearer' },
  credential: 'TOKEN=$(npm run -s token -- --tenant demo)',
  sections: [
    [
      'Authentication',
      'A server sends a management key: `POST /manage/v1/accounts/{id}/management-keys` creates one with the scopes `events`, `read` or `manage`, and shows it once. A person sends the token of the console’s user pool. Both are bearer tokens. An operator, who belongs to no account, adds `?tenant=ID`.',
    ],
    [
      'Errors',
      'Errors are problem details (RFC 9457) with a stable `code`; `errors` lists all faults of the input at once, each by its JSON pointer. A resource of another account looks like one that does not exist. A request that is refused changes nothing.',
    ],
    [
      'Paging',
      'Lists take `limit` (1 to 100) and `cursor`. Follow `nextCursor`, or the header `Link`, until it is absent; a page of a filtered list may be empty although there are more.',
    ],
    [
      'Limits and retries',
      '`RateLimit-*` states how many calls an account may make, with all its people and keys: 100 a second, 400 at once. After 429 wait as long as `Retry-After` says, and a little longer at random. Repeat a GET, PUT or DELETE whose answer was lost. Send a POST with an `Idempotency-Key` of your own, and the same key with each repeat and the same credential: the first answer is kept for a day, and a repeat makes nothing. A key whose first try got lost in a fault of the service is free after a minute: then list what is there before you repeat. `POST /manage/v1/events` needs none: the `id` of an event makes it run once.',
    ],
    ['Testing locally', LOCALLY],
  ],
};

const CONVERSIONS_GUIDE: Guide = {
  slug: 'conversions',
  summary: 'Convert, normalize, validate and enrich business, product and property records.',
  first: {
    method: 'POST',
    path: '/v1/convert',
    credential: 'bearer',
    body: { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 },
  },
  credential: 'TOKEN=$(npm run -s keys -- --tenant demo)',
  sections: [
    [
      'Authentication',
      'Send a conversion key as a bearer token. Keys of the mode `test` share a pool of test requests; keys of the mode `live` count against the plan. A test OAuth client gets access tokens at `POST /oauth/token` by client credentials.',
    ],
    [
      'Errors',
      'Errors are problem details (RFC 9457) with a stable `code`. A mistake in the request counts as a conversion; a fault of the service, a missing credential and a limit do not. In a list each item has its own status, and the answer is 200 as soon as one item went well.',
    ],
    [
      'Limits',
      'Every answer to a known caller tells the limits: `RateLimit-*` the requests per second, `X-Quota-*` the conversions of the period. 429 with `rate-limited` has `Retry-After`; `quota-exceeded` says in its body when the quota resets.',
    ],
    [
      'Retries',
      'Send an `Idempotency-Key` with each POST, and the same key with each repeat: the first answer is kept for a day and a repeat is not counted. Repeat after 429 with `Retry-After`, after 503 and after a lost connection.',
    ],
    [
      'Scripts in browsers',
      'A script may read answers if the account lists its origin as `allowedOrigins`; none is listed at first. Whoever can read the script can read its credential.',
    ],
    ['Testing locally', LOCALLY],
  ],
};

const DATA_GUIDE: Guide = {
  slug: 'records',
  summary: 'Search business, product and property records, and download them in bulk.',
  first: { method: 'GET', path: '/v3/data/businesses?q=name:hotel&records=1', credential: 'basic' },
  credential: 'USER=demo-token PASSWORD=',
  sections: [
    ['Authentication', 'HTTP Basic: the data token is the user, and the password is empty.'],
    [
      'Searching',
      '`q` is a query by fields, such as `name:hotel AND province:TX`. A search without `download` is a free preview: the first records and how many there are. `view` selects the fields.',
    ],
    [
      'Downloading',
      'With `download=true` the answer is 303 to a request. Poll it, with growing pauses, until its status is COMPLETED; then it lists the links of the files, which are valid for 7 days. Records are paid once, when they are found.',
    ],
    [
      'Errors',
      'An error has `error` and, but for 400 and 403, `message` and `code`. 401: the token is wrong. 400 and 403: the query, the view or the credits; the text says which.',
    ],
    [
      'Limits and retries',
      'Previews show a token so many different records on a day. 429 has `Retry-After`. A GET can be repeated, but each with `download=true` begins another download: look at `GET /v3/requests` first.',
    ],
    [
      'Scripts in browsers',
      'A script may read answers if the account lists its origin as `allowedOrigins`; none is listed at first. Whoever can read the script can read its credential.',
    ],
    ['Testing locally', LOCALLY],
  ],
};

const LOYALTY_GUIDE: Guide = {
  slug: 'loyalty',
  summary: 'Places with check-ins, and the validation of receipts and photos, for apps.',
  first: {
    method: 'GET',
    path: '/priv/v1/apps/demo-app/external/users/demo-external/places?location%5Blatitude%5D=47.6205&location%5Blongitude%5D=-122.3493',
    credential: 'basic',
  },
  credential: 'USER=demo-app PASSWORD=demo-secret',
  sections: [
    [
      'Authentication',
      'A server calls `/priv/v1` with HTTP Basic: the key of the app and its secret. The path names the customer, by id or by external id. An app on a phone calls `/api/v1` with the `auth_token` of the customer.',
    ],
    [
      'Errors',
      'A call that was carried out answers 200 even if its outcome is negative: read `status`, which is `ok` or `error`. An error has `errors.code`, which is stable, and `errors.message`.',
    ],
    [
      'Limits',
      'The gateway admits so many calls of a route in a second; a 429 has no `status`: wait a second, and a little longer at random. What a customer may do in a day is told by `state` of a place and by the codes of a submission.',
    ],
    ['Retries', 'Send an `Idempotency-Key` with a submission of images, and the same key with each repeat.'],
    [
      'Deprecation',
      'New integrations are discouraged, and the header `Deprecation` says since when (RFC 9745). Apps that use the interface go on working. An owner who welcomes new integrations leaves `loyaltyDeprecatedSince` blank in `cdk/settings.ts`; the header is gone then.',
    ],
    [
      'Scripts in browsers',
      'A script may read answers of `/api/v1` if the account of the app lists its origin as `allowedOrigins`. `/priv/v1` takes the secret of the app, which does not belong into a browser.',
    ],
    ['Testing locally', LOCALLY],
  ],
};

/** The guide of each document. */
export const GUIDES: Readonly<Record<DocumentPath, Guide>> = {
  '/v1/openapi.json': CONVERSIONS_GUIDE,
  '/manage/v1/openapi.json': MANAGEMENT_GUIDE,
  '/v3/openapi.json': DATA_GUIDE,
  '/loyalty/openapi.json': LOYALTY_GUIDE,
};
