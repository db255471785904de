import type { AuditWriter } from '#shared/audit/audit-line';
import type { HttpEvent } from '#shared/http/http-handler';
import { REFUSED_SIGN_INS } from '#shared/telemetry/metric-scope';
import type { Form } from '../pages/form.ts';
import { ownPath } from '../pages/own-path.ts';
import { type Page, page, seeOther } from '../pages/screen.ts';
import { FormTokens } from '../sessions/form-tokens.ts';
import { recordedChange } from '../sessions/recorded-change.ts';
import { newSessionId } from '../sessions/sealed-tokens.ts';
import type { Person } from '../sessions/session.ts';
import { type CookieRules, endedCookie, sessionCookie } from '../sessions/session-cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type DeviceKeys, deviceIn, newDeviceCookie } from '../sign-in/device-cookie.ts';
import type { ForgottenPasswords } from '../sign-in/forgotten-passwords.ts';
import {
  type AttemptCounts,
  type AttemptDecision,
  type AttemptKind,
  minutesUntil,
  type Reason,
  takeAttempt,
} from '../sign-in/lockout.ts';
import { PASSWORD_RULE } from '../sign-in/password-rule.ts';
import type { ChallengeAnswer, People, SignedIn, SignInStep } from '../sign-in/people.ts';
import { ChallengePage, SignInPage } from '../sign-in/sign-in-pages.tsx';
import { heldFormIn, heldFormOf, resubmissionPage } from './held-form.tsx';
import { type AnswerParts, type ConsoleRequest, pageOf, returning } from './requests.ts';

export interface SignInParts extends AttemptParts {
  readonly sessions: Sessions;
  readonly people: People;
  readonly forgotten: ForgottenPasswords;
  readonly audit: AuditWriter;
}

/** The parts that count wrong passwords and codes of a name. */
export interface AttemptParts {
  readonly attempts: AttemptCounts;
  readonly devices: DeviceKeys;
  readonly cookies: CookieRules;
}

const NAME_CHARACTERS_MAX = 128;

/** The name of the form. Addresses are in lower case, as invitations make them: the user pool tells cases apart. */
export function signInName(form: Form): string {
  const name = form.trimmed('name') ?? '';
  return name.includes('@') ? name.toLowerCase() : name;
}

interface Submitted extends ConsoleRequest {
  readonly form: Form;
}

export type SignInScreen = (parts: SignInParts, request: Submitted) => Promise<AnswerParts> | AnswerParts;

/** The screens for people who are not signed in. Their forms have no session token; the origin is checked instead. */
export const signInScreens: Readonly<Record<string, SignInScreen>> = {
  'GET /console/sign-in': (_parts, { event, session }) => {
    const query = new URLSearchParams(event.rawQueryString);
    const returnTo = ownPath(query.get('return') ?? undefined);
    if (session) return { answer: seeOther(returnTo ?? homeOf(session.person)) };
    const text = noteOf(query) ?? (returnTo && 'Sign in to continue.');
    return { answer: signInPage({ returnTo, message: text ? { tone: 'info', text } : undefined }) };
  },

  'POST /console/sign-in': async (parts, request) => {
    const { form, now } = request;
    const name = signInName(form);
    const step = await attempted(parts, request, { name }, () => parts.people.signIn(name, form.text('password'), now));
    return nextPage(parts, request, { step, name });
  },

  'POST /console/sign-in/next': async (parts, request) => {
    const { form, now } = request;
    const name = signInName(form);
    const kind = form.text('kind') === 'code' ? 'code' : 'new-password';
    const challenge: ChallengeAnswer = { kind, name, session: form.text('session'), value: form.text('value').trim() };
    const answer = () => parts.people.answer(challenge, now);
    const step = await attempted(
      parts,
      request,
      { name },
      kind === 'code' ? answer : recordedAnswer(parts, request, name, answer),
    );
    return nextPage(parts, request, { step, name, challenge });
  },

  'POST /console/sign-out': async ({ sessions, cookies }, { session, form }) => {
    // Another tab may have signed in again since the form was rendered.
    if (session && form.text('form') !== '' && session.forms.nonceIn(form.text('form')) !== undefined) {
      await sessions.end(session.id);
    }
    // The page to return to, if an action requires signing in again.
    const again = ownPath(form.trimmed('return'));
    return {
      answer: seeOther(`/console/sign-in?${again ? `return=${encodeURIComponent(again)}` : 'signed-out=1'}`),
      cookies: [endedCookie(cookies)],
      headers: { 'clear-site-data': '"storage"' },
    };
  },
};

