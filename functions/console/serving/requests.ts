import type { HttpEvent } from '#shared/http/http-handler';
import { ownPath } from '../pages/own-path.ts';
import { type Answer, seeOther } from '../pages/screen.ts';
import { SECOND_FACTOR_PATH } from '../sessions/second-factor.ts';
import type { Person } from '../sessions/session.ts';
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
  /** The person with the role as it was just read. @default the person of the session */
  readonly person?: Person;
}

/** Redirects to the set-up of an authenticator app, which returns to the original page. */
export const toSetUp = (event: HttpEvent): AnswerParts => ({
  answer: seeOther(`${SECOND_FACTOR_PATH}${returning(event)}`),
});

/** Returns the query that names the page of a request; empty if there is none to return to. */
export function returning(event: HttpEvent): string {
  const target = pageOf(event);
  return target === undefined ? '' : `?return=${encodeURIComponent(target)}`;
}

/** Returns the path of the page of a request: a form is submitted from the page that it returns to. */
export function pageOf(event: HttpEvent): string | undefined {
  const isGet = event.requestContext.http.method === 'GET';
  const path = `${event.rawPath}${event.rawQueryString === '' ? '' : `?${event.rawQueryString}`}`;
  const target = ownPath(isGet ? path : refererOf(event));
  return target === '/console' ? undefined : target;
}

/** Returns the path of the page that sent the request. */
export function refererOf({ headers }: Pick<HttpEvent, 'headers'>): string | undefined {
  const url = URL.parse(headers['referer'] ?? '');
  return url && url.host === headers['host'] ? ownPath(`${url.pathname}${url.search}`) : undefined;
}
