import { type HttpEvent, type HttpResult, loggedHandler } from '#shared/http/http-handler';
import { addLogFields } from '#shared/telemetry/log';
import { FORM_BYTES_MAX } from '../components/form-limits.ts';
import { Form } from '../pages/form.ts';
import { seeOther } from '../pages/screen.ts';
import { endOf } from '../sessions/session.ts';
import { notePage, notFoundPage } from './error-pages.tsx';
import { forgottenPasswordScreens } from './forgotten-password.tsx';
import { answerPage, type PageParts } from './page-requests.ts';
import { type Presenting, presentAnswer, presentAsset, type RequestView } from './present.tsx';
import { presentFault } from './present-fault.ts';
import { type AnswerParts, type ConsoleRequest, refererOf } from './requests.ts';
import { isSameOrigin } from './same-origin.ts';
import { sentForm } from './sent-form.ts';
import { lacksCode, type SessionParts, sessionOf } from './session-of.ts';
import { homeOf, type SignInParts, signInScreens, toSignIn } from './signing-in.tsx';

/** The screens for people who are not signed in. */
const OPEN_SCREENS = { ...signInScreens, ...forgottenPasswordScreens };

export interface ConsoleParts extends SignInParts, SessionParts, PageParts {
  readonly presenting: Presenting;
}

/** The handlers of all requests to the console, and of those whose form may send a file. */
export function consoleHandlers(parts: ConsoleParts, now: () => number) {
  const present = presentFault(parts.presenting);
  const respond = (event: HttpEvent) => answerConsole(parts, event, now());
  return {
    answer: loggedHandler(present, respond),
    answerToFile: loggedHandler(present, respond, { bodyBytesMax: FORM_BYTES_MAX }),
  };
}

/** Answers one request to the console. */
async function answerConsole(parts: ConsoleParts, event: HttpEvent, now: number): Promise<HttpResult> {
  const started = performance.now();
  const asset = presentAsset(parts.presenting, event);
  if (asset && event.requestContext.http.method === 'GET') return asset;
  const session = await sessionOf(parts, event, now);
  const { answer, cookies, tenant, headers, person } = await answerTo(parts, { event, session, now });
  const view: RequestView = {
    // A person who must set up an authenticator app first sees no navigation.
    person: session && !lacksCode(parts, session) ? (person ?? session.person) : undefined,
    tenant: tenant ?? '',
    now,
    sessionEndsAt: session && endOf(session),
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

async function answerTo(parts: ConsoleParts, request: ConsoleRequest): Promise<AnswerParts> {
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
  const form = method === 'POST' ? await sentForm(event) : new Form();
  const signIn = Object.hasOwn(OPEN_SCREENS, `${method} ${path}`) ? OPEN_SCREENS[`${method} ${path}`] : undefined;
  if (signIn) return signIn(parts, { ...request, form });
  if (!session) return toSignIn(parts, event, form);
  if (path === '/console') return { answer: seeOther(homeOf(session.person)) };
  return answerPage(parts, { event, session, form, now });
}

const METHODS = ['GET', 'POST'] as const;

/**
 * Returns the response to a method that the path does not allow; undefined if it is allowed or the path may not exist.
 */
function refusedMethod({ router, presenting }: ConsoleParts, event: HttpEvent): AnswerParts | undefined {
  const { method } = event.requestContext.http;
  const path = event.rawPath.replace(/\/$/, '');
  const readable = path === '/console' || presenting.assets.at(path) !== undefined;
  const allowed = METHODS.filter(
    (own) => router.match(own, path) || Object.hasOwn(OPEN_SCREENS, `${own} ${path}`) || (own === 'GET' && readable),
  );
  if (allowed.some((own) => own === method)) return undefined;
  if (allowed.length === 0) return METHODS.some((own) => own === method) ? undefined : { answer: notFoundPage() };
  const allow = allowed.flatMap((own) => (own === 'GET' ? ['GET', 'HEAD'] : [own])).join(', ');
  const text = `${method} is not allowed here. Use ${allow}.`;
  const answer = notePage('Method not allowed', text, { status: 405, back: refererOf(event) });
  return { answer, headers: { allow } };
}
