import { describe, expect, it } from 'vitest';
import { authorizerResponse } from '../../../../cdk/local/http-api/authorizer-response.ts';

const ROUTES = 'arn:aws:execute-api:us-east-1:000000000000:api1234567/$default';
const NOW = new Map([['aws:sourceip', ['127.0.0.1']]]);

const simple = (answer: unknown) => authorizerResponse(JSON.stringify(answer), true);
const byPolicy = (answer: unknown) => authorizerResponse(JSON.stringify(answer), false);

function policy(...statements: object[]) {
  return {
    principalId: 'user',
    policyDocument: {
      Version: '2012-10-17',
      Statement: statements.map((statement) => ({
        Effect: 'Allow',
        Action: 'execute-api:Invoke',
        Resource: '*',
        ...statement,
      })),
    },
  };
}

function allows(answer: unknown, route: string): boolean {
  const response = byPolicy(answer);
  if (typeof response === 'string') throw new Error(response);
  return response.allows(`${ROUTES}/${route}`, NOW);
}

describe('a simple response', () => {
  it('allows or denies every route', () => {
    const allowed = simple({ isAuthorized: true, context: { tenant: 'acme', roles: ['a'] } });
    const denied = simple({ isAuthorized: false });
    if (typeof allowed === 'string' || typeof denied === 'string') throw new Error('not taken');
    expect(allowed.allows(`${ROUTES}/GET/items`, NOW)).toBe(true);
    expect(allowed.context).toEqual({ tenant: 'acme', roles: ['a'] });
    expect(denied.allows(`${ROUTES}/GET/items`, NOW)).toBe(false);
    expect(denied.context).toBeNull();
  });

  it.each([{ isAuthorized: 'true' }, { isAuthorized: 1 }, {}, null, true, 'yes', policy({})])(
    'of another form is malformed: %j',
    (answer) => {
      expect(simple(answer)).toBe('malformed');
    },
  );
});

describe('a response with a policy', () => {
  it('allows the routes that the policy names, and a Deny wins', () => {
    expect(allows(policy({}), 'GET/items')).toBe(true);
    expect(allows(policy({ Resource: `${ROUTES}/GET/*` }), 'GET/items/1')).toBe(true);
    expect(allows(policy({ Resource: `${ROUTES}/GET/*` }), 'POST/items')).toBe(false);
    expect(allows(policy({ Action: 'execute-api:*' }), 'GET/items')).toBe(true);
    expect(allows(policy({ Action: 's3:GetObject' }), 'GET/items')).toBe(false);
    const exceptAdmin = policy({}, { Effect: 'Deny', Resource: `${ROUTES}/*/admin` });
    expect(allows(exceptAdmin, 'GET/items')).toBe(true);
    expect(allows(exceptAdmin, 'GET/admin')).toBe(false);
  });

  it('may have conditions', () => {
    const from = (address: string) => policy({ Condition: { StringEquals: { 'aws:SourceIp': address } } });
    expect(allows(from('127.0.0.1'), 'GET/items')).toBe(true);
    expect(allows(from('10.0.0.1'), 'GET/items')).toBe(false);
  });

  it.each([
    { isAuthorized: true },
    { ...policy({}), principalId: undefined },
    { principalId: 'user' },
    { principalId: 'user', policyDocument: { Statement: [{ Effect: 'Maybe', Action: '*', Resource: '*' }] } },
    policy({ Condition: { StringEquals: { 'aws:Unknown': 'x' } } }),
  ])('of another form is malformed: %j', (answer) => {
    expect(byPolicy(answer)).toBe('malformed');
  });
});

describe('the answer {"errorMessage":"Unauthorized"}', () => {
  it('asks for credentials, whatever the form', () => {
    expect(simple({ errorMessage: 'Unauthorized' })).toBe('unauthorized');
    expect(byPolicy({ errorMessage: 'Unauthorized' })).toBe('unauthorized');
    expect(simple({ errorMessage: 'Unauthorized: expired' })).toBe('malformed');
  });
});
