/** What AWS itself writes into logs for a call of the API, as texts of the usual length. */

const TIME = '2026-11-10T12:00:00.000Z';
const INVOCATION = '0f8fad5b-d9cb-469f-a165-70867728950e';
export const TRACE = '1-6740a1b2-0123456789abcdef01234567';

/** Start and report of an invocation, which Lambda writes in JSON at its own level INFO. */
export const LAMBDA_LINES: readonly string[] = [
  { time: TIME, type: 'platform.start', record: { requestId: INVOCATION, version: '$LATEST' } },
  {
    time: TIME,
    type: 'platform.report',
    record: {
      requestId: INVOCATION,
      metrics: { durationMs: 10.341, billedDurationMs: 11, memorySizeMB: 1024, maxMemoryUsedMB: 148 },
      tracing: {
        spanId: '6f1a2b3c4d5e6f70',
        type: 'X-Amzn-Trace-Id',
        value: `Root=${TRACE};Parent=53995c3f42cd8ad8;Sampled=0;Lineage=1:a87bd80c:0`,
      },
      status: 'success',
    },
  },
].map((line) => JSON.stringify(line));

/** In the format that `cdk/constructs/public-api.ts` sets. */
export const ACCESS_LINE = JSON.stringify({
  time: '10/Nov/2026:12:00:00 +0000',
  requestId: 'JKJaXmPLvHcESHA=',
  route: 'POST /v1/convert',
  status: '200',
  latencyMs: '18',
  integrationError: '-',
  authorizerError: '-',
  sourceIp: '203.0.113.195',
  responseBytes: '135',
});
