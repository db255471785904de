import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credentials } from '../../../../cdk/local/endpoint/endpoint.ts';
import { LogGroups } from '../../../../cdk/local/logs/log-groups.ts';
import { LogsService } from '../../../../cdk/local/logs/logs-service.ts';
import {
  ACCOUNT_ID,
  allowing,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';
import { signedPost } from '../../../support/cloud/signed-call.ts';

const NOON = Date.UTC(2026, 10, 26, 12);
const PREFIX = `arn:aws:logs:${REGION}:${ACCOUNT_ID}:log-group:`;

let endpoint: LocalEndpoint;
let at = NOON;
const groups = new LogGroups(() => new Date(at), 2000);

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  endpoint.add(new LogsService({ groups, queries: new Map(), accountId: ACCOUNT_ID, groupArnPrefix: PREFIX }));
  groups.create('empty');
  for (let i = 0; i < 5; i += 1) {
    at = NOON + i * 1000;
    groups.write('orders', JSON.stringify({ level: i === 3 ? 'ERROR' : 'INFO', message: `order ${i}`, order: i }));
    groups.write('payments', `paid ${i} -now`);
  }
});
afterAll(() => endpoint.close());

async function call(operation: string, input: object, credentials: Credentials = endpoint.root) {
  const response = await signedPost({
    endpoint: endpoint.url,
    region: REGION,
    credentials,
    service: 'logs',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${operation}` },
    body: JSON.stringify(input),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- each test says by its assertions what it expects in there
  const json: any = await response.json();
  return { status: response.status, json, code: json['__type'] as string | undefined };
}

const messages = (json: { events: readonly { message: string }[] }) => json.events.map(({ message }) => message);

async function query(queryString: string, input: object = { logGroupNames: ['orders'] }) {
  const started = await call('StartQuery', {
    startTime: NOON / 1000,
    endTime: NOON / 1000 + 60,
    queryString,
    ...input,
  });
  if (started.status !== 200) return started;
  return call('GetQueryResults', { queryId: started.json.queryId });
}

describe('DescribeLogGroups', () => {
  it('lists groups by prefix, page by page', async () => {
    const first = await call('DescribeLogGroups', { limit: 2 });
    expect(first.json.logGroups.map(({ logGroupName }: { logGroupName: string }) => logGroupName)).toEqual([
      'empty',
      'orders',
    ]);
    const second = await call('DescribeLogGroups', { limit: 2, nextToken: first.json.nextToken });
    expect(second.json).toEqual({
      logGroups: [
        {
          logGroupName: 'payments',
          arn: `${PREFIX}payments:*`,
          logGroupArn: `${PREFIX}payments`,
          creationTime: NOON,
          storedBytes: 5 * (26 + 'paid 0 -now'.length),
        },
      ],
    });
    expect((await call('DescribeLogGroups', { logGroupNamePrefix: 'p' })).json.logGroups).toHaveLength(1);
  });
});

describe('FilterLogEvents', () => {
  it('has the events of a time, in their order', async () => {
    const input = { logGroupName: 'payments', startTime: NOON + 1000, endTime: NOON + 2000 };
    expect((await call('FilterLogEvents', input)).json).toEqual({
      events: [1, 2].map((i) => ({
        eventId: String(2 * i + 2),
        logStreamName: 'local',
        timestamp: NOON + i * 1000,
        ingestionTime: NOON + i * 1000,
        message: `paid ${i} -now`,
      })),
      searchedLogStreams: [],
    });
  });

  it('gives every event once, page by page', async () => {
    const seen: string[] = [];
    let nextToken: string | undefined;
    do {
      const { json } = await call('FilterLogEvents', {
        logGroupIdentifier: `${PREFIX}payments:*`,
        interleaved: true,
        limit: 2,
        ...(nextToken !== undefined && { nextToken }),
      });
      seen.push(...messages(json));
      nextToken = json.nextToken;
    } while (nextToken !== undefined);
    expect(seen).toEqual([0, 1, 2, 3, 4].map((i) => `paid ${i} -now`));
  });

  it.each([
    ['ERROR', ['3']],
    ['"order 2"', ['2']],
    ['INFO "order 1"', ['1']],
    ['{ $.level != "ERROR" && $.message = "order 4" }', ['4']],
    ['missing', []],
  ])('finds events by the pattern %s', async (filterPattern, orders) => {
    const { json } = await call('FilterLogEvents', { logGroupName: 'orders', filterPattern });
    expect(messages(json).map((message) => /\d+(?=\D*$)/.exec(message)?.[0])).toEqual(orders);
  });

  it.each(['?ERROR ?WARN', '-ERROR', '{ $.order > 3 }', '%ERR%'])('refuses the pattern %s', async (filterPattern) => {
    const { status, json, code } = await call('FilterLogEvents', { logGroupName: 'orders', filterPattern });
    expect([status, code]).toEqual([400, 'InvalidParameterException']);
    expect(json.message).toContain('The local cloud cannot evaluate the filter pattern');
  });

  it('refuses a group that does not exist, and a call that names none or two', async () => {
    const none = await call('FilterLogEvents', { logGroupName: 'none' });
    expect([none.status, none.code]).toEqual([400, 'ResourceNotFoundException']);
    for (const names of [{}, { logGroupName: 'orders', logGroupIdentifier: 'orders' }]) {
      expect((await call('FilterLogEvents', names)).code).toBe('InvalidParameterException');
    }
  });
});

describe('a query', () => {
  it('has rows with statistics', async () => {
    const { json } = await query('filter level = "ERROR" | fields @log, order');
    expect(json).toEqual({
      queryLanguage: 'CWLI',
      status: 'Complete',
      results: [
        [
          { field: '@log', value: `${ACCOUNT_ID}:orders` },
          { field: 'order', value: '3' },
        ],
      ],
      statistics: { recordsMatched: 1, recordsScanned: 5, bytesScanned: expect.any(Number) },
    });
  });

  it('covers several groups, and the time that it names', async () => {
    const both = { logGroupIdentifiers: ['orders', `${PREFIX}payments`], endTime: NOON / 1000 + 1 };
    const { json } = await query('stats count(*) by @log | sort @log asc', both);
    expect(json.results.map(([, count]: { value: string }[]) => count?.value)).toEqual(['2', '2']);
  });

  it('is refused with the place of what cannot be run', async () => {
    const { status, json, code } = await query('filter level == 1');
    expect([status, code]).toEqual([400, 'MalformedQueryException']);
    expect(json.message).toBe(
      'The local cloud cannot run this query: expected a text in quotes or a number, and got = (at character 15).',
    );
  });

  it('is refused for a group that does not exist, and results for an unknown id', async () => {
    expect((await query('limit 1', { logGroupName: 'none' })).code).toBe('ResourceNotFoundException');
    expect((await call('GetQueryResults', { queryId: 'x' })).code).toBe('ResourceNotFoundException');
  });
});

describe('permissions', () => {
  it('cover the groups that a policy names by the ARN of the template, and no others', async () => {
    const reader = endpoint.role('reader', allowing(['logs:StartQuery', 'logs:FilterLogEvents'], `${PREFIX}orders:*`));
    const times = { startTime: NOON / 1000, endTime: NOON / 1000 + 60, queryString: 'limit 1' };
    expect((await call('FilterLogEvents', { logGroupName: 'orders' }, reader)).status).toBe(200);
    expect((await call('FilterLogEvents', { logGroupName: 'payments' }, reader)).code).toContain('AccessDenied');
    expect((await call('StartQuery', { logGroupNames: ['orders'], ...times }, reader)).status).toBe(200);
    for (const names of [['payments'], ['orders', 'payments']]) {
      const refused = await call('StartQuery', { logGroupNames: names, ...times }, reader);
      expect(refused.code).toContain('AccessDenied');
    }
    expect((await call('DescribeLogGroups', {}, reader)).code).toContain('AccessDenied');
    expect((await call('GetQueryResults', { queryId: 'x' }, reader)).code).toContain('AccessDenied');
  });
});

describe('a log group', () => {
  it('drops its oldest events when it is full, and never its newest', () => {
    const small = new LogGroups(() => new Date(NOON), 300);
    for (let i = 0; i < 100; i += 1) {
      small.write('chatty', `${i} ${'x'.repeat(i)}`);
      const { events = [], storedBytes = 0 } = small.named('chatty') ?? {};
      expect(storedBytes).toBeLessThanOrEqual(300);
      expect(events.at(-1)?.message).toMatch(new RegExp(`^${i} `));
      expect(storedBytes).toBe(events.reduce((sum, { message }) => sum + message.length + 26, 0));
    }
  });
});
