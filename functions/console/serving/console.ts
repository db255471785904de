import type { HttpEvent, HttpResult } from '#shared/http/http-handler';
import { addLogFields } from '#shared/log';
import { Form } from '../pages/form.ts';
import { seeOther } from '../pages/screen.ts';
import { notePage, notFoundPage } from './error-pages.tsx';
import { formTextOf } from './form-text.ts';
import { type Presenting, presentAnswer, presentAsset, type RequestView } from './present.tsx';
import { type Answered, type ConsoleRequest, refererOf, toSignIn } from './requests.ts';
import { isSameOrigin } from './same-origin.ts';
import { lacksCode, type SessionParts, sessionOf } from './session-of.ts';
import { homeOf, type SignInParts, signInScreens } from './signing-in.tsx';
import { answerVisit, type VisitParts } from './visiting.ts';

export interface ConsoleParts extends SignInParts, SessionParts, VisitParts {
  readonly presenting: Presenting;
}

/** Answers one request to the console. */
export async function answerConsole(parts: ConsoleParts, event: HttpEvent, now: number): Promise<HttpResult> {
  const started = performance.now();
  const asset = presentAsset(parts.presenting, event);
  if (asset && event.requestContext.http.method === 'GET') return asset;
  const session = await sessionOf(parts, event, now);
  const { answer, cookies, tenant, headers } = await answerTo(parts, { event, session, now });
  const view: RequestView = {
    // Nobody may look around who has to set up an authenticator app first.
    person: session && !lacksCode(parts, session) ? session.person : undefined,
    tenant: tenant ?? '',
    now,
    newFormToken: () => session?.forms.make() ?? '',
  };
  const result = presentAnswer(parts.presenting, {
    event,
    view,
    answer,
    ...(cookies && { cookies }),
    ...(headers && { more: headers }),
  });
  const timing = `total;dur=${(performance.now() - started).toFixed(1)}`;
  return { ...result, headers: { ...result.headers, 'server-timing': timing } };
}

async function answerTo(parts: ConsoleParts, request: ConsoleRequest): Promise<Answered> {
  const { event, session, now } = request;
  const { method } = event.requestContext.http;
  const refused = refusedMethod(parts, event);
  if (refused) return refused;
  if (method === 'POST' && !isSameOrigin(event)) {
    addLogFields({ refused: 'cross-site' });
    return {
      answer: notePage('Not accepted', 'This request came from another site.', { status: 403, back: undefined }),
    };
  }
  const path = event.rawPath.replace(/\/$/, '');
  const form = new Form(method === 'POST' ? formTextOf(event) : '');
  const signIn = Object.hasOwn(signInScreens, `${method} ${path}`) ? signInScreens[`${method} ${path}`] : undefined;
  if (signIn) return signIn(parts, { ...request, form });
  if (!session) return toSignIn(parts, event);
  if (path === '/console') return { answer: seeOther(homeOf(session.person)) };
  return answerVisit(parts, { event, session, form, now });
}

const METHODS = ['GET', 'POST'] as const;

/** The answer to a method that the path does not take; undefined where it takes it, and where it may be no path at all. */
function refusedMethod({ router, presenting }: ConsoleParts, event: HttpEvent): Answered | undefined {
  const { method } = event.requestContext.http;
  const path = event.rawPath.replace(/\/$/, '');
  const readable = path === '/console' || presenting.assets.at(path) !== undefined;
  const taken = METHODS.filter(
    (own) => router.match(own, path) || Object.hasOwn(signInScreens, `${own} ${path}`) || (own === 'GET' && readable),
  );
  if (taken.some((own) => own === method)) return undefined;
  if (taken.length === 0) return METHODS.some((own) => own === method) ? undefined : { answer: notFoundPage() };
  const allow = taken.flatMap((own) => (own === 'GET' ? ['GET', 'HEAD'] : [own])).join(', ');
  const text = `${method} is not allowed here; the address takes ${allow}.`;
  const answer = notePage('Method not allowed', text, { status: 405, back: refererOf(event) });
  return { answer, headers: { allow } };
}
