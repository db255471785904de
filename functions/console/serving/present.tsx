import type { ComponentChild } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { HttpEvent, HttpResult } from '#shared/http/http-handler';
import { originOf } from '#shared/http/public-domain';
import type { Assets } from '../assets/asset-paths.ts';
import { Document } from '../components/document.tsx';
import { type FieldFault, FieldFaultsContext } from '../components/field-faults.tsx';
import { type View, ViewContext } from '../components/view.ts';
import type { Answer, Page } from '../pages/screen.ts';
import { timeZoneIn } from '../sessions/session-cookie.ts';
import { type HeaderRules, securityHeaders } from './security-headers.ts';

export interface Presenting {
  readonly assets: Assets;
  readonly headers: HeaderRules;
  /** The name of the screens. */
  readonly productName: string;
}

/** The members of a view that depend on the request. */
export type RequestView = Pick<View, 'person' | 'tenant' | 'now' | 'newFormToken' | 'sessionEndsAt'>;

interface Presented {
  readonly event: HttpEvent;
  readonly view: RequestView;
  readonly answer: Answer;
  readonly cookies?: readonly string[];
  readonly more?: Readonly<Record<string, string>>;
}

/** Returns the response for the gateway: pages are rendered and never cached. */
export function presentAnswer(
  presenting: Presenting,
  { event, view, answer, cookies = [], more }: Presented,
): HttpResult {
  const headers = { ...securityHeaders(presenting.headers), 'cache-control': 'no-store', ...more };
  const own = cookies.length > 0 ? { cookies: [...cookies] } : {};
  switch (answer.kind) {
    case 'redirect':
      return { statusCode: 303, headers: { ...headers, location: answer.to }, ...own };
    case 'download':
      return {
        statusCode: 200,
        headers: {
          ...headers,
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${answer.name.replaceAll(/[^\w.-]/g, '_')}"`,
        },
        ...inBase64(answer.bytes),
        ...own,
      };
    default: {
      const { html, isOver } = rendered(presenting, event, view, answer);
      const live: Record<string, string> = isOver ? { 'x-live-over': '1' } : {};
      const type = { 'content-type': 'text/html; charset=utf-8' };
      return {
        statusCode: answer.status ?? 200,
        headers: { ...headers, ...live, ...sessionHeaders(view), ...type },
        body: html,
        ...own,
      };
    }
  }
}

function rendered({ assets, productName }: Presenting, event: HttpEvent, request: RequestView, page: Page) {
  const view: View = {
    ...request,
    timeZone: timeZoneIn(event.cookies ?? []),
    url: event.rawQueryString === '' ? event.rawPath : `${event.rawPath}?${event.rawQueryString}`,
    origin: originOf(event),
    hasOwnAddress: event.requestContext.http.method !== 'POST',
    asset: (name) => assets.path(name),
    productName,
  };
  const inView = (content: ComponentChild, faults?: FieldFault[]) =>
    renderToString(
      <ViewContext.Provider value={view}>
        <FieldFaultsContext.Provider value={faults}>{content}</FieldFaultsContext.Provider>
      </ViewContext.Provider>,
    );
  const name = new URLSearchParams(event.rawQueryString).get('fragment') ?? '';
  const part = page.live && Object.hasOwn(page.live, name) ? page.live[name] : undefined;
  if (part) return { html: inView(part.content), isOver: part.isOver };
  const isRefused = event.requestContext.http.method === 'POST' && (page.status ?? 200) >= 400;
  const faults: FieldFault[] = [];
  // The summary of the faults stands above the fields, so they are rendered once to collect them.
  if (isRefused) inView(page.body, faults);
  const html = inView(
    <Document title={page.title} faults={faults}>
      {page.body}
    </Document>,
    isRefused ? [] : undefined,
  );
  return { html: `<!doctype html>${html}`, isOver: false };
}

/** Tells the page's script when the session ends. */
const sessionHeaders = ({ sessionEndsAt, now }: RequestView): Record<string, string> =>
  sessionEndsAt === undefined ? {} : { 'x-session-millis': String(sessionEndsAt - now) };

/** Returns a static file, which browsers cache for as long as its address exists. */
export function presentAsset({ assets, headers }: Presenting, event: HttpEvent): HttpResult | undefined {
  const asset = assets.at(event.rawPath);
  if (!asset) return undefined;
  return {
    statusCode: 200,
    headers: {
      ...securityHeaders(headers),
      'content-type': asset.type,
      'cache-control': asset.isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
    ...inBase64(asset.bytes),
  };
}

const inBase64 = (bytes: Uint8Array) => ({
  body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  isBase64Encoded: true,
});
