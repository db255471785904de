/** `$context.NAME`: what is known of a request before anything answers it. */
import { headersOf, type ReceivedRequest, requestTime, splitTarget } from './request-event.ts';

const NAMES = [
  'accountId',
  'apiId',
  'stage',
  'domainName',
  'domainPrefix',
  'httpMethod',
  'path',
  'protocol',
  'requestId',
  'extendedRequestId',
  'requestTime',
  'requestTimeEpoch',
  'routeKey',
  'identity.sourceIp',
  'identity.userAgent',
] as const;

export type ContextVariable = (typeof NAMES)[number];
export type ContextVariables = Readonly<Record<ContextVariable, string | number | undefined>>;

export function isContextVariable(name: string): name is ContextVariable {
  return NAMES.some((known) => known === name);
}

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
): ContextVariables {
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
