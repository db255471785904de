import { type Page, page, seeOther } from '../pages/screen.ts';
import { recordedChange } from '../sessions/recorded-change.ts';
import { FORGOT_PASSWORD_PATH, ForgotPasswordPage, ResetPasswordPage } from '../sign-in/forgotten-password-pages.tsx';
import { meetsPasswordRule, PASSWORD_RULE } from '../sign-in/password-rule.ts';
import { attempted, countedAttempt, isPoolName, lockoutText, type SignInScreen, signInName } from './signing-in.tsx';

/** The screens for people who have forgotten their password. They say the same about names that do not exist. */
export const forgottenPasswordScreens: Readonly<Record<string, SignInScreen>> = {
  [`GET ${FORGOT_PASSWORD_PATH}`]: () => ({ answer: askPage({}) }),

  [`POST ${FORGOT_PASSWORD_PATH}`]: async (parts, { event, form, now }) => {
    const name = signInName(form);
    if (!isPoolName(name)) return { answer: askPage({ name, error: 'Enter your email.' }, 400) };
    // Every request for a code counts, because each one sends a mail.
    const attempt = await countedAttempt(parts, { event, now }, { name, kind: 'code' });
    if (attempt.kind === 'locked-out') return { answer: askPage({ name, error: lockoutText(attempt, now) }, 429) };
    await parts.forgotten.sendCode(name);
    return { answer: resetPage({ name }) };
  },

  [`POST ${FORGOT_PASSWORD_PATH}/next`]: async (parts, { event, form, now }) => {
    const name = signInName(form);
    // Checked before the name: a stranger must not learn from the answer whether it exists.
    if (!meetsPasswordRule(form.text('password'))) {
      return { answer: resetPage({ name, weak: PASSWORD_RULE, message: 'Choose another password.' }, 422) };
    }
    const reset = { name, code: form.text('code').trim(), next: form.text('password') };
    const make = () => parts.forgotten.reset(reset);
    const recorded = () =>
      recordedChange(
        parts.audit,
        { action: 'password.replace', person: { name }, event },
        { now, make, isDone: ({ kind }) => kind === 'changed' },
      );
    const step = await attempted(parts, { event, now }, { name, kind: 'reset' }, recorded);
    switch (step.kind) {
      case 'changed':
        return { answer: seeOther('/console/sign-in?password-changed=1') };
      case 'locked-out':
        return { answer: resetPage({ name, message: lockoutText(step, now) }, 429) };
      default:
        return { answer: resetPage({ name, message: 'The code is wrong or has expired.' }, 403) };
    }
  },
};

const askPage = (props: Parameters<typeof ForgotPasswordPage>[0], status = 200): Page =>
  page('Forgot password', <ForgotPasswordPage {...props} />, { status });

const resetPage = (props: Parameters<typeof ResetPasswordPage>[0], status = 200): Page =>
  page('Choose a new password', <ResetPasswordPage {...props} />, { status });
