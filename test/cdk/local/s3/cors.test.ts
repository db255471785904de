import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CorsRule } from '../../../../cdk/local/s3/cors.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { testBucket } from './bucket.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

const OWN = 'https://abc.console.example';

/** A bucket that takes objects from scripts of the console, and a link to an object of it. */
async function linkedBucket() {
  const { client, Bucket } = await testBucket(endpoint);
  const cors = [
    {
      AllowedOrigins: ['https://*.console.example'],
      AllowedMethods: ['PUT'],
      AllowedHeaders: ['content-type'],
      MaxAge: 60,
    },
    { AllowedOrigins: ['*'], AllowedMethods: ['GET'], ExposedHeaders: ['etag'] },
  ];
  endpoint.setBucketRules(Bucket, { lifecycle: [], cors: cors.map((rule) => CorsRule.parse(rule)) });
  return { url: await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'key' })) };
}

const preflight = (url: string, method: string, more: Record<string, string> = {}) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: { origin: OWN, 'access-control-request-method': method, ...more },
  });
const allowedBy = (answer: Response) => answer.headers.get('access-control-allow-origin');

describe('a bucket with cross-origin rules', () => {
  test('answers the preflight of a signed link without a signature, by the first rule that matches', async () => {
    const { url } = await linkedBucket();
    const put = await preflight(url, 'PUT', {
      'access-control-request-headers': 'content-type',
    });
    expect([put.status, allowedBy(put), put.headers.get('access-control-max-age')]).toEqual([200, OWN, '60']);
    expect(put.headers.get('access-control-allow-headers')).toBe('content-type');
    const get = await preflight(url, 'GET');
    expect([get.status, allowedBy(get), get.headers.get('access-control-expose-headers')]).toEqual([200, '*', 'etag']);
  });

  test.each([
    ['another origin', { origin: 'https://console.example' }],
    ['another method', { 'access-control-request-method': 'DELETE' }],
    ['another header', { 'access-control-request-headers': 'content-type, x-amz-acl' }],
  ])('refuses the preflight of %s', async (_of, headers) => {
    const { url } = await linkedBucket();
    const answer = await preflight(url, 'PUT', headers);
    expect([answer.status, allowedBy(answer)]).toEqual([403, null]);
    expect(await answer.text()).toContain('AccessForbidden');
  });

  test('lets scripts of these origins read what it answers, errors too, and no others', async () => {
    const { url } = await linkedBucket();
    const put = (origin: string, to = url) => fetch(to, { method: 'PUT', body: 'text', headers: { origin } });
    const [own, other, forged] = await Promise.all([put(OWN), put('https://other.example'), put(OWN, `${url}0`)]);
    expect([own.status, allowedBy(own), own.headers.get('vary')]).toEqual([
      200,
      OWN,
      expect.stringContaining('Origin'),
    ]);
    expect([other.status, allowedBy(other)]).toEqual([200, null]);
    expect([forged.status, allowedBy(forged)]).toEqual([403, OWN]);
  });

  test.each([{ AllowedMethods: ['PATCH'] }, { AllowedOrigins: ['https://*.*'] }, { AllowedOrigins: [] }])(
    'takes no rule that S3 refuses: %j',
    (change) => {
      const rule = { AllowedOrigins: ['*'], AllowedMethods: ['GET'] };
      expect(CorsRule.safeParse(rule).success).toBe(true);
      expect(CorsRule.safeParse({ ...rule, ...change }).success).toBe(false);
    },
  );
});

test('a bucket without rules allows no preflight', async () => {
  const { client, Bucket } = await testBucket(endpoint);
  const url = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'key' }));
  expect((await preflight(url, 'PUT')).status).toBe(403);
});
