import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownPath } from '../../../functions/console/pages/own-path.ts';
import { isSameOrigin } from '../../../functions/console/serving/same-origin.ts';

describe('a request', () => {
  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://api.example.com', host: 'api.example.com' }, true],
    [{ origin: 'http://localhost:3000', host: 'localhost:3000' }, true],
    [{ origin: 'https://evil.example', host: 'api.example.com' }, false],
    [{ origin: 'null', host: 'api.example.com' }, false],
    [{ host: 'api.example.com' }, false],
    [{}, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://api.example.com', host: 'api.example.com' }, false],
  ] satisfies [Record<string, string>, boolean][])('with %j is of the console itself: %s', (headers, isOwn) => {
    expect(isSameOrigin({ headers })).toBe(isOwn);
  });
});

describe('where a person goes after signing in', () => {
  it.each([
    ['/console/t/acme/runs?status=FAILED', '/console/t/acme/runs?status=FAILED'],
    ['/console', '/console'],
    ['/console/../console/t/acme', '/console/t/acme'],
    [undefined, undefined],
    ['', undefined],
    ['/', undefined],
    ['/consoles/t', undefined],
    ['/console/../manage', undefined],
    ['/manage/v1/runs', undefined],
    ['/console/..//evil.example', undefined],
    ['//evil.example/console/', undefined],
    ['/\\evil.example/console', undefined],
    ['https://evil.example/console/', undefined],
    ['javascript:alert(1)//console', undefined],
    ['/console/\n//evil.example', '/console///evil.example'],
    [`/console/${'x'.repeat(3_000)}`, undefined],
  ])('%j is %j', (stated, path) => {
    expect(ownPath(stated)).toBe(path);
  });

  it('is below the console on the same host, whatever is stated', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '//',
      'console',
      '@',
      ':',
      'evil.example',
      '\t',
      '\n',
      '?',
      '#',
      '%2f',
      '%5c',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('', '/console', '/console/'), (parts, head) => {
        const path = ownPath(head + parts.join(''));
        if (path === undefined) return;
        const url = new URL(path, 'https://api.example.com/console/sign-in');
        expect(url.origin).toBe('https://api.example.com');
        expect(url.pathname === '/console' || url.pathname.startsWith('/console/')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
