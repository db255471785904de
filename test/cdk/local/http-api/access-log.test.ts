import { describe, expect, it } from 'vitest';
import { accessLogLine } from '../../../../cdk/local/http-api/access-log.ts';
import { TokenBucket } from '../../../../cdk/local/http-api/token-bucket.ts';

describe('a line of the access log', () => {
  it('has the values of the request, and a dash for missing values', () => {
    const format = '$context.httpMethod $context.status $context.identity.sourceIp. $context.error.message $other';
    expect(accessLogLine(format, { httpMethod: 'GET', status: 200, 'identity.sourceIp': '::1' })).toBe(
      'GET 200 ::1. - $other',
    );
  });

  it('is valid JSON whatever a value contains', () => {
    const line = accessLogLine('{"agent":"$context.identity.userAgent"}', { 'identity.userAgent': 'a"b\\c\nd' });
    expect(JSON.parse(line)).toEqual({ agent: 'a"b\\c\nd' });
  });
});

describe('the throttle of a stage', () => {
  it('lets a burst pass, then the steady rate', () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 3, nowMillis: 0 });
    expect([0, 0, 0, 0].map((at) => bucket.take(at))).toEqual([true, true, true, false]);
    expect([50, 100, 150, 200].map((at) => bucket.take(at))).toEqual([false, true, false, true]);
  });

  it('is not emptied by a clock that is moved back', () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 2, nowMillis: 60_000 });
    expect([60_000, 0, 0, 100].map((at) => bucket.take(at))).toEqual([true, true, false, true]);
  });

  it('never holds more than the burst', () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 2, nowMillis: 0 });
    expect([60_000, 60_000, 60_000].map((at) => bucket.take(at))).toEqual([true, true, false]);
  });
});
