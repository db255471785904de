import { Submit } from '../components/button.tsx';
import { Field } from '../components/form.tsx';
import { Note } from '../components/page-parts.tsx';
import { PASSWORD_RULE } from './password-rule.ts';

export const FORGOT_PASSWORD_PATH = '/console/forgot-password';

/** Asks for the name to which a code is mailed. */
export const ForgotPasswordPage = ({ name = '', error }: { readonly name?: string; readonly error?: string }) => (
  <div class="stack">
    <h1>Forgot your password?</h1>
    {error !== undefined && <Note tone="bad">{error}</Note>}
    <p class="muted">You get a code by email, with which you choose a new password.</p>
    <form class="form" method="post" action={FORGOT_PASSWORD_PATH}>
      <Field name="name" label="Email" value={name} autocomplete="username" isRequired maxLength={128} />
      <Submit kind="primary" label="Send code" />
    </form>
    <p class="hint">
      <a href="/console/sign-in">Back to sign in</a>
    </p>
  </div>
);

interface ResetProps {
  readonly name: string;
  /** The reason why the last attempt was refused. */
  readonly message?: string;
  /** The rule that the password does not meet. */
  readonly weak?: string;
}

/** Asks for the code and the new password. It says the same whether there is such a person or not. */
export const ResetPasswordPage = ({ name, message, weak }: ResetProps) => (
  <div class="stack">
    <h1>Choose a new password</h1>
    {message === undefined ? (
      <Note tone="info">
        If {name} can sign in here, a code is on its way. It is valid for an hour. If none arrives, ask your
        administrator to reset your sign-in.
      </Note>
    ) : (
      <Note tone="bad">{message}</Note>
    )}
    <form class="form" method="post" action={`${FORGOT_PASSWORD_PATH}/next`}>
      <input type="hidden" name="name" value={name} />
      <Field
        name="code"
        label="Code from the email"
        autocomplete="one-time-code"
        inputMode="numeric"
        isRequired
        maxLength={12}
      />
      <Field
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        isRequired
        maxLength={256}
        error={weak}
        hint={PASSWORD_RULE}
      />
      <Submit kind="primary" label="Change password" />
    </form>
    <p class="hint">
      <a href={FORGOT_PASSWORD_PATH}>Send another code</a>
    </p>
  </div>
);
