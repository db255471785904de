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

/** An answer with what belongs to it besides its content. */
export interface Answered {
  readonly answer: Answer;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The tenant whose screen it is. */
  readonly tenant?: string;
}

/** After signing in the person is where the request came from; what a form held is lost. */
export const toSignIn = ({ cookies }: { readonly cookies: CookieRules }, event: HttpEvent): Answered => ({
  answer: seeOther(`/console/sign-in${returning(event)}`),
  cookies: [endedCookie(cookies)],
});

/** Like `toSignIn`, for a person who has to set up an authenticator app. */
export const toSetUp = (event: HttpEvent): Answered => ({
  answer: seeOther(`${SECOND_FACTOR_PATH}${returning(event)}`),
});

function returning(event: HttpEvent): string {
  const isGet = event.requestContext.http.method === 'GET';
  const asked = `${event.rawPath}${event.rawQueryString === '' ? '' : `?${event.rawQueryString}`}`;
  const target = ownPath(isGet ? asked : refererOf(event));
  return target === undefined || target === '/console' ? '' : `?return=${encodeURIComponent(target)}`;
}

/** The path of the page that a request came from. */
export function refererOf({ headers }: Pick<HttpEvent, 'headers'>): string | undefined {
  const url = URL.parse(headers['referer'] ?? '');
  return url && url.host === headers['host'] ? ownPath(`${url.pathname}${url.search}`) : undefined;
}
