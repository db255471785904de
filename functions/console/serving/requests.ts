import type { HttpEvent } from '#shared/http/http-handler';
import { ownPath } from '../pages/own-path.ts';
import { type Answer, seeOther } from '../pages/screen.ts';
import { SECOND_FACTOR_PATH } from '../sessions/second-factor.ts';
import { type CookieRules, endedCookie } from '../sessions/session-cookie.ts';
import type { OpenSession } from './session-of.ts';

export interface ConsoleRequest {
  readonly event: HttpEvent;
  readonly session: OpenSession | undefined;
  readonly now: number;
}

/** An answer with its cookies, headers and tenant. */
export interface AnswerParts {
  readonly answer: Answer;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The tenant of the screen. */
  readonly tenant?: string;
}

/** Redirects to the sign-in page, which returns to the original page; form data is lost. */
export const toSignIn = ({ cookies }: { readonly cookies: CookieRules }, event: HttpEvent): AnswerParts => ({
  answer: seeOther(`/console/sign-in${returning(event)}`),
  cookies: [endedCookie(cookies)],
});

/** Redirects to the set-up of an authenticator app, which returns to the original page. */
export const toSetUp = (event: HttpEvent): AnswerParts => ({
  answer: seeOther(`${SECOND_FACTOR_PATH}${returning(event)}`),
});

function returning(event: HttpEvent): string {
  const isGet = event.requestContext.http.method === 'GET';
  const path = `${event.rawPath}${event.rawQueryString === '' ? '' : `?${event.rawQueryString}`}`;
  const target = ownPath(isGet ? path : refererOf(event));
  return target === undefined || target === '/console' ? '' : `?return=${encodeURIComponent(target)}`;
}

/** Returns the path of the page that sent the request. */
export function refererOf({ headers }: Pick<HttpEvent, 'headers'>): string | undefined {
  const url = URL.parse(headers['referer'] ?? '');
  return url && url.host === headers['host'] ? ownPath(`${url.pathname}${url.search}`) : undefined;
}
