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

const INVOCATION = '8f1b9c52-3c0e-4f0e-9b43-0c7a4f7be9a1';
const TRACING = {
  spanId: '0123456789abcdef',
  type: 'X-Amzn-Trace-Id',
  value: `Root=${TRACE};Parent=0123456789abcdef;Sampled=0`,
};

/** What Lambda logs of a call of a function that is not hot. */
export const FUNCTION_LINES = [
  {
    time: '2026-11-10T12:00:00.000Z',
    type: 'platform.start',
    record: { requestId: INVOCATION, version: '$LATEST', tracing: TRACING },
  },
  {
    time: '2026-11-10T12:00:00.060Z',
    type: 'platform.report',
    record: {
      requestId: INVOCATION,
      metrics: { durationMs: 57.834, billedDurationMs: 58, memorySizeMB: 512, maxMemoryUsedMB: 112 },
      tracing: TRACING,
      status: 'success',
    },
  },
].map((line) => JSON.stringify(line));

/** The one line of a handler of ours that answers a request. */
export const requestLine = (route: string, service: string) =>
  JSON.stringify({
    level: 'INFO',
    message: 'request',
    timestamp: '2026-11-10T12:00:00.060Z',
    service,
    xray_trace_id: TRACE,
    function_request_id: INVOCATION,
    requestId: 'JKJaXmPLvHcESHA=',
    route,
    status: 200,
    durationMs: 57,
  });
