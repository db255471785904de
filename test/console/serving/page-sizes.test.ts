import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Assets } from '../../../functions/console/assets/asset-paths.ts';
import type { Management } from '../../../functions/console/management/management.ts';
import { Form } from '../../../functions/console/pages/form.ts';
import type { Screen } from '../../../functions/console/pages/screen.ts';
import { deliveryLog } from '../../../functions/console/runs/delivery-log.screen.tsx';
import { runScreen } from '../../../functions/console/runs/run.screen.tsx';
import type { Attempt, Run, RunDetails } from '../../../functions/console/runs/run-answers.ts';
import { recordScreen } from '../../../functions/console/search/record.screen.tsx';
import { searchScreen } from '../../../functions/console/search/search.screen.tsx';
import { type Presenting, presentAnswer, presentAsset } from '../../../functions/console/serving/present.tsx';
import type { OwnSecondFactor } from '../../../functions/console/sessions/second-factor.ts';
import { compressed } from '../../../shared/http/compressed.ts';
import type { HttpEvent, HttpResult } from '../../../shared/http/http-handler.ts';

const FIRST_VISIT_MAX = 110_000;
const ROOT = join(import.meta.dirname, '..', '..', '..');
const fileOf = (path: string) => readFileSync(join(ROOT, path));
const presenting: Presenting = {
  productName: 'Console',
  assets: new Assets({
    'console.css': { type: 'text/css', bytes: fileOf('functions/console/assets/console.css') },
    'page-script.js': {
      type: 'text/javascript',
      bytes: Buffer.concat(
        ['page-script.js', 'upload-script.js', 'completion-script.js'].map((name) =>
          fileOf(`functions/console/assets/${name}`),
        ),
      ),
    },
    'logo.svg': { type: 'image/svg+xml', bytes: fileOf('functions/console/assets/logo.svg') },
    'inter.woff2': {
      type: 'font/woff2',
      bytes: fileOf('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
    },
  }),
  headers: { imageOrigins: [], uploadOrigins: [] },
};
const NOW = Date.UTC(2026, 10, 23);
const person = { name: 'demo', subject: 'demo', tenant: 'demo', isOperator: true };

/** Text that no compression makes smaller by more than a quarter. */
const text = (characters: number) => randomBytes(characters).toString('base64').slice(0, characters);

const eventOf = (rawPath: string) =>
  ({
    rawPath,
    rawQueryString: '',
    headers: { 'accept-encoding': 'br' },
    requestContext: { http: { method: 'GET' } },
  }) as unknown as HttpEvent;

const secondFactor: OwnSecondFactor = {
  isRequired: false,
  mayChange: true,
  isOn: async () => false,
  refusalOf: async () => undefined,
  newSecret: async () => 'A'.repeat(52),
  confirm: async () => false,
  turnOff: async () => undefined,
};

/** The bytes of an answer as the gateway sends it. */
function bytesOf(answer: HttpResult): number {
  const { body = '', isBase64Encoded = false } = compressed(eventOf(''), answer);
  return Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
}

/** The bytes of a page whose API answers so, with all that the page needs. */
async function firstVisit(screen: Screen, path: Readonly<Record<string, string>>, answers: Record<string, unknown>) {
  const management: Management = {
    get: async (asked, answer) => answer.parse(answers[asked]),
    send: async () => {
      throw new Error('Nothing is sent.');
    },
    put: async () => {
      throw new Error('Nothing is put.');
    },
  };
  const url = '/console/t/demo/here';
  const own = { secondFactor, password: { change: async () => ({ kind: 'wrong' }) as const } };
  const visit = { person, tenant: 'demo', management, path, form: new Form(''), url, now: NOW, ...own };
  const answer = await screen({ ...visit, query: new URLSearchParams({ q: 'a', type: 'products' }) });
  const view = { person, tenant: 'demo', now: NOW, newFormToken: () => text(64) };
  const page = presentAnswer(presenting, { event: eventOf(url), view, answer });
  const { assets } = presenting;
  const files = (['console.css', 'page-script.js', 'logo.svg', 'inter.woff2'] as const).map((name) =>
    presentAsset(presenting, eventOf(assets.path(name))),
  );
  return [page, ...files].reduce((sum, one) => sum + bytesOf(one ?? {}), 0);
}

const run = (n: number): Run => ({
  id: `run_${text(20)}`,
  record: text(200),
  apiConfigurationId: `cfg_${text(20)}`,
  apiConfigurationName: text(100),
  ruleId: `rule_${text(20)}`,
  eventId: text(100),
  module: 'dsar',
  moduleName: 'Data subject requests',
  trigger: text(100),
  status: 'FAILED',
  attempts: 20,
  maxAttempts: 20,
  responseCode: 503,
  error: 'http_status',
  triggeredAt: new Date(NOW - n * 60_000).toISOString(),
  completedAt: new Date(NOW).toISOString(),
  durationMs: 60_000,
  nextAttemptAt: null,
  waitsForEndpoint: false,
  paused: false,
  idempotencyKey: text(36),
  replayOf: null,
  bulkReplay: null,
  replays: 0,
  resolved: false,
  resolvedBy: null,
});

const attempt = (n: number): Attempt => ({
  attempt: Math.floor(n / 3) + 1,
  part: n % 3,
  // The longest that fits: shown with every attempt once it has changed.
  targetUrl: `https://example.com/${String(n).padStart(2_000, 'x')}`,
  startedAt: new Date(NOW - n * 1_000).toISOString(),
  outcome: 'http_status',
  responseCode: 503,
  responseBody: text(16_384),
  responseBodyEncoding: 'utf8',
  responseBodyTruncated: true,
  late: false,
  timings: { dnsMillis: 1, connectMillis: n, tlsMillis: n * 7, firstByteMillis: n * 11, totalMillis: n * 20 },
});

describe('a first visit is small, whatever there is to show', () => {
  it('of a run with 60 lines of answers and a large payload', async () => {
    const details = (payload: string): RunDetails => ({
      ...run(1),
      targetUrl: `https://example.com/${text(2_000)}`,
      payload,
      headers: Array.from({ length: 20 }, () => ({ name: text(40), value: text(200) })),
      attemptLog: Array.from({ length: 60 }, (_, n) => attempt(n)),
    });
    const replays = { items: Array.from({ length: 3 }, (_, n) => run(n)) };
    for (const payload of [text(256_000), text(16_000)]) {
      const answers = { 'runs/one': details(payload), runs: replays };
      expect(await firstVisit(runScreen, { id: 'one' }, answers)).toBeLessThan(FIRST_VISIT_MAX);
    }
  });

  it('of a delivery log whose names are as long as they may be', async () => {
    const named = { items: Array.from({ length: 100 }, () => ({ id: `cfg_${text(20)}`, name: text(100) })) };
    const runs = { items: Array.from({ length: 50 }, (_, n) => run(n)), nextCursor: text(400) };
    const account = { active: true, apiIntegration: false };
    const answers = { runs, modules: named, 'api-configurations': named, 'accounts/demo': account };
    expect(await firstVisit(deliveryLog, {}, answers)).toBeLessThan(FIRST_VISIT_MAX);
  });

  it('of records with a long text in every field', async () => {
    const names = ['name', 'brand', 'categories', 'address', 'city', 'description'];
    const record = () => ({
      id: text(100),
      ...Object.fromEntries(names.map((name) => [name, [text(20_000), text(20_000)]])),
      reviews: Array.from({ length: 1_000 }, () => ({ text: text(500), rating: 5 })),
    });
    const found = { estimatedTotal: 10, records: Array.from({ length: 10 }, record) };
    const answers = {
      schemas: { items: ['businesses', 'products', 'properties'].map((type) => ({ type })) },
      'schemas/products': { type: 'products', fields: [], views: [{ name: 'all', fields: names }] },
      'data/products/facets': { estimatedTotal: 0, sampled: 0, facets: [] },
      'data/products': found,
    };
    expect(await firstVisit(searchScreen, {}, answers)).toBeLessThan(FIRST_VISIT_MAX);
    expect(await firstVisit(recordScreen, { type: 'products' }, answers)).toBeLessThan(FIRST_VISIT_MAX);
  });
});
