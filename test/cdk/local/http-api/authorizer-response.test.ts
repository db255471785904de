import { describe, expect, it } from 'vitest';
import { authorizerResponse } from '../../../../cdk/local/http-api/authorizer-response.ts';

const responseOf = (answer: unknown) => authorizerResponse(JSON.stringify(answer));

describe('a simple response', () => {
  it('allows or denies every route', () => {
    const context = { tenant: 'acme', roles: ['a'] };
    expect(responseOf({ isAuthorized: true, context })).toEqual({ isAuthorized: true, context });
    expect(responseOf({ isAuthorized: false })).toEqual({ isAuthorized: false, context: null });
  });

  it.each([
    { isAuthorized: 'true' },
    { isAuthorized: 1 },
    {},
    null,
    true,
    'yes',
    { principalId: 'user', policyDocument: {} },
  ])('of another form is malformed: %j', (answer) => {
    expect(responseOf(answer)).toBe('malformed');
  });
});

describe('the answer {"errorMessage":"Unauthorized"}', () => {
  it('asks for credentials', () => {
    expect(responseOf({ errorMessage: 'Unauthorized' })).toBe('unauthorized');
    expect(responseOf({ errorMessage: 'Unauthorized: expired' })).toBe('malformed');
  });
});
