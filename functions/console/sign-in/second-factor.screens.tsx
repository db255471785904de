import { Field, PostForm } from '../components/form.tsx';
import { Code, Note, PageHead } from '../components/page-parts.tsx';
import { ownPath } from '../pages/own-path.ts';
import { type Page, type PageRequest, page, type Screen, seeOther } from '../pages/screen.ts';
import { SECOND_FACTOR_PATH } from '../sessions/second-factor.ts';
import { inGroups, isSecret, keyUriOf } from './authenticator-key.ts';
import { QrCode } from './qr-code.tsx';

const TITLE = 'Two-factor authentication';
const TOO_LATE = 'To change this, sign in again first.';

/** The state of two-factor authentication, with buttons to change it. */
export const secondFactorScreen: Screen = async (pageRequest) => {
  const { secondFactor, query } = pageRequest;
  const isOn = await secondFactor.isOn();
  const returnTo = ownPath(query.get('return') ?? undefined);
  return page(
    TITLE,
    <>
      <PageHead title={TITLE} lead="Sign in with your password and a code from an authenticator app." />
      <div class="form stack">
        {query.has('done') && (
          <Note tone="ok">{isOn ? 'Two-factor authentication is on.' : 'Two-factor authentication is off.'}</Note>
        )}
        <section class="card pad stack">
          <p>{stateOf(pageRequest, isOn)}</p>
          {secondFactor.mayChange ? (
            <Changes pageRequest={pageRequest} isOn={isOn} returnTo={returnTo} />
          ) : (
            <SignInAgain />
          )}
        </section>
        {secondFactor.isRequired && !isOn && <SignOut />}
      </div>
    </>,
  );
};

function stateOf({ secondFactor: { isRequired } }: PageRequest, isOn: boolean): string {
  if (isOn) return 'On. Use codes from the app that you set up most recently.';
  if (isRequired) return 'Required for operators. Set up an authenticator app to continue.';
  return 'Off. You sign in with your password only.';
}

interface ChangesProps {
  readonly pageRequest: PageRequest;
  readonly isOn: boolean;
  readonly returnTo: string | undefined;
}

function Changes({ pageRequest: { secondFactor }, isOn, returnTo }: ChangesProps) {
  return (
    <div class="row">
      <PostForm action={SECOND_FACTOR_PATH}>
        <Return to={returnTo} />
        <button class={isOn ? 'button' : 'button primary'} type="submit">
          {isOn ? 'Set up another app' : 'Set up an app'}
        </button>
      </PostForm>
      {isOn && !secondFactor.isRequired && (
        <PostForm action={`${SECOND_FACTOR_PATH}/off`}>
          <button class="button danger" type="submit">
            Turn off
          </button>
        </PostForm>
      )}
    </div>
  );
}

const SignInAgain = () => (
  <PostForm action="/console/sign-out" class="stack">
    <input type="hidden" name="return" value={SECOND_FACTOR_PATH} />
    <p>{TOO_LATE}</p>
    <div class="row">
      <button class="button primary" type="submit">
        Sign in again
      </button>
    </div>
  </PostForm>
);

const SignOut = () => (
  <PostForm action="/console/sign-out">
    <button class="button small" type="submit">
      Sign out
    </button>
  </PostForm>
);

/** Creates a secret and shows it, only once. */
export const offerSecret: Screen = async (pageRequest) => {
  if (!pageRequest.secondFactor.mayChange) return tooLate();
  return secretPage(pageRequest, await pageRequest.secondFactor.newSecret());
};

/** Confirms the secret with a code. A wrong code changes nothing; the form sends the secret back. */
export const confirmSecret: Screen = async (pageRequest) => {
  const { form, secondFactor } = pageRequest;
  if (!secondFactor.mayChange) return tooLate();
  const secret = form.text('secret');
  const code = form.text('code').replaceAll(/\s/g, '');
  if (!isSecret(secret)) return seeOther(SECOND_FACTOR_PATH);
  if (!(await secondFactor.confirm(code)))
    return secretPage(pageRequest, secret, 'Wrong code. Enter the current code from the app.');
  return seeOther(ownPath(form.trimmed('return')) ?? `${SECOND_FACTOR_PATH}?done=1`);
};

export const turnOffSecondFactor: Screen = async ({ secondFactor }) => {
  if (!secondFactor.mayChange) return tooLate();
  if (secondFactor.isRequired) return refused('Two-factor authentication is required for operators.');
  await secondFactor.turnOff();
  return seeOther(`${SECOND_FACTOR_PATH}?done=1`);
};

const tooLate = () => refused(TOO_LATE);

const refused = (text: string): Page =>
  page(
    TITLE,
    <>
      <PageHead title={TITLE} under={[SECOND_FACTOR_PATH, TITLE]} />
      <Note tone="warn">{text}</Note>
    </>,
    { status: 403 },
  );

function secretPage({ person, form }: PageRequest, secret: string, error?: string): Page {
  const title = 'Set up an authenticator app';
  return page(
    title,
    <>
      <PageHead title={title} under={[SECOND_FACTOR_PATH, TITLE]} />
      <PostForm action={`${SECOND_FACTOR_PATH}/confirm`} class="form stack">
        <section class="card pad stack">
          <p>Scan this with the app on your phone, or type in the key.</p>
          <QrCode text={keyUriOf(secret, person.name)} label="The key as a QR code" />
          <Code id="key" text={inGroups(secret)} label="Key" />
        </section>
        <input type="hidden" name="secret" value={secret} />
        <Return to={ownPath(form.trimmed('return'))} />
        <Field
          name="code"
          label="Code from the app"
          autocomplete="one-time-code"
          inputMode="numeric"
          isRequired
          maxLength={7}
          error={error}
        />
        <div class="row">
          <button class="button primary" type="submit">
            Confirm
          </button>
          <a class="button" href={SECOND_FACTOR_PATH}>
            Cancel
          </a>
        </div>
      </PostForm>
    </>,
    error === undefined ? { reloadLeadsTo: SECOND_FACTOR_PATH } : { status: 422 },
  );
}

const Return = ({ to }: { readonly to: string | undefined }) =>
  to === undefined ? null : <input type="hidden" name="return" value={to} />;
