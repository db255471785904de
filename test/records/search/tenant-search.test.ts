import { describe, expect, it } from 'vitest';
import { DATA_PLANS } from '../../../cdk/settings.ts';
import {
  NewRequest,
  orderFor,
  previewFor,
  type SearchToken,
  searchApi,
} from '../../../functions/records/search/tenant-search.ts';
import { viewsOf } from '../../../shared/auth/data-plan.ts';
import { Refusal } from '../../../shared/errors.ts';

const token = (tokenId: string, planId: string, availableDownloads: number, revokedAt?: string): SearchToken => ({
  tokenId,
  tenant: 'acme',
  planId,
  views: viewsOf(DATA_PLANS, planId),
  availableDownloads,
  revokedAt,
});
const basic = token('basic', 'basic', 900);
const rich = token('rich', 'basic', 1_000);
const full = token('full', 'demo', 5);
const gone = token('gone', 'demo', 9_000, '2026-01-01T00:00:00.000Z');

const order = (tokens: readonly SearchToken[], members: object) =>
  orderFor(tokens, NewRequest.parse({ type: 'businesses', q: 'name:a', ...members }));
const refused = (status: number, code: string, detail: string) => expect.objectContaining({ status, code, detail });

describe('a preview of a tenant', () => {
  it('shows the views that one of its tokens has, and no other', () => {
    expect(previewFor([basic, full], 'businesses', { q: 'a' }).view.name).toBe('businesses_all');
    expect(previewFor([basic], 'businesses', { q: 'a', view: 'businesses_basic' }).view.name).toBe('businesses_basic');
    expect(() => previewFor([basic, gone], 'businesses', { q: 'a' })).toThrow(
      refused(403, 'forbidden', 'user does not have access to this view'),
    );
  });

  it('shows nothing to a tenant without a token in force', () => {
    for (const tokens of [[], [gone]]) {
      const detail = 'The account has no valid data token.';
      expect(() => previewFor(tokens, 'businesses', { q: 'a' })).toThrow(refused(403, 'no-data-token', detail));
    }
  });

  it('has no more records than one of a token, and the count alone if none are wanted', () => {
    expect(previewFor([full], 'products', { q: 'a', records: '0' }).records).toBe(0);
    expect(() => previewFor([full], 'products', { q: 'a', records: '11' })).toThrow(
      refused(403, 'forbidden', 'numRequested exceeds preview record limit of 10'),
    );
  });

  it.each([
    [{}, 'q is required'],
    [{ q: 'colour:red' }, 'colour does not exist in business schema'],
    [{ q: '(a' }, 'invalid query: the parenthesis at character 1 is not closed'],
    [{ q: 'a', view: 'nope' }, 'view does not exist'],
    [{ q: 'a', records: 'many' }, 'records must be a whole number, 0 or more'],
  ])('of %j is refused in the words of the data endpoint', (query, detail) => {
    expect(() => previewFor([full], 'businesses', query)).toThrow(refused(400, 'invalid-query', detail));
  });

  it('of an unknown type is a 404', () => {
    expect(() => previewFor([full], 'constructor', { q: 'a' })).toThrow(expect.objectContaining({ status: 404 }));
  });
});

describe('a download that a tenant orders', () => {
  it('is paid by the token with the most credits of those whose plan has the view', () => {
    expect(order([basic, full, rich, gone], {}).token).toBe(full);
    expect(order([basic, full, rich], { view: 'businesses_basic' }).token).toBe(rich);
  });

  it('is paid by the token that it names, within the plan of that token', () => {
    expect(order([rich, basic], { view: 'businesses_basic', tokenId: 'basic' }).token).toBe(basic);
    expect(() => order([full, basic], { tokenId: 'basic' })).toThrow(
      refused(403, 'forbidden', 'user does not have access to this view'),
    );
  });

  it('is refused for a token of somebody else, for a revoked one, and without any', () => {
    expect(() => order([full], { tokenId: 'theirs' })).toThrow(refused(404, 'not-found', 'There is no such token.'));
    expect(() => order([full, gone], { tokenId: 'gone' })).toThrow(expect.objectContaining({ code: 'token-revoked' }));
    expect(() => order([gone], {})).toThrow(expect.objectContaining({ code: 'no-data-token' }));
  });

  it('is a download of as many records as stated, of all when none are', () => {
    expect(order([full], { records: 12, format: 'csv' }).search).toMatchObject({
      download: true,
      text: 'name:a',
      format: 'csv',
      recordsText: '12',
    });
    expect(order([full], {}).search).toMatchObject({ format: 'json', recordsText: '' });
  });

  it.each([{ type: 'people' }, { records: 0 }, { records: 1.5 }, { format: 'xml' }, { extra: 1 }, { q: undefined }])(
    'is refused with %j',
    (members) => {
      expect(NewRequest.safeParse({ type: 'businesses', q: 'a', ...members }).success).toBe(false);
    },
  );
});

describe('a refusal of the data endpoint', () => {
  const bodyOf = (refusal: Refusal) => JSON.parse(searchApi.present(refusal, 'r-1').body ?? '');

  it('that speaks of a token is a conflict here, where a person calls', () => {
    const detail = 'numRequested exceeds the available_downloads of the account';
    expect(bodyOf(new Refusal(403, 'too-few-credits', detail))).toMatchObject({ status: 409, detail });
    expect(bodyOf(new Refusal(401, 'token-revoked', 'Revoked.'))).toMatchObject({ status: 409, code: 'token-revoked' });
    expect(bodyOf(new Refusal(403, 'forbidden', 'No.'))).toMatchObject({ status: 403 });
  });
});
