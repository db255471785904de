import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { ROLES } from '#shared/auth/role';
import type { HttpEvent } from '#shared/http/http-handler';
import { addLogFields, tenantIn } from '#shared/telemetry/log';
import { CSV } from '../components/tables.ts';
import { type Management, ManagementFailure, settled } from '../management/management.ts';
import type { Form } from '../pages/form.ts';
import { isPreview } from '../pages/preview.ts';
import { type Answer, type PageRequest, type Screen, seeOther } from '../pages/screen.ts';
import { isOwnCredentialPath } from '../sessions/own-paths.ts';
import { SECOND_FACTOR_PATH } from '../sessions/second-factor.ts';
import { type Person, SessionEnded } from '../sessions/session.ts';
import type { Submission, Submissions } from '../sessions/submissions.ts';
import { failurePage, notePage, notFoundPage } from './error-pages.tsx';
import { type OwnCredentialParts, ownCredentials } from './own-credentials.ts';
import { type AnswerParts, refererOf, toSetUp } from './requests.ts';
import type { Match, Router } from './router.ts';
import { lacksCode, type OpenSession, type SessionParts } from './session-of.ts';
import { toSignIn } from './signing-in.tsx';

export interface PageParts extends SessionParts, OwnCredentialParts {
  readonly router: Router;
  readonly submissions: Submissions;
  /** Returns the management API for one request. @param actsFor the tenant, if it is not the person's own */
  readonly managementFor: (request: {
    idToken: string;
    actsFor: string | undefined;
    requestId: string;
    address: string;
  }) => Management;
}

interface IncomingRequest {
  readonly event: HttpEvent;
  readonly session: OpenSession;
  readonly form: Form;
  readonly now: number;
}

/** Answers a page request of a person who is signed in. */
export async function answerPage(parts: PageParts, incoming: IncomingRequest): Promise<AnswerParts> {
  const { event, session, form, now } = incoming;
  const { method } = event.requestContext.http;
  const match = parts.router.match(method, event.rawPath);
  const isOwn = isOwnCredentialPath(event.rawPath);
  const { tenant: home } = session.person;
  const tenant = match?.path['tenant'] ?? (isOwn ? home : '');
  // A page of another tenant is answered as if it did not exist.
  if (!event.rawPath.startsWith(SECOND_FACTOR_PATH) && lacksCode(parts, session)) return toSetUp(event);
  const isOpen = session.person.isOperator || isOwn || (match?.path['tenant'] !== undefined && tenant === home);
  if (!match || !isOpen) return { answer: notFoundPage(), tenant: home };
  addLogFields({ screen: match.route, ...tenantIn({ tenant: tenant === '' ? home : tenant }) });
  const management = parts.managementFor({
    idToken: session.tokens.idToken,
    actsFor: tenant === '' || tenant === home ? undefined : tenant,
    requestId: event.requestContext.requestId,
    address: event.requestContext.http.sourceIp,
  });
  const query = new URLSearchParams(event.rawQueryString);
  const url = `${event.rawPath}${event.rawQueryString === '' ? '' : `?${event.rawQueryString}`}`;
  try {
    const person = await withRole(parts, session, management);
    const own = ownCredentials(parts, incoming);
    const pageRequest: PageRequest = { person, tenant, path: match.path, query, form, url, now, management, ...own };
    const answer =
      method === 'POST' ? await submitted(parts, incoming, match, pageRequest) : await read(match.screen, pageRequest);
    return { answer, tenant, person };
  } catch (error) {
    return failed(parts, incoming, { error, tenant });
  }
}

/** Answers a page request whose main call has failed. */
async function failed(
  parts: PageParts,
  { event, session, form }: IncomingRequest,
  { error, tenant }: { readonly error: unknown; readonly tenant: string },
): Promise<AnswerParts> {
  if (isEndOfSession(error)) {
    await parts.sessions.end(session.id);
    return toSignIn(parts, event, form);
  }
  if (!(error instanceof ManagementFailure)) throw error;
  // The frame of an account that does not exist would lead nowhere.
  return { answer: failurePage(error, refererOf(event)), tenant: error instanceof NoAccount ? '' : tenant };
}

