import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { routeKeysOf } from '../../cdk/constructs/functions/handler-routes.ts';
import { throttleOf } from '../../cdk/constructs/route-throttles.ts';
import { PRICES } from '../../cdk/cost/prices.ts';
import { DOMAIN_NAMES, settingsOf } from '../../cdk/settings.ts';
import { accessLine, FUNCTION_LINES, requestLine } from '../bench/records/platform-lines.ts';
import { localFunctions } from '../support/cloud/local-assembly.ts';

const README = readFileSync(join(import.meta.dirname, '..', '..', 'cdk', 'README.md'), 'utf8');
const settings = settingsOf(new App({ context: { stage: 'prod', alarmsTo: 'nobody' } }));

/** A function that a request runs. The time of a processor is a bound, far above what was measured. */
interface Run {
  readonly handler: string;
  readonly cpuMillis: number;
  /** Waits for tables, of 5 ms each, or for the user pool, of 200 ms. */
  readonly waitMillis?: number;
}

interface OutsideRequest {
  readonly what: string;
  /** Absent where no route takes the request. */
  readonly route?: string;
  /** The gateway bills a request by 512 KB of its body. */
  readonly bodyBytes?: number;
  readonly runs: readonly Run[];
  readonly readUnits?: number;
  readonly writeUnits?: number;
  /** A PUT to S3, which passes no gateway. */
  readonly isUpload?: boolean;
}

const KB = 1_024;
/** Measured: 0.05 ms for a refusal, 9 ms for an event of 6 MB. */
const REFUSAL_MILLIS = 1;
const LARGE_BODY_MILLIS = 20;
const PAGE_MILLIS = 5;
const TABLE_CALL_MILLIS = 5;
const SIGN_IN_MILLIS = 200;

const refusal = (handler: string, tableCalls = 0): Run => ({
  handler,
  cpuMillis: REFUSAL_MILLIS,
  waitMillis: tableCalls * TABLE_CALL_MILLIS,
});

const REQUESTS: readonly OutsideRequest[] = [
  { what: 'path that no route takes (`/x`, `OPTIONS /console/x`): 404', runs: [] },
  {
    what: 'unknown path, unknown data token',
    route: 'ANY /v3/{proxy+}',
    runs: [refusal('edge/unknown-routes', 1)],
    readUnits: 1,
  },
  {
    what: '`OPTIONS`, or an unknown path without a credential',
    route: 'ANY /v3/{proxy+}',
    runs: [refusal('edge/unknown-routes')],
  },
  { what: 'unknown path', route: 'ANY /priv/{proxy+}', runs: [refusal('edge/unknown-routes')] },
  {
    what: 'unknown data token',
    route: 'GET /v3/data/{type}',
    runs: [refusal('records/search/search-data', 1)],
    readUnits: 1,
  },
  {
    what: 'unknown app key',
    route: 'GET /priv/v1/apps/{api_key}/places',
    runs: [refusal('places/listing/list-places', 1)],
    readUnits: 1,
  },
  {
    what: 'unknown app key',
    route: 'GET /api/v1/apps/{api_key}/places',
    runs: [refusal('places/listing/list-places', 1)],
    readUnits: 1,
  },
  { what: 'forged conversion key', route: 'POST /v1/convert', runs: [refusal('conversions/convert/convert')] },
  {
    what: 'forged management key, another one each time',
    route: 'GET /manage/v1/rules',
    runs: [{ handler: 'edge/authorize-managers', cpuMillis: 5 }, refusal('webhooks/rules/rules')],
  },
  {
    what: 'sign-in with a wrong password',
    route: 'POST /console/sign-in',
    runs: [
      {
        handler: 'console/serving/console',
        cpuMillis: PAGE_MILLIS,
        waitMillis: SIGN_IN_MILLIS + 2 * TABLE_CALL_MILLIS,
      },
    ],
    readUnits: 3,
    writeUnits: 6,
  },
  { what: 'forged client secret', route: 'POST /oauth/token', runs: [refusal('conversions/oauth/token')] },
  {
    what: 'body of 5.9 MB: 413 by the function',
    route: 'POST /v1/convert',
    bodyBytes: 5.9 * KB * KB,
    runs: [{ handler: 'conversions/convert/convert', cpuMillis: LARGE_BODY_MILLIS }],
  },
  { what: 'body of 10 MB: 413 by the gateway', route: 'POST /v1/convert', bodyBytes: 10 * KB * KB, runs: [] },
  {
    what: 'page of the console, or one of its files',
    route: 'GET /console/{proxy+}',
    runs: [{ handler: 'console/serving/console', cpuMillis: PAGE_MILLIS }],
  },
  {
    what: 'PUT to an upload link whose image has come',
    isUpload: true,
    runs: [
      { handler: 'images/submissions/receive-uploads', cpuMillis: PAGE_MILLIS, waitMillis: 3 * TABLE_CALL_MILLIS },
    ],
    readUnits: 1,
  },
];

