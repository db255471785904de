import { type Page, page, seeOther } from '../pages/screen.ts';
import { recordedChange } from '../sessions/recorded-change.ts';
import { takeAttempt } from '../sign-in/attempt-limit.ts';
import { FORGOT_PASSWORD_PATH, ForgotPasswordPage, ResetPasswordPage } from '../sign-in/forgotten-password-pages.tsx';
import { attempted, closedText, type SignInScreen, signInName } from './signing-in.tsx';

/** Codes and resets are counted beside sign-ins, so that strangers who ask for codes lock nobody's sign-in. */
const countedName = (kind: 'code' | 'reset', name: string): string => `${kind} ${name}`;

/** The screens for people who have forgotten their password. They say the same about names that do not exist. */
export const forgottenPasswordScreens: Readonly<Record<string, SignInScreen>> = {
  [`GET ${FORGOT_PASSWORD_PATH}`]: () => ({ answer: askPage({}) }),

  [`POST ${FORGOT_PASSWORD_PATH}`]: async ({ attempts, forgotten }, { event, form, now }) => {
    const name = signInName(form);
    if (name === '' || name.length > 128) return { answer: askPage({ name, error: 'Enter your email.' }, 400) };
    // Every code counts: they are mails to somebody.
    const counted = { name: countedName('code', name), address: event.requestContext.http.sourceIp };
    const attempt = await takeAttempt(attempts, { ...counted, device: undefined }, now);
    if (attempt.kind === 'closed') return { answer: askPage({ name, error: closedText(attempt, now) }, 429) };
    await forgotten.sendCode(name);
    return { answer: resetPage({ name }) };
  },

  [`POST ${FORGOT_PASSWORD_PATH}/next`]: async (parts, { event, form, now }) => {
    const name = signInName(form);
    const reset = { name, code: form.text('code').trim(), next: form.text('password') };
    const make = () => parts.forgotten.reset(reset);
    const recorded = () =>
      recordedChange(
        parts.audit,
        { action: 'password.replace', person: { name }, event },
        { now, make, isDone: ({ kind }) => kind === 'changed' },
      );
    const step = await attempted(parts, { event, now }, countedName('reset', name), recorded);
    switch (step.kind) {
      case 'changed':
        return { answer: seeOther('/console/sign-in?password-changed=1') };
      case 'weak':
        return { answer: resetPage({ name, weak: step.reason, message: 'Choose another password.' }, 422) };
      case 'closed':
        return { answer: resetPage({ name, message: closedText(step, now) }, 429) };
      default:
        return { answer: resetPage({ name, message: 'The code is wrong or has expired.' }, 403) };
    }
  },
};

const askPage = (props: Parameters<typeof ForgotPasswordPage>[0], status = 200): Page =>
  page('Forgot password', <ForgotPasswordPage {...props} />, { status });

const resetPage = (props: Parameters<typeof ResetPasswordPage>[0], status = 200): Page =>
  page('Choose a new password', <ResetPasswordPage {...props} />, { status });
