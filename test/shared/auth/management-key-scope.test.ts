import { describe, expect, it } from 'vitest';
import { reaches, SCOPES, type Scope, scopeFor } from '../../../shared/auth/management-key-scope.ts';

const needed = (method: string, routeKey: string) => scopeFor({ method, routeKey });

describe('the scope that a request needs', () => {
  it.each([
    ['GET', 'GET /manage/v1/runs', 'read'],
    ['GET', 'ANY /manage/{proxy+}', 'read'],
    ['HEAD', 'ANY /manage/{proxy+}', 'read'],
    ['GET', 'GET /manage/v1/requests/{id}', 'read'],
    ['GET', 'GET /manage/v1/requests/{id}/files/{number}/records', 'manage'],
    ['POST', 'POST /manage/v1/events', 'events'],
    ['POST', 'POST /manage/v1/rules', 'manage'],
    ['POST', 'POST /manage/v1/runs/{id}/replay', 'manage'],
    ['POST', 'ANY /manage/{proxy+}', 'manage'],
    ['PUT', 'PUT /manage/v1/rules/{id}', 'manage'],
    ['PATCH', 'PATCH /manage/v1/rules/{id}', 'manage'],
    ['DELETE', 'DELETE /manage/v1/accounts/{id}/management-keys/{keyId}', 'manage'],
    ['OPTIONS', 'ANY /manage/{proxy+}', 'manage'],
    ['get', 'ANY /manage/{proxy+}', 'manage'],
  ])('of %s by the route %s is %s', (method, routeKey, scope) => {
    expect(needed(method, routeKey)).toBe(scope);
  });
});

describe('a scope', () => {
  it('reaches itself alone, and manage reaches all', () => {
    const reached = (own: Scope) => SCOPES.filter((scope) => reaches([own], scope));
    expect(reached('events')).toEqual(['events']);
    expect(reached('read')).toEqual(['read']);
    expect(reached('manage')).toEqual([...SCOPES]);
    expect(SCOPES.filter((scope) => reaches(['read', 'events'], scope))).toEqual(['events', 'read']);
    expect(SCOPES.filter((scope) => reaches([], scope))).toEqual([]);
  });
});