/**
 * Leads to signing in, which returns to the original page. A submitted form is carried along: it is submitted again once
 * the person is signed in.
 */
export function toSignIn({ cookies: rules }: Pick<SignInParts, 'cookies'>, event: HttpEvent, form: Form): AnswerParts {
  const cookies = [endedCookie(rules)];
  const held = event.requestContext.http.method === 'POST' ? heldFormOf(event, form) : undefined;
  if (!held) return { answer: seeOther(`/console/sign-in${returning(event)}`), cookies };
  const message = { tone: 'info', text: 'Your session has ended. Sign in to submit your form.' } as const;
  // The status keeps the page's script from showing this page as a preview of the form.
  return { answer: signInPage({ returnTo: pageOf(event), held, message }, 401), cookies };
}

function noteOf(query: URLSearchParams): string | undefined {
  if (query.has('password-changed')) return 'Your password is changed. Sign in with the new one.';
  return query.has('signed-out') ? 'You are signed out.' : undefined;
}

/** Returns the start page of a person. */
export const homeOf = ({ tenant, isOperator }: Person): string =>
  tenant === '' && isOperator ? '/console/accounts' : `/console/t/${encodeURIComponent(tenant)}`;

/** Answers a challenge with a new password, and records the change in the audit log. */
const recordedAnswer =
  ({ audit }: SignInParts, { event, now }: Submitted, name: string, make: () => Promise<SignInStep>) =>
  () =>
    recordedChange(
      audit,
      { action: 'password.replace', person: { name }, event },
      { now, make, isDone: ({ kind }) => kind === 'signed-in' || kind === 'code' },
    );

interface LockedOut {
  readonly kind: 'locked-out';
  readonly reason: Reason;
  readonly until: number;
}
type Refused = { readonly kind: 'refused' } | { readonly kind: 'locked' };
type Attempted<Step> = Step | LockedOut | { readonly kind: 'refused' };

/** The time that is shown when the user pool has locked a name after a few wrong passwords. */
const LOCKED_MILLIS = 60_000;

/** The name that a password or code is for. Each kind of attempt is counted by itself. */
interface Proving {
  readonly name: string;
  /** @default a password or code at sign-in */
  readonly kind?: AttemptKind;
}

type Request = Pick<ConsoleRequest, 'event' | 'now'>;

/** Returns whether the user pool can be asked for the name. */
export const isPoolName = (name: string): boolean => name !== '' && name.length <= NAME_CHARACTERS_MAX;

/** Counts an attempt, unless too many have been made. A browser with which the name has signed in counts by itself. */
export async function countedAttempt(
  { attempts, devices: keys, cookies: rules }: AttemptParts,
  { event, now }: Request,
  { name, kind }: Proving,
): Promise<AttemptDecision & { readonly device?: string | undefined }> {
  const device = await deviceIn(event.cookies ?? [], { name, rules, keys, now });
  const attempting = { name, kind, address: event.requestContext.http.sourceIp, device };
  const attempt = await takeAttempt(attempts, attempting, now);
  if (attempt.kind === 'locked-out') await countRefused(attempt.reason, now);
  return { ...attempt, device };
}

