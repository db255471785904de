import { describe, expect, it } from 'vitest';
import { contextVariables } from '../../../../cdk/local/http-api/context-variables.ts';
import { identitySource } from '../../../../cdk/local/http-api/identity-source.ts';
import type { ReceivedRequest } from '../../../../cdk/local/http-api/request-event.ts';

const request: ReceivedRequest = {
  method: 'GET',
  target: '/items/1?key=a&key=b&Key=c&empty=',
  rawHeaders: ['Host', 'localhost:3000', 'X-Key', 'one', 'x-key', 'two', 'X-Empty', ''],
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  requestId: '0f5d8a56-6f3c-4e0a-9a3c-1d5b9d9c8f00',
  time: new Date('2026-03-01T09:08:07Z'),
};
const variables = contextVariables(request, {
  accountId: '000000000000',
  apiId: 'api1234567',
  stage: '$default',
  routeKey: 'GET /items/{id}',
});
const valueOf = (expression: string) =>
  identitySource(expression)({ request, variables, stageVariables: { color: 'blue' } });

describe('an identity source', () => {
  it.each([
    ['$request.header.X-KEY', 'one,two'],
    ['$request.querystring.key', 'a,b'],
    ['$request.querystring.Key', 'c'],
    ['$stageVariables.color', 'blue'],
    ['$context.routeKey', 'GET /items/{id}'],
    ['$context.identity.sourceIp', '127.0.0.1'],
    ['$context.httpMethod', 'GET'],
  ])('finds its value: %s', (expression, value) => {
    expect(valueOf(expression)).toBe(value);
  });

  it.each([
    '$request.header.missing',
    '$request.header.x-empty',
    '$request.querystring.empty',
    '$request.querystring.KEY',
    '$stageVariables.toString',
    '$context.identity.userAgent',
  ])('is missing when there is nothing: %s', (expression) => {
    expect(valueOf(expression)).toBeUndefined();
  });

  it.each(['$context.toString', '$context.authorizer.key', '$request.path.id', 'route.request.header.Auth', ''])(
    'that is not known is refused: %s',
    (expression) => {
      expect(() => identitySource(expression)).toThrow(`does not know the identity source ${expression}`);
    },
  );
});
