import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRouteKey, RouteTable } from '../../../../cdk/local/http-api/routes.ts';

function tableOf(...keys: string[]): RouteTable<string> {
  const table = new RouteTable<string>();
  for (const key of keys) table.add(key, key);
  return table;
}

describe('a route', () => {
  it.each([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1'],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}'],
    ['GET', '/pets/cat/2', 'GET /pets/{proxy+}'],
    ['POST', '/pets/dog/1', 'ANY /{proxy+}'],
    ['GET', '/', '$default'],
    ['DELETE', '/', '$default'],
  ])('of %s %s is the most specific one: %s', (method, path, expected) => {
    const keys = ['$default', 'ANY /{proxy+}', 'GET /pets/{proxy+}', 'GET /pets/dog/{id}', 'GET /pets/dog/1'];
    expect(tableOf(...keys).find(method, path)?.route).toBe(expected);
    expect(tableOf(...keys.reverse()).find(method, path)?.route).toBe(expected);
  });

  it('with the method goes before one for any method', () => {
    const table = tableOf('ANY /a/{id}', 'GET /a/{id}');
    expect(table.find('GET', '/a/1')?.route).toBe('GET /a/{id}');
    expect(table.find('PUT', '/a/1')?.route).toBe('ANY /a/{id}');
  });

  it('does not answer another method, nor HEAD for GET', () => {
    const table = tableOf('GET /a');
    expect(table.find('POST', '/a')).toBeUndefined();
    expect(table.find('HEAD', '/a')).toBeUndefined();
  });

  it('differs from the same path with a final slash, and needs text for every variable', () => {
    const table = tableOf('GET /a', 'GET /b/{id}', 'GET /c/{rest+}');
    expect(table.find('GET', '/a/')).toBeUndefined();
    expect(table.find('GET', '/b/')).toBeUndefined();
    expect(table.find('GET', '/c/')).toBeUndefined();
    expect(table.find('GET', '/c')).toBeUndefined();
    expect(table.find('GET', '/c/d/')?.pathParameters).toEqual({ rest: 'd/' });
  });

  it('gives decoded path parameters, also where an escape is malformed', () => {
    const table = tableOf('GET /a/{one}/{two}');
    expect(table.find('GET', '/a/b%20c/%zz')?.pathParameters).toEqual({ one: 'b c', two: '%zz' });
  });

  it('treats an encoded slash as a plain one, as an HTTP API does: only a greedy variable can hold it', () => {
    const table = tableOf('GET /users/{id}/places', 'GET /files/{path+}');
    expect(table.find('GET', '/users/crm%2F42/places')).toBeUndefined();
    expect(table.find('GET', '/users/crm%2f42/places')).toBeUndefined();
    expect(table.find('GET', '/users%2F42/places')?.pathParameters).toEqual({ id: '42' });
    expect(table.find('GET', '/files/a%2Fb')?.pathParameters).toEqual({ path: 'a/b' });
  });

  it('is refused when it is none, is there twice, or goes on after a greedy variable', () => {
    expect(() => parseRouteKey('get /a')).toThrow('is no route key');
    expect(() => parseRouteKey('GET a')).toThrow('is no route key');
    expect(() => parseRouteKey('GET /{a+}/b')).toThrow('nothing may follow');
    expect(() => tableOf('GET /a', 'GET /a')).toThrow('is there twice');
  });
});

describe('every table of routes', () => {
  const segment = fc.constantFrom('a', 'b', '{x}');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
  const greedy = fc.tuple(fc.constantFrom('', '/a', '/a/b'), fc.constant('/{rest+}')).map((parts) => parts.join(''));
  const key = fc.tuple(fc.constantFrom('GET', 'ANY'), fc.oneof(path, greedy)).map((parts) => parts.join(' '));
  const request = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`);

  it('finds the same route whatever the order in which the routes were added', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 8 }), request, (keys, asked) => {
        const forward = tableOf(...keys).find('GET', asked)?.route;
        const backward = tableOf(...keys.toReversed()).find('GET', asked)?.route;
        expect(backward).toBe(forward);
      }),
    );
  });

  it('finds a route exactly when one of them fits, and with its parameters gives the path back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 8 }), request, (keys, asked) => {
        const fitting = keys.filter((candidate) => patternOf(candidate).test(asked));
        const match = tableOf(...keys).find('GET', asked);
        expect(match !== undefined).toBe(fitting.length > 0);
        if (!match) return;
        const [, template = ''] = match.route.split(' ');
        const filled = template.replaceAll('{x}', () => '{x}').replace('{rest+}', match.pathParameters['rest'] ?? '');
        expect(patternOf(`GET ${filled}`).test(asked)).toBe(true);
      }),
    );
  });
});

function patternOf(key: string): RegExp {
  const [, path = ''] = key.split(' ');
  return new RegExp(`^${path.replaceAll('{x}', '[^/]+').replace('{rest+}', '.+')}$`);
}
