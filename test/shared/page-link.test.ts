import { describe, expect, it } from 'vitest';
import { type HttpEvent, ok } from '../../shared/http/http-handler.ts';
import { linked } from '../../shared/http/page-link.ts';

const event = (rawQueryString: string) => ({ rawPath: '/manage/v1/runs', rawQueryString }) as HttpEvent;

describe('the link of a page', () => {
  it('leads to the next page with the same filters', () => {
    const page = ok({ items: [1], nextCursor: 'a+b/c=' });
    const { link } = linked(event('status=FAILED&cursor=old&limit=1'), page).headers ?? {};
    const [, target = ''] = /^<(.*)>; rel="next"$/.exec(String(link)) ?? [];
    const { pathname, searchParams } = new URL(target, 'http://localhost');
    expect(pathname).toBe('/manage/v1/runs');
    expect(Object.fromEntries(searchParams)).toEqual({ status: 'FAILED', cursor: 'a+b/c=', limit: '1' });
  });

  it('is absent on the last page and from what is no page', () => {
    const others = [ok({ items: [] }), ok({ text: '{"nextCursor":"x"}' }), ok({ data: { nextCursor: 'x' } })];
    for (const answer of others) expect(linked(event(''), answer)).toEqual(answer);
  });
});
