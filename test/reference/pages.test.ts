import { describe, expect, it } from 'vitest';
import { DOMAIN_NAMES } from '../../cdk/settings.ts';
import { belongsTo, errorsOf } from '../../functions/reference/documents/document.ts';
import { INTERFACES } from '../../functions/reference/documents/documents.ts';
import { GROUPS } from '../../functions/reference/documents/groups.ts';
import type { Interface } from '../../functions/reference/documents/interface.ts';
import { GUIDES } from '../../functions/reference/guides/guides.ts';
import { pageAt } from '../../functions/reference/pages/page-at.ts';
import { PROBLEM_CODES } from '../../functions/reference/problems/problem-codes.ts';
import type { Operation } from '../../shared/http/operation.ts';

const pages = new Map<string, string>();
/** Each page is made once. */
function page(path: string): string {
  const text = pages.get(path) ?? pageAt(path, DOMAIN_NAMES) ?? '';
  pages.set(path, text);
  return text;
}
const REFERENCES = Object.values(GUIDES).map(({ slug }) => `/docs/${slug}`);
const PAGES = ['/docs', '/docs/problems', ...REFERENCES];

/** The codes of problem details in all documents. */
const codes = new Set(
  Object.values<Interface>(INTERFACES)
    .filter(({ error }) => error.mediaType === 'application/problem+json')
    .flatMap((served) =>
      Object.values(GROUPS)
        .flat()
        .flatMap(({ operations }) => Object.values<Operation>(operations))
        .filter((operation) => belongsTo(served, operation.route) && !operation.errorBody)
        .flatMap((operation) => Object.values(errorsOf(served, operation)).flat()),
    ),
);

describe('the reference', () => {
  it.each([...codes].sort())('has a page about %s, with what it means and what to do', (code) => {
    const { meaning = '', advice = '' } = PROBLEM_CODES[code] ?? {};
    expect([meaning, advice].map((text) => text.length > 10)).toEqual([true, true]);
    expect(page(`/docs/problems/${code}`)).toContain(meaning.slice(0, 20));
  });

  it('has no page about a code that no operation answers with', () => {
    expect(Object.keys(PROBLEM_CODES).filter((code) => !codes.has(code))).toEqual(['method-not-allowed']);
  });

  it.each(PAGES)('leads from %s to pages and places that there are', (path) => {
    const text = page(path);
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(3);
    for (const href of new Set(links)) {
      if (href.startsWith('#')) expect(ids, href).toContain(href.slice(1));
      else if (href.startsWith('/docs')) expect(page(href).length, href).toBeGreaterThan(100);
      else expect(href).toMatch(/^(?:https:\/\/www\.rfc-editor\.org\/|\/console$|\/\S*openapi\.json$)/);
    }
  });

  it.each(PAGES)('has no script and nothing of another origin in %s', (path) => {
    expect(page(path)).not.toMatch(/<script|<img|<link|<iframe| src=| on\w+=|@import|url\(/i);
  });

  it.each(REFERENCES)('shows each operation of %s once', (path) => {
    const anchors = [...page(path).matchAll(/<h3 id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors.length).toBeGreaterThan(5);
  });

  it('has no page at a path that is none', () => {
    for (const path of ['/docs/nothing', '/docs/problems/nothing', '/docs/problems/constructor', '/docs/problems/../x'])
      expect(pageAt(path, DOMAIN_NAMES)).toBeUndefined();
  });

  it('leaves out the operations of domains that the stage lacks', () => {
    expect(pageAt('/docs/management', ['conversions'])).not.toContain('Replay a failed run');
    expect(pageAt('/docs/management', ['webhooks'])).toContain('Replay a failed run');
  });
});
