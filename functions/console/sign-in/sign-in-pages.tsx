import { Submit } from '../components/button.tsx';
import { Field } from '../components/form.tsx';
import { Note } from '../components/page-parts.tsx';
import { FORGOT_PASSWORD_PATH } from './forgotten-password-pages.tsx';
import { PASSWORD_RULE } from './password-rule.ts';

/** A form that was submitted after its session had ended. */
export interface HeldForm {
  /** The address to which it was submitted. */
  readonly action: string;
  /** The fields, encoded as in a query. */
  readonly fields: string;
}

interface SignInProps {
  readonly name?: string;
  /** The page to return to. */
  readonly returnTo: string | undefined;
  readonly held?: HeldForm | undefined;
  readonly message?: { readonly tone: 'info' | 'bad'; readonly text: string } | undefined;
}

export function SignInPage({ name = '', returnTo, held, message }: SignInProps) {
  return (
    <div class="stack">
      <h1>Sign in</h1>
      {message && <Note tone={message.tone}>{message.text}</Note>}
      <form class="form" method="post" action="/console/sign-in">
        <Return to={returnTo} held={held} />
        <Field name="name" label="Name" value={name} autocomplete="username" isRequired maxLength={128} />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          isRequired
          maxLength={256}
        />
        <Submit kind="primary" label="Sign in" />
      </form>
      <p class="hint">
        <a href={FORGOT_PASSWORD_PATH}>Forgot your password?</a>
      </p>
      <p class="hint">No account? Ask your administrator for one.</p>
    </div>
  );
}

interface ChallengeProps {
  readonly kind: 'new-password' | 'code';
  readonly name: string;
  /** The token that continues the sign-in at the user pool, valid for a few minutes. */
  readonly session: string;
  readonly returnTo: string | undefined;
  readonly held?: HeldForm | undefined;
  readonly error?: string | undefined;
}

export function ChallengePage({ kind, name, session, returnTo, held, error }: ChallengeProps) {
  return (
    <div class="stack">
      <h1>{kind === 'code' ? 'Enter your code' : 'Choose a password'}</h1>
      <form class="form" method="post" action="/console/sign-in/next">
        <Return to={returnTo} held={held} />
        <input type="hidden" name="kind" value={kind} />
        <input type="hidden" name="name" value={name} />
        <input type="hidden" name="session" value={session} />
        {kind === 'code' ? (
          <Field
            name="value"
            label="Code from your authenticator app"
            autocomplete="one-time-code"
            inputMode="numeric"
            isRequired
            maxLength={6}
            error={error}
          />
        ) : (
          <Field
            name="value"
            label="New password"
            type="password"
            autocomplete="new-password"
            isRequired
            maxLength={256}
            error={error}
            hint={PASSWORD_RULE}
          />
        )}
        <Submit kind="primary" label="Continue" />
      </form>
      <p class="hint">
        <a href="/console/sign-in">Start again</a>
      </p>
    </div>
  );
}

interface ReturnProps {
  readonly to: string | undefined;
  readonly held: HeldForm | undefined;
}

/** The fields that carry the page to return to, and a form to submit there, through the steps of signing in. */
const Return = ({ to, held }: ReturnProps) => (
  <>
    {to !== undefined && <input type="hidden" name="return" value={to} />}
    {held && (
      <>
        <input type="hidden" name="held-action" value={held.action} />
        <input type="hidden" name="held-fields" value={held.fields} />
      </>
    )}
  </>
);
