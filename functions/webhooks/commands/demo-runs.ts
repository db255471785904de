import { omit } from '#shared/omit';
import type { Configuration } from '../configurations/configuration.ts';
import type { Rule } from '../rules/rule.ts';
import type { Attempt } from '../runs/attempt.ts';
import { type EndedRun, type Payload, type Run, type RunBase, snapshotOf, type WaitingRun } from '../runs/run.ts';

const TENANT = 'demo';
const DEMO_ORIGIN = { tenant: TENANT, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

const configuration = (id: string, own: Partial<Configuration> & Pick<Configuration, 'name' | 'targetUrl'>) => ({
  ...DEMO_ORIGIN,
  id: `cfg_demo_${id}`,
  description: '',
  retryIntervalSeconds: 0,
  retryTimeoutSeconds: 30,
  maxAttempts: 3,
  authentication: { type: 'none' } as const,
  enabled: true,
  ...own,
});

/** The domain is reserved for examples, so no real server is ever called. */
const CASES = configuration('cases', { name: 'Case management', targetUrl: 'https://cases.example.com/hooks/privacy' });
const LAKE = configuration('lake', {
  name: 'Data lake ingest',
  targetUrl: 'https://lake.example.com/v1/events',
  description: 'Everything, once a day to the warehouse.',
  retryIntervalSeconds: 60,
});
const ARCHIVE = configuration('archive', {
  name: 'Archive',
  targetUrl: 'https://archive.example.com/in',
  retryIntervalSeconds: 86_400,
  maxAttempts: 5,
});
export const DEMO_CONFIGURATIONS: readonly Configuration[] = [CASES, LAKE, ARCHIVE];

const rule = (id: string, own: Pick<Rule, 'name' | 'module' | 'trigger' | 'apiConfigurationId' | 'body'>): Rule => ({
  ...DEMO_ORIGIN,
  id: `rule_demo_${id}`,
  headers: [{ name: 'X-Source', value: 'privacy-platform' }],
  enabled: true,
  ...own,
});

/** Demo rules, on triggers that the tours of the READMEs do not use. */
export const DEMO_RULES: readonly Rule[] = [
  rule('stage', {
    name: 'Stages to case management',
    module: 'dsar',
    trigger: 'Stage is completed',
    apiConfigurationId: CASES.id,
    body: '{"request": "{{requestId}}", "stage": "{{stage}}", "tenant": "{{tenantId}}"}',
  }),
  rule('incident', {
    name: 'Incidents to the data lake',
    module: 'breach',
    trigger: 'Incident created',
    apiConfigurationId: LAKE.id,
    body: '{"incident": "{{requestId}}", "severity": "{{severity}}"}',
  }),
  rule('assessment', {
    name: '',
    module: 'assessment',
    trigger: 'Assessment approved',
    apiConfigurationId: ARCHIVE.id,
    body: '{"assessment": "{{requestId}}", "score": "{{score}}"}',
  }),
];

const RECORD_TYPES = ['subject request', 'incident', 'assessment'] as const;
const MINUTE = 60_000;
const RUNS = 72;

/** A run with everything that is stored for it. */
export interface DemoRun {
  readonly run: Run;
  readonly payload: Payload;
  readonly attempts: readonly Attempt[];
}

/** Three days of deliveries before this moment: most went well, some failed, one waits for its second attempt. */
export function demoRuns(now: number): DemoRun[] {
  const runs = Array.from({ length: RUNS }, (_, index) => demoRun(index, now));
  const [failed] = runs.filter(({ run }) => run.status === 'FAILED').slice(1);
  return failed ? [...runs.filter((one) => one !== failed), ...resolved(failed)] : runs;
}

function demoRun(index: number, now: number): DemoRun {
  const kind = index % 3;
  const [from, by] = [DEMO_CONFIGURATIONS[kind] ?? CASES, DEMO_RULES[kind]];
  const createdAt = now - (index + 1) * 59 * MINUTE - ((index * 7_919) % 40_000);
  const request = String(4_711 + index * 13);
  const facts = (attempts: readonly Attempt[]): RunBase => ({
    id: `run_demo${String(index).padStart(4, '0')}${uniqueText(index)}`,
    tenant: TENANT,
    eventId: `event-${request}`,
    ruleId: by?.id ?? '',
    module: by?.module ?? 'dsar',
    trigger: by?.trigger ?? '',
    record: `${RECORD_TYPES[kind]}: ${request}`,
    idempotencyKey: keyOf(index),
    createdAt,
    ...snapshotOf(from),
    replays: 0,
    attempts: attempts.length,
    interruptions: 0,
    sweeps: 0,
    ...endOf(attempts),
    revision: 2 * attempts.length,
  });
  const body = JSON.stringify({ request, source: by?.module, timestamp: new Date(createdAt).toISOString() });
  const payload: Payload = {
    body: new TextEncoder().encode(body),
    headers: [['X-Source', 'privacy-platform']],
    createdAt,
  };
  if (kind === 2 && index === 2) return waiting(facts, payload, createdAt);
  const attempts = attemptsOf(index, from, createdAt);
  return { run: ended(facts(attempts), attempts), payload, attempts };
}

function attemptsOf(index: number, from: Configuration, createdAt: number): Attempt[] {
  return calling(from, outcomesOf(index, from, createdAt));
}

type Outcome = Omit<Attempt, 'targetUrl'>;

const calling = ({ targetUrl }: Pick<Configuration, 'targetUrl'>, outcomes: readonly Outcome[]): Attempt[] =>
  outcomes.map((outcome) => ({ ...outcome, targetUrl }));

/** Every tenth run failed because its endpoint was busy, every twenty-fifth because of a timeout. */
function outcomesOf(index: number, { maxAttempts, retryIntervalSeconds }: Configuration, createdAt: number): Outcome[] {
  const startedAt = createdAt + 180;
  if (index % 25 === 4)
    return [timedOut(1, startedAt), timedOut(2, startedAt + 31_000), timedOut(3, startedAt + 62_000)];
  if (index % 10 === 1) {
    const pause = Math.min(retryIntervalSeconds, 120) * 1_000 + 900;
    return Array.from({ length: maxAttempts }, (_, n) => answered(n + 1, startedAt + n * pause, 503, index));
  }
  const first = index % 8 === 3 ? [answered(1, startedAt, 502, index)] : [];
  return [...first, answered(first.length + 1, startedAt + first.length * 61_000, index % 4 === 0 ? 204 : 200, index)];
}

function answered(attempt: number, startedAt: number, statusCode: number, seed: number): Outcome {
  const wait = 90 + ((seed * 37 + attempt * 53) % 320);
  const timings = { dnsMillis: 4, connectMillis: 18, tlsMillis: 31, firstByteMillis: wait, totalMillis: wait + 61 };
  const isGood = statusCode < 300;
  const text = isGood ? '{"received": true}' : '<html><body><h1>Service unavailable</h1></body></html>';
  return {
    attempt,
    part: 0,
    startedAt,
    endedAt: startedAt + timings.totalMillis,
    outcome: isGood ? 'succeeded' : 'http_status',
    statusCode,
    body: { bytes: new TextEncoder().encode(statusCode === 204 ? '' : text), isTruncated: false },
    timings,
  };
}

const timedOut = (attempt: number, startedAt: number): Outcome => ({
  attempt,
  part: 0,
  startedAt,
  endedAt: startedAt + 30_000,
  outcome: 'timeout',
  timings: { dnsMillis: 5, connectMillis: 21, tlsMillis: 33, totalMillis: 30_000 },
});

function endOf(attempts: readonly Attempt[]) {
  const last = attempts.at(-1);
  const code = attempts.findLast(({ statusCode }) => statusCode !== undefined)?.statusCode;
  return {
    ...(code !== undefined && { responseCode: code }),
    ...(last && last.outcome !== 'succeeded' && { error: last.outcome }),
  };
}

function ended(facts: RunBase, attempts: readonly Attempt[]): EndedRun {
  const last = attempts.at(-1);
  const status = last?.outcome === 'succeeded' ? 'COMPLETED' : 'FAILED';
  return { ...facts, status, completedAt: last?.endedAt ?? facts.createdAt };
}

function waiting(facts: (attempts: readonly Attempt[]) => RunBase, payload: Payload, createdAt: number): DemoRun {
  const attempts = calling(ARCHIVE, [answered(1, createdAt + 180, 503, 1)]);
  const nextAttemptAt = (attempts[0]?.endedAt ?? createdAt) + ARCHIVE.retryIntervalSeconds * 1_000;
  const run: WaitingRun = {
    ...facts(attempts),
    status: 'IN_PROGRESS',
    nextAttemptAt,
    nextSweepAt: nextAttemptAt + MINUTE,
  };
  return { run, payload, attempts };
}

/** A run that failed, and the replay of it that went well. */
function resolved({ run, payload, attempts }: DemoRun): DemoRun[] {
  const id = `${run.id.slice(0, -2)}R1`;
  const facts = omit(run, 'error');
  const createdAt = run.createdAt + 25 * MINUTE;
  const good = calling(run, [answered(1, createdAt + 180, 200, 5)]);
  const replay = ended({ ...facts, id, createdAt, attempts: 1, replayOf: run.id, responseCode: 200 }, good);
  return [
    { run: { ...run, replays: 1, replayedBy: [id], resolvedBy: id }, payload, attempts },
    { run: replay, payload, attempts: good },
  ];
}

const uniqueText = (index: number) => ((index + 1) * 48_271 * 69_621).toString(36).padStart(10, '0').slice(-10);
const keyOf = (index: number) =>
  `5f1e0000-0000-4000-8000-${((index + 1) * 48_271 * 9_973).toString(16).padStart(12, '0')}`;
