/** `$context.NAME`: what is known of a request before anything answers it. */
import type { AccessLogContext } from './access-log.ts';
import { headersOf, type ReceivedRequest, requestTime, splitTarget } from './request-event.ts';

export interface Served {
  readonly accountId: string;
  readonly apiId: string;
  readonly stage: string;
  /** Undefined for a request without a route. */
  readonly routeKey?: string;
}

export function contextVariables(
  request: ReceivedRequest,
  { accountId, apiId, stage, routeKey }: Served,
): AccessLogContext {
  const headers = headersOf(request);
  return {
    accountId,
    apiId,
    stage,
    routeKey,
    domainName: headers['host'],
    domainPrefix: headers['host']?.split('.')[0],
    httpMethod: request.method,
    path: splitTarget(request.target).path,
    protocol: 'HTTP/1.1',
    requestId: request.requestId,
    extendedRequestId: request.requestId,
    requestTime: requestTime(request.time),
    requestTimeEpoch: request.time.getTime(),
    'identity.sourceIp': request.sourceIp,
    'identity.userAgent': headers['user-agent'],
  };
}