const MILLION = 1e6;
const MONTH_SECONDS = 30 * 86_400;
/** The requests that S3 accepts below one prefix. A link is valid for an hour. */
const UPLOADS_PER_SECOND = 3_500;
const UPLOAD_SECONDS = 3_600;
const PROCESSOR_MIB = 1_769;
/** The sampler of Lambda takes one call in twenty, besides the first of each second. */
const TRACED = 0.05;

interface Deployed {
  readonly memoryMiB: number;
  readonly isTraced: boolean;
}
let functions: ReadonlyMap<string, Deployed>;
beforeAll(async () => {
  functions = new Map(
    (await localFunctions()).map(({ Properties }) => [
      String(Properties['Description']).split('. ')[0] ?? '',
      { memoryMiB: Properties['MemorySize'], isTraced: Properties['TracingConfig']?.Mode === 'Active' },
    ]),
  );
});

function deployed(handler: string): Deployed {
  const one = functions.get(handler);
  if (!one) throw new Error(`There is no function ${handler}.`);
  return one;
}

const { perUnit } = PRICES;

function gigabyteSeconds({ handler, cpuMillis, waitMillis = 0 }: Run): number {
  const { memoryMiB } = deployed(handler);
  const billedMillis = Math.ceil(cpuMillis / Math.min(1, memoryMiB / PROCESSOR_MIB) + waitMillis);
  return (billedMillis / 1_000) * (memoryMiB / KB);
}

/** Dollars for a million. */
function priceOf({
  route = '-',
  bodyBytes = 0,
  runs,
  readUnits = 0,
  writeUnits = 0,
  isUpload = false,
}: OutsideRequest) {
  const logged = runs.filter(({ handler }) => deployed(handler).isTraced);
  const lines = [
    ...(isUpload ? [] : [accessLine(route)]),
    ...logged.flatMap(({ handler }) => [...FUNCTION_LINES, requestLine(route, handler.split('/')[0] ?? '')]),
  ];
  const logBytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  const sum = (each: (run: Run) => number) => runs.reduce((total, run) => total + each(run), 0);
  const api = isUpload ? 0 : Math.max(1, Math.ceil(bodyBytes / (512 * KB))) * perUnit.httpApiRequest;
  const lambda = sum((run) => perUnit.lambdaRequest + gigabyteSeconds(run) * perUnit.lambdaGigabyteSecond);
  const table = readUnits * perUnit.dynamoDbReadUnit + writeUnits * perUnit.dynamoDbWriteUnit;
  // The object is put, looked at and deleted; its announcement is sent, received and deleted.
  const upload = isUpload ? perUnit.s3Put + perUnit.s3Get + perUnit.s3Free + 3 * perUnit.sqsRequest : 0;
  const logs = (logBytes / 1e9) * perUnit.logGigabyte + logged.length * TRACED * perUnit.xrayTrace;
  const parts = [api, lambda, table + upload, logs].map((one) => one * MILLION);
  return { parts, total: parts.reduce((total, one) => total + one, 0) };
}

const amountText = (dollars: number) =>
  dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function rowOf(request: OutsideRequest): string {
  const { what, route } = request;
  const { parts, total } = priceOf(request);
  const cells = [
    what,
    route ? `\`${route}\`` : '',
    ...parts.map(amountText),
    amountText(total),
    ...boundOf(request, total),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The limit of a request, and its cost at that limit for a whole month. */
function boundOf({ route, isUpload }: OutsideRequest, total: number): [string, string] {
  const whole = (dollars: number) => Math.round(dollars).toLocaleString('en-US');
  if (isUpload) {
    const hour = whole((UPLOADS_PER_SECOND * UPLOAD_SECONDS * total) / MILLION);
    return [`S3: ${UPLOADS_PER_SECOND.toLocaleString('en-US')} a second`, `${hour} in the hour of the link`];
  }
  if (route === undefined) return ["the account's own limit", ''];
  const own = throttleOf(route, settings);
  const ratePerSecond = own?.ratePerSecond ?? settings.apiRatePerSecond;
  return [
    `${ratePerSecond.toLocaleString('en-US')} a second${own ? '' : ', all such routes together'}`,
    whole((ratePerSecond * MONTH_SECONDS * total) / MILLION),
  ];
}

describe('what an outsider can make the owner pay', () => {
  it('is what the guide says, by the price list, the templates and the throttles', () => {
    const table = REQUESTS.map(rowOf).join('\n');
    expect(README, `The table must be:\n${table}`).toContain(`|---|---|---|---|---|---|---|---|---|\n${table}\n`);
  });

  it('is stated of routes that exist', () => {
    const routes = routeKeysOf(DOMAIN_NAMES);
    for (const { route } of REQUESTS) if (route !== undefined) expect(routes).toContain(route);
  });

  it('is bounded by a throttle of its own wherever it writes to a table', () => {
    const writing = REQUESTS.filter(({ writeUnits = 0 }) => writeUnits > 0);
    expect(writing.map(({ route = '' }) => throttleOf(route, settings))).toEqual([settings.routeThrottles.signIn]);
  });
});
