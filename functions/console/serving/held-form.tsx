import type { HttpEvent } from '#shared/http/http-handler';
import { LinkButton, Submit } from '../components/button.tsx';
import { HAS_SECRET } from '../components/form.tsx';
import { Note } from '../components/page-parts.tsx';
import type { Form } from '../pages/form.ts';
import { ownPath } from '../pages/own-path.ts';
import { type Page, page } from '../pages/screen.ts';
import { isOwnCredentialPath } from '../sessions/own-paths.ts';
import type { HeldForm } from '../sign-in/sign-in-pages.tsx';

/**
 * Returns the form of a request whose session has ended, so that it can be submitted after signing in. Undefined for a
 * form with files, which hidden fields cannot carry, and for one with secrets.
 */
export function heldFormOf({ rawPath, rawQueryString }: HttpEvent, form: Form): HeldForm | undefined {
  // Passwords, codes and secrets must not appear in another page: the person enters them again.
  if (isOwnCredentialPath(rawPath) || form.isChecked(HAS_SECRET)) return undefined;
  const action = ownPath(rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`);
  const fields = form.encodedWithout('form');
  return action === undefined || fields === '' || form.hasFiles() ? undefined : { action, fields };
}

/** Returns the form that the form for signing in has carried along. */
export function heldFormIn(form: Form): HeldForm | undefined {
  const action = ownPath(form.trimmed('held-action'));
  const fields = form.text('held-fields');
  return action === undefined || fields === '' ? undefined : { action, fields };
}

interface Resubmission {
  readonly held: HeldForm;
  /** The token of the new session. */
  readonly formToken: string;
  /** The address that discards the form. */
  readonly back: string;
}

/** Asks whether to submit a form that was not accepted because the session had ended. */
export const resubmissionPage = ({ held, formToken, back }: Resubmission): Page =>
  page(
    'Submit your form?',
    <div class="stack">
      <h1>Submit your form?</h1>
      <Note tone="info">You are signed in again. The form that you submitted before has changed nothing yet.</Note>
      <form class="row" method="post" action={held.action}>
        <input type="hidden" name="form" value={formToken} />
        {[...new URLSearchParams(held.fields)].map(([name, value], at) => (
          // oxlint-disable-next-line react/no-array-index-key -- fields may share a name and a value
          <input key={at} type="hidden" name={name} value={value} />
        ))}
        <Submit kind="primary" label="Submit" />
        <LinkButton label="Discard" href={back} />
      </form>
    </div>,
  );
