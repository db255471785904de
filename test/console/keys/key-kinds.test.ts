import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { KEY_KINDS, SCOPES } from '../../../functions/console/keys/key-kinds.ts';
import { Form } from '../../../functions/console/pages/form.ts';
import { SCOPES as ALL_SCOPES } from '../../../shared/auth/management-key-scope.ts';

const kind = (name: string) => KEY_KINDS.find((one) => one.name === name) ?? expect.fail(name);
const createdAt = '2026-11-22T00:00:00.000Z';

describe('keys of every kind', () => {
  it.each([
    [
      'keys',
      {
        id: 'k1',
        name: 'Shop',
        mode: 'live',
        prefix: 'cv_live_demo_k1_',
        createdAt,
        createdBy: null,
        lastUsedAt: null,
      },
      { about: 'Shop', more: 'Live', prefix: 'cv_live_demo_k1_' },
    ],
    [
      'oauth-clients',
      {
        id: 'c1',
        clientId: 'c1',
        mode: 'test',
        createdAt,
        createdBy: { kind: 'key', id: 'm1', name: null },
        lastUsedAt: createdAt,
      },
      { about: 'Test', more: '', createdBy: 'm1', lastUsedAt: createdAt },
    ],
    [
      'management-keys',
      {
        id: 'm1',
        name: 'Server',
        scopes: ['read', 'later'],
        createdAt,
        createdBy: { kind: 'person', id: 'p1', name: 'Dana', operator: false },
        lastUsedAt: createdAt,
        expiresAt: null,
        revokedAt: createdAt,
      },
      { about: 'Server', more: 'Read, later', createdBy: 'Dana', lastUsedAt: createdAt, revokedAt: createdAt },
    ],
    ['data-tokens', { id: 'tok_1', planId: 'basic', availableDownloads: 1_000, createdAt }, { more: '1,000 credits' }],
  ])('%s are listed by what tells them apart', (name, item, shown) => {
    const { items, nextCursor } = z.parse(kind(name).page, { items: [item], nextCursor: 'on' });
    expect([items[0], nextCursor]).toEqual([expect.objectContaining({ id: item.id, createdAt, ...shown }), 'on']);
  });

  it.each([
    ['keys', { id: 'k1', key: 'secret' }, 'k1'],
    ['oauth-clients', { clientId: 'c1', clientSecret: 'secret' }, 'c1'],
    ['management-keys', { id: 'm1', key: 'secret' }, 'm1'],
    ['data-tokens', { id: 'tok_1', token: 'secret' }, 'tok_1'],
  ])('%s show the secret of the answer that made them', (name, answer, id) => {
    expect(z.parse(kind(name).newSecret, answer)).toEqual({ id, secret: 'secret' });
  });
});

describe('a form for a new key', () => {
  it('sends what was stated', () => {
    expect(kind('keys').bodyOf(new Form('mode=live'))).toEqual({ mode: 'live' });
    expect(kind('keys').bodyOf(new Form('mode=test&name=+Shop+'))).toEqual({ mode: 'test', name: 'Shop' });
    const server = new Form('name=+Server+&scopes=read&scopes=events');
    expect(kind('management-keys').bodyOf(server)).toEqual({ name: 'Server', scopes: ['read', 'events'] });
    const expiring = new Form('name=Server&scopes=read&expiresOn=2027-01-31');
    expect(kind('management-keys').bodyOf(expiring)).toMatchObject({ expiresAt: '2027-01-31T00:00:00Z' });
    const token = new Form('availableDownloads=1,000&planId=basic');
    expect(kind('data-tokens').bodyOf(token)).toEqual({ availableDownloads: 1_000, planId: 'basic' });
  });

  it('leaves a number that is none to the service, which says what is wrong', () => {
    expect(kind('data-tokens').bodyOf(new Form('availableDownloads=many&planId=a'))).toMatchObject({
      availableDownloads: 'many',
    });
  });

  it('offers every scope', () => {
    expect(SCOPES.map(([scope]) => scope).toSorted()).toEqual([...ALL_SCOPES].toSorted());
  });
});
