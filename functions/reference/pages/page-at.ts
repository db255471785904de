import { type DocumentPath, documentAt, INTERFACES } from '../documents/documents.ts';
import { GUIDES } from '../guides/guides.ts';
import type { DocumentView } from './document-view.ts';
import { indexPage } from './index-page.tsx';
import { problemList, problemPage } from './problem-pages.tsx';
import { referencePage } from './reference-page.tsx';

const PATHS = Object.keys(INTERFACES) as DocumentPath[];
const LINKS = [
  ...PATHS.map((path) => ({ to: `/docs/${GUIDES[path].slug}`, name: INTERFACES[path].title })),
  { to: '/docs/problems', name: 'Error codes' },
];

/** The text of the page at a path below /docs; undefined if there is none. @param domains those of the stage */
export function pageAt(path: string, domains: readonly string[]): string | undefined {
  if (path === '/docs') {
    return indexPage(
      PATHS.map((one) => ({ ...GUIDES[one], title: INTERFACES[one].title, path: one })),
      LINKS,
    );
  }
  if (path === '/docs/problems') return problemList(LINKS);
  const code = /^\/docs\/problems\/([a-z-]{1,60})$/.exec(path)?.[1];
  if (code !== undefined) return problemPage(code, LINKS);
  const document = PATHS.find((one) => path === `/docs/${GUIDES[one].slug}`);
  return document && referenceOf(document, domains);
}

function referenceOf(path: DocumentPath, domains: readonly string[]): string {
  // A document is JSON, as its readers get it; the address of the API is of no interest to a page.
  const document: DocumentView = JSON.parse(JSON.stringify(documentAt(path, { domains, url: '/' })));
  return referencePage({ document, path, guide: GUIDES[path], links: LINKS });
}