class NoAccount extends ManagementFailure {}

/** Fails with the API's 404 if an operator looks at an account that does not exist: the API takes any id that one states. */
async function requireAccount({ management, tenant, person }: PageRequest): Promise<void> {
  if (tenant === '' || tenant === person.tenant) return;
  const account = await settled(management.get(`accounts/${encodeURIComponent(tenant)}`, z.unknown()));
  if (!account.ok && account.failure.status === 404) throw new NoAccount(account.failure);
}

async function read(screen: Screen, pageRequest: PageRequest): Promise<Answer> {
  const [answer] = await Promise.all([pageOrFile(screen, pageRequest), requireAccount(pageRequest)]);
  return answer;
}

/** Returns a page, or one of its tables as a file. */
async function pageOrFile(screen: Screen, pageRequest: PageRequest): Promise<Answer> {
  if (!pageRequest.query.has(CSV)) return screen(pageRequest);
  // The module is loaded on demand, because most requests ask for a page.
  const { tableFile } = await import('./table-file.tsx');
  return (await tableFile(screen, pageRequest)) ?? notFoundPage();
}

/** Returns whether a call has failed because the person was removed or disabled, or signed out everywhere. */
const isEndOfSession = (error: unknown): boolean =>
  error instanceof SessionEnded || (error instanceof ManagementFailure && error.status === 401);

const Me = z.object({ role: z.nullable(z.enum(ROLES)) });

/** Reads the role once after signing in, and once after each refresh of the ID token. */
async function withRole(parts: PageParts, session: OpenSession, management: Management): Promise<Person> {
  const { person } = session;
  if (person.isOperator || person.role !== undefined) return person;
  const me = await settled(management.get('me', Me));
  if (!me.ok || me.value.role === null) return person;
  const current = { ...person, role: me.value.role };
  await parts.sessions.note(session.id, { ...session, person: current });
  return current;
}

/** Handles a submitted form once: a second submission of the same form redirects to the result of the first one. */
async function submitted(
  parts: PageParts,
  { event, session, form, now }: IncomingRequest,
  match: Match,
  pageRequest: PageRequest,
): Promise<Answer> {
  const nonce = session.forms.nonceIn(form.text('form'));
  const back = refererOf(event);
  if (nonce === undefined) {
    return notePage('Not accepted', 'This form belongs to an earlier session. Reload its page and submit it again.', {
      status: 403,
      back,
    });
  }
  if (isPreview(match.screen)) return match.screen(pageRequest);
  const submission: Submission = { sessionId: session.id, nonce };
  if (!(await parts.submissions.claim(submission, now))) return repeated(parts.submissions, submission, back);
  await requireAccount(pageRequest);
  const answer = await match.screen(pageRequest);
  const location = locationOf(answer);
  if (location !== undefined) await parts.submissions.led(submission, location);
  return answer;
}

function locationOf(answer: Answer): string | undefined {
  if (answer.kind === 'redirect') return answer.to;
  return answer.kind === 'page' ? answer.reloadLeadsTo : undefined;
}

const LOOKS = 10;
const LOOK_MILLIS = 300;

/** Waits for the first submission, which may still be in progress after a double click. */
async function repeated(submissions: Submissions, submission: Submission, back: string | undefined): Promise<Answer> {
  for (let look = 0; look < LOOKS; look += 1) {
    const location = await submissions.locationOf(submission);
    if (location !== undefined) return seeOther(location);
    await sleep(LOOK_MILLIS);
  }
  const text = 'This form was already submitted. Reload its page to see the result.';
  return notePage('Already submitted', text, { status: 409, back });
}
