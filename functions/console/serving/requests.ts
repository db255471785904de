import type { HttpEvent } from '#shared/http/http-handler';
import { type Answer, seeOther } from '../pages/screen.ts';
import { type CookieRules, endedCookie } from '../sessions/session-cookie.ts';
import { ownPath } from './same-origin.ts';
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
export function toSignIn({ cookies }: { readonly cookies: CookieRules }, event: HttpEvent): Answered {
  const isGet = event.requestContext.http.method === 'GET';
  const asked = `${event.rawPath}${event.rawQueryString === '' ? '' : `?${event.rawQueryString}`}`;
  const target = ownPath(isGet ? asked : refererOf(event));
  const query = target === undefined || target === '/console' ? '' : `?return=${encodeURIComponent(target)}`;
  return { answer: seeOther(`/console/sign-in${query}`), cookies: [endedCookie(cookies)] };
}

/** The path of the page that a request came from. */
export function refererOf({ headers }: Pick<HttpEvent, 'headers'>): string | undefined {
  const url = URL.parse(headers['referer'] ?? '');
  return url && url.host === headers['host'] ? ownPath(`${url.pathname}${url.search}`) : undefined;
}
