/** The operations of CloudWatch Logs. Each names the permissions that it needs, and answers once they are given. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { NeededPermission } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type Operations, operationsOf } from '../endpoint/json-service.ts';
import { eventFilter } from './event-filter.ts';
import { evaluate, type Row } from './insights/evaluation.ts';
import { parseQuery } from './insights/parser.ts';
import { MalformedQuery } from './insights/tokens.ts';
import { LOG_STREAM, type LogEvent, type LogGroup, type LogGroups } from './log-groups.ts';
import { REQUESTS } from './request.ts';

export interface LogsParts {
  readonly groups: LogGroups;
  /** The queries that were started last, by id. Each runs when its results are asked for. */
  readonly queries: Map<string, () => object>;
  readonly accountId: string;
  /** `arn:aws:logs:REGION:ACCOUNT:log-group:` */
  readonly groupArnPrefix: string;
}

/** AWS returns at most 1 MB of events. */
const PAGE_BYTES_MAX = 1024 * 1024;
const QUERIES_MAX = 100;

const operation = operationsOf<LogsParts>('InvalidParameterException');

export const OPERATIONS: Operations<LogsParts> = {
  DescribeLogGroups: operation(REQUESTS.DescribeLogGroups, (parts, request) => ({
    permissions: [permission('DescribeLogGroups', '', parts)],
    answer: () => describeLogGroups(parts, request),
  })),

  FilterLogEvents: operation(REQUESTS.FilterLogEvents, (parts, request) => {
    const matches = filterOf(request.filterPattern);
    return {
      permissions: [permission('FilterLogEvents', request.name, parts)],
      answer: () => filterLogEvents(groupNamed(request.name, parts), matches, request),
    };
  }),

  StartQuery: operation(REQUESTS.StartQuery, (parts, request) => ({
    permissions: request.names.map((name) => permission('StartQuery', name, parts)),
    answer: () => startQuery(parts, request),
  })),

  GetQueryResults: operation(REQUESTS.GetQueryResults, (parts, { queryId }) => ({
    permissions: [permission('GetQueryResults', '', parts)],
    answer: () => {
      const results = parts.queries.get(queryId);
      if (results) return results();
      throw new CallRefusal(400, 'ResourceNotFoundException', `Query with id ${queryId} does not exist.`);
    },
  })),
};

/** The resource that AWS checks ends with an empty stream, so that the ARN of a group with its `:*` covers it. */
function permission(action: string, group: string, { groupArnPrefix }: LogsParts): NeededPermission {
  return { action: `logs:${action}`, resource: `${groupArnPrefix}${group}:log-stream:` };
}

function groupNamed(name: string, { groups }: LogsParts): LogGroup {
  const group = groups.named(name);
  if (group) return group;
  throw new CallRefusal(400, 'ResourceNotFoundException', 'The specified log group does not exist.');
}

function describeLogGroups(
  { groups, groupArnPrefix }: LogsParts,
  { logGroupNamePrefix = '', limit, nextToken: after }: z.output<typeof REQUESTS.DescribeLogGroups>,
): object {
  const matches = groups.all().filter(({ name }) => name.startsWith(logGroupNamePrefix) && name > after);
  const page = matches.slice(0, limit);
  return {
    logGroups: page.map(({ name, createdAt, storedBytes }) => ({
      logGroupName: name,
      arn: `${groupArnPrefix}${name}:*`,
      logGroupArn: `${groupArnPrefix}${name}`,
      creationTime: createdAt,
      storedBytes,
    })),
    nextToken: matches.length > page.length ? page.at(-1)?.name : undefined,
  };
}

function filterOf(pattern: string): (message: string) => boolean {
  try {
    return eventFilter(pattern);
  } catch (error) {
    throw new CallRefusal(400, 'InvalidParameterException', error instanceof Error ? error.message : String(error));
  }
}

function filterLogEvents(
  group: LogGroup,
  matches: (message: string) => boolean,
  { startTime, endTime, limit, nextToken: after }: z.output<typeof REQUESTS.FilterLogEvents>,
): object {
  const matching = group.events.filter(
    ({ id, at, message }) => id > after && at >= startTime && at <= endTime && matches(message),
  );
  const page = matching.slice(0, pageLength(matching, limit));
  return {
    events: page.map(({ id, at, message }) => ({
      eventId: String(id),
      logStreamName: LOG_STREAM,
      timestamp: at,
      ingestionTime: at,
      message,
    })),
    searchedLogStreams: [],
    nextToken: matching.length > page.length ? String(page.at(-1)?.id) : undefined,
  };
}

/** Events that fit into a page, and one at least. */
function pageLength(events: readonly LogEvent[], limit: number): number {
  let bytes = 0;
  const tooMany = events.findIndex(({ message }, i) => {
    bytes += Buffer.byteLength(message);
    return i >= limit || (i > 0 && bytes > PAGE_BYTES_MAX);
  });
  return tooMany < 0 ? events.length : tooMany;
}

function startQuery(parts: LogsParts, request: z.output<typeof REQUESTS.StartQuery>): object {
  const { names, startTime, endTime, limit } = request;
  const query = queryIn(request.queryString);
  const groups = names.map((name) => groupNamed(name, parts));
  const queryId = randomUUID();
  const oldest = parts.queries.keys().next().value;
  if (parts.queries.size >= QUERIES_MAX && oldest !== undefined) parts.queries.delete(oldest);
  parts.queries.set(queryId, () => {
    const events = groups.flatMap(({ name, events: all }) =>
      all
        .filter(({ at }) => at >= startTime && at <= endTime)
        .map((event) => ({ ...event, log: `${parts.accountId}:${name}`, stream: LOG_STREAM })),
    );
    const { rows, matches } = evaluate(query, events, limit);
    return {
      queryLanguage: 'CWLI',
      status: 'Complete',
      results: rows.map(shownRow),
      statistics: {
        recordsMatched: matches,
        recordsScanned: events.length,
        bytesScanned: events.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0),
      },
    };
  });
  return { queryId };
}

function queryIn(text: string) {
  try {
    return parseQuery(text);
  } catch (error) {
    if (!(error instanceof MalformedQuery)) throw error;
    throw new CallRefusal(400, 'MalformedQueryException', `The local cloud cannot run this query: ${error.message}.`);
  }
}

const shownRow = (row: Row) => [...row].map(([field, value]) => ({ field, value }));
