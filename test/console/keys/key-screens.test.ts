import { expect, it } from 'vitest';
import { confirmRevoking, keyList } from '../../../functions/console/keys/key.screens.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const key = {
  id: 'abcdefghijklmnop',
  name: 'Server',
  scopes: ['read'],
  createdAt: '2026-11-01T00:00:00.000Z',
  createdBy: { kind: 'person', id: 'p1', name: 'Dana', operator: false },
  lastUsedAt: '2026-11-23T09:00:00.000Z',
  expiresAt: '2027-06-30T00:00:00.000Z',
};
const listed = async (own: object) =>
  (
    await renderedScreen(keyList, {
      path: { kind: 'management-keys' },
      answers: { 'GET accounts/demo/management-keys': { items: [{ ...key, ...own }] } },
    })
  ).text;

it('a management key is listed with who made it, its last use and its expiry', async () => {
  expect(await listed({})).toMatch(/Active .* by Dana .*Used 3 h ago .*expires 30 Jun 2027/);
  const other = await listed({ createdBy: null, lastUsedAt: null, expiresAt: null });
  expect(other).toMatch(/Not used yet .*no expiry/);
  expect(other).not.toContain('by ');
  expect(await listed({ expiresAt: '2026-11-22T00:00:00.000Z' })).toContain('Expired');
});

it('names the key before it is revoked, or its id where it is not among the newest', async () => {
  const questionOf = async (items: readonly object[]) =>
    (
      await renderedScreen(confirmRevoking, {
        path: { kind: 'management-keys', id: key.id },
        answers: { 'GET accounts/demo/management-keys': { items } },
      })
    ).text;
  expect(await questionOf([key])).toMatch(/Revoke the management key Server\? .*used 3 h ago/);
  expect(await questionOf([])).toMatch(/Revoke this management key\? abcdefghijklmnop/);
});
