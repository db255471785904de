/** What AWS itself writes for a call of the API, as texts of the usual length. */

export const TRACE = '1-6740a1b2-0123456789abcdef01234567';

/** In the format that `cdk/constructs/public-api.ts` sets. */
export const accessLine = (route: string) =>
  JSON.stringify({
    time: '10/Nov/2026:12:00:00 +0000',
    requestId: 'JKJaXmPLvHcESHA=',
    route,
    status: '200',
    latencyMs: '18',
    integrationError: '-',
    authorizerError: '-',
    sourceIp: '203.0.113.195',
    responseBytes: '135',
  });

/** Of a function that is not hot, for each of its runs: start and report. */
export const FUNCTION_LINES = [
  {
    time: '2026-11-10T12:00:00.000Z',
    type: 'platform.start',
    record: { requestId: '79104eff-7eb7-4d0a-8a65-1d5b1f9ad1f5', version: '$LATEST', tracing: tracing() },
  },
  {
    time: '2026-11-10T12:00:00.042Z',
    type: 'platform.report',
    record: {
      requestId: '79104eff-7eb7-4d0a-8a65-1d5b1f9ad1f5',
      metrics: { durationMs: 41.27, billedDurationMs: 42, memorySizeMB: 512, maxMemoryUsedMB: 118 },
      tracing: tracing(),
      status: 'success',
    },
  },
].map((line) => JSON.stringify(line));

function tracing() {
  return {
    spanId: '1a2b3c4d5e6f7a8b',
    type: 'X-Amzn-Trace-Id',
    value: `Root=${TRACE};Parent=53995c3f42cd8ad8;Sampled=0`,
  };
}
