import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesArn, matchesPattern } from '../../../../cdk/local/iam/pattern.ts';

/** The obvious definition, too slow for long texts. */
function obviously(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*')
    return obviously(pattern.slice(1), text) || (text !== '' && obviously(pattern, text.slice(1)));
  return text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && obviously(pattern.slice(1), text.slice(1));
}

describe('a wildcard pattern', () => {
  test('matches exactly what its definition says', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 });
    fc.assert(
      fc.property(pattern, text, (p, t) => {
        expect(matchesPattern(p, t)).toBe(obviously(p, t));
      }),
      { numRuns: 2000 },
    );
  });

  test('takes no special meaning from characters that regular expressions know', () => {
    expect(matchesPattern('a.c', 'abc')).toBe(false);
    expect(matchesPattern('a[bc]', 'ab')).toBe(false);
  });

  test('is decided quickly however many stars it has', () => {
    expect(matchesPattern('*a'.repeat(50), 'a'.repeat(5000) + 'b')).toBe(false);
  });
});

describe('an ARN pattern', () => {
  test.each([
    ['*', 'arn:aws:s3:::bucket/key', true],
    ['arn:aws:s3:::bucket/*', 'arn:aws:s3:::bucket/a/b:c', true],
    ['arn:aws:s3:::bucket', 'arn:aws:s3:::bucket/key', false],
    ['arn:aws:dynamodb:*:*:table/T', 'arn:aws:dynamodb:us-east-1:000000000000:table/T', true],
    ['arn:aws:dynamodb:*:table/T', 'arn:aws:dynamodb:us-east-1:000000000000:table/T', false],
    ['arn:aws:sqs:us-east-1:000000000000:orders', 'arn:aws:sqs:us-east-1:000000000000:orders-failed', false],
    ['arn:aws:logs:*:*:log-group:/aws/*', 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/x:stream', true],
  ])('%s on %s: %s', (pattern, arn, expected) => {
    expect(matchesArn(pattern, arn)).toBe(expected);
  });
});
