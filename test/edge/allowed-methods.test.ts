import { describe, expect, it } from 'vitest';
import { pathMethods } from '../../cdk/constructs/functions/handler-routes.ts';
import { allowedAt, pathMethodsIn } from '../../functions/edge/allowed-methods.ts';

const paths = pathMethodsIn('/a/v1/\nGET,POST rules\nDELETE,GET rules/*\nPOST rules/preview\n/a/\nPUT */x/*');

describe('the methods that a path takes', () => {
  it.each([
    ['/a/v1/rules', 'GET, HEAD, POST'],
    ['/a/v1/rules/7', 'DELETE, GET, HEAD'],
    ['/a/v1/rules/preview', 'POST'],
    ['/a/1/x/2', 'PUT'],
    ['/a/v1/rules/', undefined],
    ['/a/v1/rules/7/8', undefined],
    ['/a//x/2', undefined],
    ['/__proto__', undefined],
  ])('of %s are %s', (path, allow) => {
    expect(allowedAt(paths, path)).toBe(allow);
  });

  it('fit, for all routes of the service, into the variables of one function', () => {
    const all = pathMethods('/manage/v1/', '/v3/', '/priv/v1/apps/', '/api/v1/apps/');
    expect(Buffer.byteLength(all)).toBeLessThan(3_500);
    expect(allowedAt(pathMethodsIn(all), '/manage/v1/rules/r1')).toBe('DELETE, GET, HEAD, PATCH, PUT');
    expect(allowedAt(pathMethodsIn(all), '/v3/data/businesses')).toBe('GET, HEAD');
  });
});
