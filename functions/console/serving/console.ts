import type { HttpEvent, HttpResult } from '#shared/http/http-handler';
import { addLogFields } from '#shared/log';
import { Form } from '../pages/form.ts';
import { seeOther } from '../pages/screen.ts';
import { notePage } from './error-pages.tsx';
import { formTextOf } from './form-text.ts';
import { type Presenting, presentAnswer, presentAsset, type RequestView } from './present.tsx';
import { type Answered, type ConsoleRequest, toSignIn } from './requests.ts';
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
  if (asset) return asset;
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
