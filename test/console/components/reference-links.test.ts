import { describe, expect, it } from 'vitest';
import { DOMAIN_NAMES } from '../../../cdk/settings.ts';
import { Assets } from '../../../functions/console/assets/asset-paths.ts';
import { OPERATOR_SCREENS, TENANT_SCREENS } from '../../../functions/console/components/navigation.ts';
import { sectionOf, TAB_SECTIONS } from '../../../functions/console/components/reference-links.ts';
import { page } from '../../../functions/console/pages/screen.ts';
import { presentAnswer } from '../../../functions/console/serving/present.tsx';
import { pageAt } from '../../../functions/reference/pages/page-at.ts';
import type { HttpEvent } from '../../../shared/http/http-handler.ts';

const reference = pageAt('/docs/management', DOMAIN_NAMES) ?? '';
const screens = [
  ...TENANT_SCREENS.flatMap(({ screens: own }) =>
    own.map(([path]) => `/console/t/acme${path === '' ? '' : `/${path}`}`),
  ),
  ...Object.keys(TAB_SECTIONS).map((path) => `/console/t/acme/${path}`),
  ...OPERATOR_SCREENS.map(([path]) => path),
];

/** The text of a page of the console at this path. */
function pageText(rawPath: string): string {
  const bytes = { type: 'text/plain', bytes: Buffer.from('') };
  const assets = new Assets({ 'console.css': bytes, 'page-script.js': bytes, 'logo.svg': bytes, 'inter.woff2': bytes });
  const person = { name: 'demo', subject: 'demo', tenant: 'acme', isOperator: true };
  const event = {
    rawPath,
    rawQueryString: '',
    headers: {},
    requestContext: { http: { method: 'GET' } },
  } as unknown as HttpEvent;
  const view = { person, tenant: 'acme', now: 0, newFormToken: () => '' };
  const { body = '' } = presentAnswer(
    { productName: 'Acme <desk>', assets, headers: { imageOrigins: [], uploadOrigins: [] } },
    { event, view, answer: page('A', 'B') },
  );
  return body;
}

describe('a screen of the console', () => {
  it.each(screens)('at %s links to its operations, which the reference has', (path) => {
    const [anchor, label] = sectionOf(path) ?? [];
    expect(reference).toContain(` id="${anchor}"`);
    expect(pageText(path)).toContain(`<a href="/docs/management#${anchor}">API reference: ${label}</a>`);
  });

  it('links to the same from the pages below it', () => {
    expect(sectionOf('/console/t/acme/runs/run_1?tab=request')).toEqual(sectionOf('/console/t/acme/runs'));
    expect(sectionOf('/console/t/acme/?a=1')).toEqual(sectionOf('/console/t/acme'));
  });

  it('has the name that the deployment gives the product, as text', () => {
    expect(pageText('/console/t/acme')).toContain('A · Acme &lt;desk></title>');
    expect(pageText('/console/t/acme')).toContain('alt/> Acme &lt;desk></a>');
  });

  it('links to nothing where it shows nothing of the API', () => {
    expect(['/console/second-factor', '/console/menu', '/console/t/acme/menu'].map(sectionOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(pageText('/console/second-factor')).not.toContain('API reference');
  });
});
