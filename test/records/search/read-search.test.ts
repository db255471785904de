import { describe, expect, it } from 'vitest';
import { DATA_PLANS } from '../../../cdk/settings.ts';
import { readSearch } from '../../../functions/records/search/read-search.ts';
import { viewsOf } from '../../../shared/auth/data-plan.ts';

const read = (parameters: Record<string, string>, type = 'businesses', plan = 'demo') =>
  readSearch(type, parameters, viewsOf(DATA_PLANS, plan));
const refusal = (parameters: Record<string, string>, type?: string, plan?: string) => {
  try {
    read(parameters, type, plan);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a call of a data endpoint', () => {
  it('has the defaults of the interface', () => {
    const search = read({ q: 'city:austin' });
    expect(search).toMatchObject({
      type: 'businesses',
      format: 'json',
      download: false,
      view: { name: 'businesses_all' },
    });
    expect(search.records).toBeUndefined();
    expect(read({ q: 'a', records: '', format: '', view: '' })).toMatchObject({ format: 'json' });
  });

  it('orders records by the index unless relevance is asked for', () => {
    expect([read({ q: 'a' }).order, read({ q: 'a', order: 'Relevance' }).order]).toEqual(['index', 'relevance']);
    expect(read({ q: 'a', order: 'index', download: 'true' }).order).toBe('index');
  });

  it('takes format and download in either letter case', () => {
    expect(read({ q: 'a', format: 'CSV', download: 'TRUE' })).toMatchObject({ format: 'csv', download: true });
  });

  it.each([
    [{ q: 'nofield:x' }, 400, 'nofield does not exist in business schema'],
    [{ q: 'reviews.nosub:x' }, 400, 'reviews.nosub does not exist in business schema'],
    [{ q: 'a', view: 'nope' }, 400, 'view does not exist'],
    [{ q: 'a', view: 'products_all' }, 400, 'view does not exist'],
    [{ q: 'a', format: 'xml' }, 400, 'format must be json or csv'],
    [{ q: 'a', format: 'csv', csvFormulas: 'off' }, 400, 'csvFormulas must be guarded or raw'],
    [{ q: 'a', download: 'yes' }, 400, 'download must be true or false'],
    [{ q: 'a', order: 'name' }, 400, 'order must be index or relevance'],
    [{ q: 'a', order: 'relevance', download: 'true' }, 400, 'order must be index for a download'],
    [{ q: 'a', records: '-1' }, 400, 'records must be a whole number'],
    [{ q: 'a', records: 'abc' }, 400, 'records must be a whole number'],
    [{ q: 'a', records: '1e9' }, 400, 'records must be a whole number'],
    [{ q: 'a', records: '1.5' }, 400, 'records must be a whole number'],
    [{ q: 'a', records: '11' }, 403, 'exceeds preview record limit'],
    [{ q: 'a', records: '999999999999999' }, 403, 'exceeds preview record limit'],
    [{ q: 'a', records: '-5' }, 400, 'records must be a whole number, 0 or more'],
    [{ q: 'a', records: '-5', download: 'true' }, 400, 'numRequested cannot be <= 0'],
    [{ q: 'a', records: ' -5 ', download: 'TRUE' }, 400, 'numRequested cannot be <= 0'],
    [{ q: 'a', records: '-99999999999999999999', download: 'true' }, 400, 'numRequested cannot be <= 0'],
    [{ q: 'a', records: '0', download: 'true' }, 400, 'numRequested cannot be <= 0'],
    [{ q: 'a', records: '-0', download: 'true' }, 400, 'numRequested cannot be <= 0'],
    [{ q: 'a', records: '-1.5', download: 'true' }, 400, 'records must be a whole number'],
    [{ q: 'a', records: '-', download: 'true' }, 400, 'records must be a whole number'],
    [{ q: 'a', records: '9999999999999999', download: 'true' }, 400, 'records must be a whole number'],
    [{}, 400, 'q is required'],
    [{ q: '   ' }, 400, 'q is required'],
    [{ q: '(name:a' }, 400, 'invalid query'],
    [{ q: 'name:"a' }, 400, 'invalid query'],
    [{ q: 'name:/a+/' }, 400, 'invalid query'],
    [{ q: 'latitude:north' }, 400, 'invalid query'],
    [{ q: `name:${'x'.repeat(10_000)}` }, 400, 'invalid query'],
  ])('is refused for %j with %i', (parameters, status, text) => {
    expect(refusal(parameters as Record<string, string>)).toMatchObject({
      status,
      detail: expect.stringContaining(text),
    });
  });

  it('names the schema of its own type in the schema error', () => {
    expect(refusal({ q: 'x:1' }, 'products')).toMatchObject({ detail: 'x does not exist in product schema' });
    expect(refusal({ q: 'x:1' }, 'properties')).toMatchObject({ detail: 'x does not exist in property schema' });
  });

  it('is refused for the first thing that is wrong, in the order of the interface', () => {
    const wrong = { view: 'nope', format: 'xml', q: '', records: '11' };
    expect(refusal(wrong, 'people')).toMatchObject({ status: 404 });
    expect(refusal(wrong)).toMatchObject({ detail: 'view does not exist' });
    expect(refusal({ ...wrong, view: '' })).toMatchObject({ detail: expect.stringContaining('format') });
    const nothing = { view: 'nope', format: 'xml', q: '', records: '-5', download: 'true' };
    expect(refusal(nothing)).toMatchObject({ detail: 'view does not exist' });
    expect(refusal({ ...nothing, view: '' })).toMatchObject({ detail: expect.stringContaining('format') });
    for (const records of ['-5', '0']) {
      expect(refusal({ ...nothing, view: '', format: '', records })).toMatchObject({
        detail: 'numRequested cannot be <= 0',
      });
    }
    expect(refusal({ ...wrong, view: '', format: '' })).toMatchObject({ detail: 'q is required' });
    expect(refusal({ records: '11', q: '(' })).toMatchObject({ detail: expect.stringContaining('invalid query') });
    const all = { records: '11', q: 'a', view: 'businesses_all_nested' };
    expect(refusal(all, 'businesses', 'basic')).toMatchObject({
      detail: expect.stringContaining('preview record limit'),
    });
  });

  it('is refused a view that the plan does not have', () => {
    const nested = { q: 'a', view: 'businesses_all_nested' };
    expect(refusal(nested, 'businesses', 'basic')).toMatchObject({
      status: 403,
      detail: 'user does not have access to this view',
    });
    expect(refusal(nested, 'businesses', 'demo')).toBeUndefined();
    expect(refusal({ q: 'a', view: 'businesses_basic' }, 'businesses', 'basic')).toBeUndefined();
  });

  it('takes no name of a property of every object for a type, view or field', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(refusal({ q: 'a' }, name)).toMatchObject({ status: 404 });
      expect(refusal({ q: 'a', view: name })).toMatchObject({ detail: 'view does not exist' });
      expect(refusal({ q: `${name}:a` })).toMatchObject({ detail: `${name} does not exist in business schema` });
    }
  });
});
