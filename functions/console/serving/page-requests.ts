import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditWriter } from '#shared/audit/audit-line';
import type { HttpEvent } from '#shared/http/http-handler';
import { addLogFields } from '#shared/telemetry/log';
import { CSV } from '../components/tables.ts';
import { type Management, ManagementFailure } from '../management/management.ts';
import type { Form } from '../pages/form.ts';
import { isPreview } from '../pages/preview.ts';
import { type Answer, type PageRequest, type Screen, seeOther } from '../pages/screen.ts';
import { recordedChange } from '../sessions/recorded-change.ts';
import {
  isFresh,
  needsCode,
  type OwnSecondFactor,
  SECOND_FACTOR_PATH,
  type SecondFactors,
} from '../sessions/second-factor.ts';
import type { Submission, Submissions } from '../sessions/submissions.ts';
import { failurePage, notePage, notFoundPage } from './error-pages.tsx';
import { type AnswerParts, refererOf, toSetUp } from './requests.ts';
import type { Match, Router } from './router.ts';
import { lacksCode, type OpenSession, type SessionParts } from './session-of.ts';
import { toSignIn } from './signing-in.tsx';

export interface PageParts extends SessionParts {
  readonly router: Router;
  readonly submissions: Submissions;
  readonly secondFactors: SecondFactors;
  readonly audit: AuditWriter;
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
  const { person } = session;
  const isOwn = event.rawPath.startsWith(SECOND_FACTOR_PATH);
  const tenant = match?.path['tenant'] ?? (isOwn ? person.tenant : '');
  // A page of another tenant is answered as if it did not exist.
  if (!isOwn && lacksCode(parts, session)) return toSetUp(event);
  const isOpen = person.isOperator || isOwn || (match?.path['tenant'] !== undefined && tenant === person.tenant);
  if (!match || !isOpen) return { answer: notFoundPage(), tenant: person.tenant };
  addLogFields({ screen: match.route });
  const pageRequest: PageRequest = {
    person,
    tenant,
    path: match.path,
    query: new URLSearchParams(event.rawQueryString),
    form,
    url: `${event.rawPath}${event.rawQueryString === '' ? '' : `?${event.rawQueryString}`}`,
    now,
    management: parts.managementFor({
      idToken: session.tokens.idToken,
      actsFor: tenant === '' || tenant === person.tenant ? undefined : tenant,
      requestId: event.requestContext.requestId,
      address: event.requestContext.http.sourceIp,
    }),
    secondFactor: secondFactorOf(parts, incoming),
  };
  try {
    const answer =
      method === 'POST' ? await submitted(parts, incoming, match, pageRequest) : await read(match.screen, pageRequest);
    return { answer, tenant };
  } catch (error) {
    if (!(error instanceof ManagementFailure)) throw error;
    return failed(parts, incoming, tenant, error);
  }
}

/** Returns a page, or one of its tables as a file. */
async function read(screen: Screen, pageRequest: PageRequest): Promise<Answer> {
  if (!pageRequest.query.has(CSV)) return screen(pageRequest);
  // The module is loaded on demand, because most requests ask for a page.
  const { tableFile } = await import('./table-file.tsx');
  return (await tableFile(screen, pageRequest)) ?? notFoundPage();
}

function secondFactorOf(parts: PageParts, { event, session, now }: IncomingRequest): OwnSecondFactor {
  const { secondFactors, sessions, audit } = parts;
  const { tokens, person, id } = session;
  return {
    isRequired: needsCode(parts, person),
    mayChange: isFresh(session.signedInAt, now),
    isOn: () => secondFactors.isOn(tokens),
    newSecret: () => secondFactors.newSecret(tokens),
    async confirm(code) {
      const change = { action: 'second-factor.create', person, event } as const;
      const make = () => secondFactors.confirm(tokens, code);
      if (!(await recordedChange(audit, change, { now, make, isDone: Boolean }))) return false;
      await sessions.note(id, { ...session, hasEnteredCode: true });
      return true;
    },
    turnOff: () => {
      const change = { action: 'second-factor.delete', person, event } as const;
      return recordedChange(audit, change, { now, make: () => secondFactors.turnOff(tokens), isDone: () => true });
    },
  };
}

async function failed(
  parts: PageParts,
  { event, session, form }: IncomingRequest,
  tenant: string,
  failure: ManagementFailure,
) {
  // The person was removed or signed out everywhere.
  if (failure.status === 401) {
    await parts.sessions.end(session.id);
    return toSignIn(parts, event, form);
  }
  return { answer: failurePage(failure, refererOf(event)), tenant };
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
