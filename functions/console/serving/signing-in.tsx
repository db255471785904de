import type { Form } from '../pages/form.ts';
import { ownPath } from '../pages/own-path.ts';
import { type Page, page, seeOther } from '../pages/screen.ts';
import { newSessionId } from '../sessions/sealed-tokens.ts';
import type { Person } from '../sessions/session.ts';
import { type CookieRules, endedCookie, sessionCookie } from '../sessions/session-cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type AttemptCounts, minutesToWait, takeAttempt } from '../sign-in/attempt-limit.ts';
import type { ChallengeAnswer, People, SignedIn, SignInStep } from '../sign-in/people.ts';
import { ChallengePage, SignInPage } from '../sign-in/sign-in-pages.tsx';
import type { Answered, ConsoleRequest } from './requests.ts';

export interface SignInParts {
  readonly sessions: Sessions;
  readonly people: People;
  readonly attempts: AttemptCounts;
  readonly cookies: CookieRules;
}

interface Submitted extends ConsoleRequest {
  readonly form: Form;
}

type SignInScreen = (parts: SignInParts, request: Submitted) => Promise<Answered> | Answered;

/** Screens for people who are not signed in. Their forms need no token of a session: the origin is checked. */
export const signInScreens: Readonly<Record<string, SignInScreen>> = {
  'GET /console/sign-in': (_parts, { event, session }) => {
    const query = new URLSearchParams(event.rawQueryString);
    const returnTo = ownPath(query.get('return') ?? undefined);
    if (session) return { answer: seeOther(returnTo ?? homeOf(session.person)) };
    const text = query.has('signed-out') ? 'You are signed out.' : returnTo && 'Sign in to go on where you were.';
    return { answer: signInPage({ returnTo, message: text ? { tone: 'info', text } : undefined }) };
  },

  'POST /console/sign-in': async (parts, request) => {
    const { form, now } = request;
    const name = form.stated('name') ?? '';
    const step = await attempted(parts, request, name, () => parts.people.signIn(name, form.text('password'), now));
    return nextPage(parts, request, { step, name });
  },

  'POST /console/sign-in/next': async (parts, request) => {
    const { form, now } = request;
    const name = form.stated('name') ?? '';
    const kind = form.text('kind') === 'code' ? 'code' : 'new-password';
    const challenge: ChallengeAnswer = { kind, name, session: form.text('session'), value: form.text('value').trim() };
    const step = await attempted(parts, request, name, () => parts.people.answer(challenge, now));
    return nextPage(parts, request, { step, name, challenge });
  },

  'POST /console/sign-out': async ({ sessions, cookies }, { session, form }) => {
    // Another tab may have signed in anew since the form was made.
    if (session && form.text('form') !== '' && session.forms.nonceIn(form.text('form')) !== undefined) {
      await sessions.end(session.id);
    }
    // To sign in once more before something that asks for it.
    const again = ownPath(form.stated('return'));
    return {
      answer: seeOther(`/console/sign-in?${again ? `return=${encodeURIComponent(again)}` : 'signed-out=1'}`),
      cookies: [endedCookie(cookies)],
      headers: { 'clear-site-data': '"storage"' },
    };
  },
};

/** Where a person begins. */
export const homeOf = ({ tenant, isOperator }: Person): string =>
  tenant === '' && isOperator ? '/console/accounts' : `/console/t/${encodeURIComponent(tenant)}`;

type Attempted = SignInStep | { readonly kind: 'too-many' };

async function attempted(
  { attempts }: SignInParts,
  { event, now }: Submitted,
  name: string,
  ask: () => Promise<SignInStep>,
): Promise<Attempted> {
  const address = event.requestContext.http.sourceIp;
  // Without a name there is nobody to ask for.
  if (name === '' || name.length > 128) return { kind: 'refused' };
  const taken = await takeAttempt(attempts, { name, address }, now);
  if (!taken) return { kind: 'too-many' };
  const step = await ask();
  if (step.kind !== 'refused') await taken.giveBack();
  return step;
}

interface Next {
  readonly step: Attempted;
  readonly name: string;
  /** What the person has answered, if it was a challenge. */
  readonly challenge?: ChallengeAnswer;
}

async function nextPage(parts: SignInParts, request: Submitted, { step, name, challenge }: Next): Promise<Answered> {
  const returnTo = ownPath(request.form.stated('return'));
  const refused = (text: string, status: number) => ({
    answer: signInPage({ name, returnTo, message: { tone: 'bad', text } }, status),
  });
  switch (step.kind) {
    case 'signed-in':
      return begin(parts, request, { ...step, hasStatedCode: challenge?.kind === 'code' }, returnTo);
    case 'too-many': {
      const minutes = minutesToWait(request.now);
      return refused(`Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`, 429);
    }
    case 'refused':
      return refused(
        challenge ? 'That was not right, or it took too long. Sign in again.' : 'The name or the password is wrong.',
        403,
      );
    case 'weak-password':
      if (!challenge) return refused('The name or the password is wrong.', 403);
      return { answer: challengePage({ ...challenge, returnTo, error: step.reason }, 422) };
    default:
      return { answer: challengePage({ ...step, name, returnTo }) };
  }
}

/** A new id at every sign-in: one that was planted before opens nothing (session fixation). */
async function begin(
  { sessions, cookies }: SignInParts,
  { session: earlier, now }: Submitted,
  { person, tokens, hasStatedCode }: SignedIn & { readonly hasStatedCode: boolean },
  returnTo: string | undefined,
): Promise<Answered> {
  const id = newSessionId();
  await sessions.add(id, { person, tokens, signedInAt: now, seenAt: now, hasStatedCode });
  if (earlier) await sessions.end(earlier.id);
  return { answer: seeOther(returnTo ?? homeOf(person)), cookies: [sessionCookie(id, cookies)] };
}

const signInPage = (props: Parameters<typeof SignInPage>[0], status = 200): Page =>
  page('Sign in', <SignInPage {...props} />, { status });

const challengePage = (props: Parameters<typeof ChallengePage>[0], status = 200): Page =>
  page('Sign in', <ChallengePage {...props} />, { status });
