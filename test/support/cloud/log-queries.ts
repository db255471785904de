/** Calls of CloudWatch Logs, for which no SDK client is installed. */
import { expect } from 'vitest';
import type { Cloud } from '../../../cdk/local/cloud.ts';
import { clientOptions } from './local-cloud.ts';
import { signedPost } from './signed-call.ts';

type LoggingCloud = Pick<Cloud, 'awsUrl' | 'region' | 'credentials' | 'clock'>;

export type QueryRow = Readonly<Record<string, string>>;

/** The account's owner looks into the log groups of a cloud. */
export function logQueriesOf(cloud: LoggingCloud) {
  // oxlint-disable-next-line typescript/no-explicit-any -- the members that its callers read
  async function call(operation: string, input: object): Promise<any> {
    const { endpoint, region, credentials } = clientOptions(cloud);
    const response = await signedPost({
      endpoint,
      region,
      credentials,
      service: 'logs',
      path: '/',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${operation}` },
      body: JSON.stringify(input),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return JSON.parse(text);
  }

  /** Names of log groups that begin like this. */
  async function groups(prefix: string): Promise<readonly string[]> {
    const names: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await call('DescribeLogGroups', { logGroupNamePrefix: prefix, ...(nextToken && { nextToken }) });
      names.push(...page.logGroups.map(({ logGroupName }: { logGroupName: string }) => logGroupName));
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    return names;
  }

  /** Runs a query over all that the groups have. */
  async function query(queryString: string, logGroupNames: readonly string[]): Promise<readonly QueryRow[]> {
    const endTime = Math.ceil(cloud.clock.millis() / 1000);
    const rows: QueryRow[] = [];
    // A call takes fifty groups.
    for (let at = 0; at < logGroupNames.length; at += 50) {
      const names = logGroupNames.slice(at, at + 50);
      const { queryId } = await call('StartQuery', { startTime: 0, endTime, queryString, logGroupNames: names });
      const { results } = await call('GetQueryResults', { queryId });
      rows.push(
        ...results.map((row: readonly { field: string; value: string }[]) =>
          Object.fromEntries(row.map(({ field, value }) => [field, value])),
        ),
      );
    }
    return rows;
  }

  return { groups, query };
}
