import { describe, expect, test } from 'vitest';
import type { NeededPermission, Principal } from '../../../../cdk/local/endpoint/aws-service.ts';
import { Authorizer } from '../../../../cdk/local/iam/authorizer.ts';
import type { PolicyDocument } from '../../../../cdk/local/iam/policy-document.ts';

const ACCOUNT = '000000000000';
const BUCKET = 'arn:aws:s3:::results';
const READ: NeededPermission = { action: 's3:GetObject', resource: `${BUCKET}/a.csv` };
const root: Principal = { kind: 'root', arn: `arn:aws:iam::${ACCOUNT}:root` };

function statement(Effect: 'Allow' | 'Deny', rest: object): PolicyDocument {
  return { Version: '2012-10-17', Statement: [{ Effect, Action: 's3:GetObject', Resource: `${BUCKET}/*`, ...rest }] };
}

function setting(own: PolicyDocument[], ofBucket?: PolicyDocument) {
  const authorizer = new Authorizer({ region: 'us-east-1', accountId: ACCOUNT, now: () => new Date('2026-03-01') });
  const reader: Principal = { kind: 'role', arn: `arn:aws:iam::${ACCOUNT}:role/reader` };
  authorizer.setIdentityPolicies(reader, own);
  if (ofBucket) authorizer.setResourcePolicy(BUCKET, ofBucket);
  return { authorizer, reader };
}

function readerMay(own: PolicyDocument[], ofBucket?: PolicyDocument): boolean {
  const { authorizer, reader } = setting(own, ofBucket);
  return authorizer.allows(reader, READ);
}

describe('a role', () => {
  test('may do what one of its policies allows, and nothing else', () => {
    expect(readerMay([])).toBe(false);
    expect(readerMay([statement('Allow', {})])).toBe(true);
    expect(readerMay([statement('Allow', { Action: 'S3:getobject' })])).toBe(true);
    expect(readerMay([statement('Allow', { Action: ['s3:Get*'], Resource: '*' })])).toBe(true);
    expect(readerMay([statement('Allow', { Action: 's3:PutObject' })])).toBe(false);
    expect(readerMay([statement('Allow', { Resource: BUCKET })])).toBe(false);
  });

  test('may not do what any statement denies', () => {
    expect(readerMay([statement('Allow', {}), statement('Deny', {})])).toBe(false);
    expect(readerMay([statement('Allow', {}), statement('Deny', { Action: 's3:*', Resource: '*' })])).toBe(false);
  });

  test('is bound by NotAction and NotResource', () => {
    const other = { Action: undefined, NotAction: 's3:DeleteObject' };
    expect(readerMay([statement('Allow', other)])).toBe(true);
    expect(readerMay([statement('Allow', { Action: undefined, NotAction: 's3:Get*' })])).toBe(false);
    expect(readerMay([statement('Allow', { Resource: undefined, NotResource: `${BUCKET}/secret/*` })])).toBe(true);
    expect(readerMay([statement('Allow', { Resource: undefined, NotResource: `${BUCKET}/*` })])).toBe(false);
  });

  test('is told what it may not do, in the words of AWS', () => {
    const { authorizer, reader } = setting([]);
    expect(authorizer.refusal(reader, [READ])).toBe(
      `User: ${reader.arn} is not authorized to perform: s3:GetObject on resource: ${BUCKET}/a.csv because no identity-based policy allows the s3:GetObject action`,
    );
  });

  test('loses its former policies with new ones', () => {
    const { authorizer, reader } = setting([statement('Allow', {})]);
    authorizer.setIdentityPolicies(reader, []);
    expect(authorizer.allows(reader, READ)).toBe(false);
  });
});

describe('the policy of a resource', () => {
  const role = { AWS: `arn:aws:iam::${ACCOUNT}:role/reader` };

  test('allows the roles that it names', () => {
    expect(readerMay([], statement('Allow', { Principal: role }))).toBe(true);
    expect(readerMay([], statement('Allow', { Principal: '*' }))).toBe(true);
    expect(readerMay([], statement('Allow', { Principal: { AWS: '*' } }))).toBe(true);
    expect(readerMay([], statement('Allow', { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/other` } }))).toBe(false);
    expect(readerMay([], statement('Allow', { Principal: { Service: 'events.amazonaws.com' } }))).toBe(false);
  });

  test('that names the account leaves the decision to the own policies', () => {
    const account = statement('Allow', { Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } });
    expect(readerMay([], account)).toBe(false);
    expect(readerMay([statement('Allow', {})], account)).toBe(true);
  });

  test('that denies wins over everything, also over the owner of the account', () => {
    const { authorizer, reader } = setting([statement('Allow', {})], statement('Deny', { Principal: '*' }));
    expect(authorizer.allows(reader, READ)).toBe(false);
    expect(authorizer.allows(root, READ)).toBe(false);
    expect(authorizer.refusal(root, [READ])).toContain('with an explicit deny in a resource-based policy');
  });

  test('that denies everybody but one spares that one', () => {
    const deny = statement('Deny', { NotPrincipal: role });
    expect(readerMay([statement('Allow', {})], deny)).toBe(true);
    expect(readerMay([statement('Allow', {})], statement('Deny', { NotPrincipal: { AWS: root.arn } }))).toBe(false);
  });

  test('that asks for TLS lets local calls pass', () => {
    const tls = statement('Deny', { Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    expect(readerMay([statement('Allow', {})], tls)).toBe(true);
  });
});

describe('the owner of the account', () => {
  test('needs no policy', () => {
    expect(setting([]).authorizer.allows(root, READ)).toBe(true);
  });
});

describe('a policy document', () => {
  test.each([
    ['without Effect', { Statement: [{ Action: 's3:*', Resource: '*' }] }],
    [
      'with Action and NotAction',
      { Statement: [{ Effect: 'Allow', Action: 's3:*', NotAction: 's3:*', Resource: '*' }] },
    ],
    [
      'with a member that IAM does not know',
      { Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*', When: 'now' }] },
    ],
    [
      'with a variable in its resource',
      { Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: 'arn:aws:s3:::b/${aws:userid}/*' }] },
    ],
    ['that is none', 'allow all'],
  ])('%s is refused', (_what, document) => {
    const { authorizer } = setting([]);
    expect(() => authorizer.setResourcePolicy(BUCKET, JSON.parse(JSON.stringify(document)))).toThrow();
  });
});