/** Counts an attempt to prove a password or a code, unless too many have failed; one that succeeds is not counted. */
export async function attempted<Step extends { readonly kind: string }>(
  parts: AttemptParts,
  request: Request,
  proving: Proving,
  ask: () => Promise<Step | Refused>,
): Promise<Attempted<Exclude<Step, Refused>>> {
  // Without a valid name the user pool is not called.
  if (!isPoolName(proving.name)) return { kind: 'refused' };
  const { now } = request;
  const attempt = await countedAttempt(parts, request, proving);
  if (attempt.kind === 'locked-out') return attempt;
  const step = await ask();
  if (!isRefused(step)) {
    // Cognito may say this of a name whatever the password is, so that it counts like a wrong one.
    if (step.kind === 'invitation-ended') await countRefused(step.kind, now);
    else await attempt.giveBack();
    return step as Exclude<Step, Refused>;
  }
  await countRefused(step.kind, now);
  if (step.kind === 'refused') return { kind: 'refused' };
  // A new browser must not learn that the name exists.
  return attempt.device === undefined
    ? { kind: 'refused' }
    : { kind: 'locked-out', reason: 'browser', until: now + LOCKED_MILLIS };
}

const isRefused = (step: { readonly kind: string }): step is Refused =>
  step.kind === 'refused' || step.kind === 'locked';

/** Counts a refused sign-in. The module is loaded on demand, because most requests count nothing. */
async function countRefused(reason: string, now: number): Promise<void> {
  const { metric } = await import('#shared/telemetry/metrics');
  metric('sign-in refused', { values: { [REFUSED_SIGN_INS]: { value: 1, unit: 'Count' } }, facts: { reason } }, now);
}

interface Next {
  readonly step: Attempted<SignInStep>;
  readonly name: string;
  /** The answered challenge, if any. */
  readonly challenge?: ChallengeAnswer;
}

async function nextPage(parts: SignInParts, request: Submitted, { step, name, challenge }: Next): Promise<AnswerParts> {
  const returnTo = ownPath(request.form.trimmed('return'));
  const held = heldFormIn(request.form);
  const refused = (text: string, status: number) => ({
    answer: signInPage({ name, returnTo, held, message: { tone: 'bad', text } }, status),
  });
  switch (step.kind) {
    case 'signed-in':
      return begin(parts, request, { ...step, name, hasEnteredCode: challenge?.kind === 'code' }, returnTo);
    case 'locked-out':
      return refused(lockoutText(step, request.now), 429);
    case 'refused':
    case 'locked':
      return refused(
        challenge ? 'That was wrong or took too long. Sign in again.' : 'The name or the password is wrong.',
        403,
      );
    case 'invitation-ended':
      return refused('Your invitation has ended. Ask the person who invited you for a new one.', 403);
    case 'weak-password':
      if (!challenge) return refused('The name or the password is wrong.', 403);
      return { answer: challengePage({ ...challenge, returnTo, held, error: PASSWORD_RULE }, 422) };
    default:
      return { answer: challengePage({ ...step, name, returnTo, held }) };
  }
}

export function lockoutText({ reason, until }: LockedOut, now: number): string {
  const minutes = minutesUntil(until, now);
  const wait = `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
  if (reason !== 'name') return `Too many attempts. ${wait}.`;
  return `Too many attempts with this name. ${wait}, or use a browser in which you have signed in before.`;
}

/** Begins a session with a new id, so that an id planted before is useless (session fixation). */
async function begin(
  { sessions, cookies: rules, devices: keys }: SignInParts,
  { session: earlier, form, now }: Submitted,
  { person, tokens, hasEnteredCode, name }: SignedIn & { readonly hasEnteredCode: boolean; readonly name: string },
  returnTo: string | undefined,
): Promise<AnswerParts> {
  const id = newSessionId();
  await sessions.add(id, { person, tokens, signedInAt: now, lastRequestAt: now, hasEnteredCode });
  if (earlier) await sessions.end(earlier.id);
  const device = await newDeviceCookie(name, { rules, keys, now });
  const cookies = [sessionCookie(id, rules), device];
  const held = heldFormIn(form);
  const back = returnTo ?? homeOf(person);
  const answer = held ? resubmissionPage({ held, formToken: new FormTokens(id).make(), back }) : seeOther(back);
  return { answer, cookies };
}

const signInPage = (props: Parameters<typeof SignInPage>[0], status = 200): Page =>
  page('Sign in', <SignInPage {...props} />, { status });

const challengePage = (props: Parameters<typeof ChallengePage>[0], status = 200): Page =>
  page('Sign in', <ChallengePage {...props} />, { status });
