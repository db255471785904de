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
