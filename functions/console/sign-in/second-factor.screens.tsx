import { LinkButton, Submit } from '../components/button.tsx';
import { Field, PostForm } from '../components/form.tsx';
import { Code, Note, PageHead } from '../components/page-parts.tsx';
import type { Form } from '../pages/form.ts';
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
  return isOn ? (
    <ProofForm isRequired={secondFactor.isRequired} />
  ) : (
    <PostForm action={SECOND_FACTOR_PATH} class="row">
      <Return to={returnTo} />
      <Submit kind="primary" label="Set up an app" />
    </PostForm>
  );
}

/** Asks for the password and the code of the current app, without which it can be neither replaced nor turned off. */
const ProofForm = ({ isRequired, error }: { readonly isRequired: boolean; readonly error?: string }) => (
  <PostForm action={SECOND_FACTOR_PATH} class="stack">
    {error !== undefined && <Note tone="bad">{error}</Note>}
    <Field
      name="password"
      label="Password"
      type="password"
      autocomplete="current-password"
      isRequired
      maxLength={256}
    />
    <Field
      name="current"
      label="Code from the current app"
      autocomplete="one-time-code"
      inputMode="numeric"
      isRequired
      maxLength={7}
      hint="If you have just signed in with a code, wait for the next one. Without the app, ask an admin for a reset."
    />
    <div class="row">
      <Submit label="Set up another app" />
      {!isRequired && <Submit kind="danger" label="Turn off" formAction={`${SECOND_FACTOR_PATH}/off`} />}
    </div>
  </PostForm>
);

/** Returns the page that asks again, unless the form proves that its sender has the current app. */
async function unproven({ form, secondFactor }: PageRequest): Promise<Page | undefined> {
  const proof = { password: form.text('password'), code: codeIn(form, 'current') };
  const isStated = proof.password !== '' && /^\d{6}$/.test(proof.code);
  const error = isStated ? await secondFactor.refusalOf(proof) : 'Enter your password and a code of six digits.';
  if (error === undefined) return undefined;
  return page(
    TITLE,
    <>
      <PageHead title={TITLE} under={[SECOND_FACTOR_PATH, TITLE]} />
      <div class="form">
        <section class="card pad">
          <ProofForm isRequired={secondFactor.isRequired} error={error} />
        </section>
      </div>
    </>,
    { status: 422 },
  );
}

const codeIn = (form: Form, name: string) => form.text(name).replaceAll(/\s/g, '');

const SignInAgain = () => (
  <PostForm action="/console/sign-out" class="stack">
    <input type="hidden" name="return" value={SECOND_FACTOR_PATH} />
    <p>{TOO_LATE}</p>
    <div class="row">
      <Submit kind="primary" label="Sign in again" />
    </div>
  </PostForm>
);

const SignOut = () => (
  <PostForm action="/console/sign-out">
    <Submit kind="small" label="Sign out" />
  </PostForm>
);

/** Creates a secret and shows it, only once. */
export const offerSecret: Screen = async (pageRequest) => {
  const { secondFactor } = pageRequest;
  if (!secondFactor.mayChange) return tooLate();
  const unprovenPage = (await secondFactor.isOn()) ? await unproven(pageRequest) : undefined;
  if (unprovenPage) return unprovenPage;
  return secretPage(pageRequest, await secondFactor.newSecret());
};

/** Confirms the secret with a code. A wrong code changes nothing; the form sends the secret back. */
export const confirmSecret: Screen = async (pageRequest) => {
  const { form, secondFactor } = pageRequest;
  if (!secondFactor.mayChange) return tooLate();
  const secret = form.text('secret');
  const code = codeIn(form, 'code');
  if (!isSecret(secret)) return seeOther(SECOND_FACTOR_PATH);
  if (!(await secondFactor.confirm(code)))
    return secretPage(pageRequest, secret, 'Wrong code. Enter the current code from the app.');
  return seeOther(ownPath(form.trimmed('return')) ?? `${SECOND_FACTOR_PATH}?done=1`);
};

export const turnOffSecondFactor: Screen = async (pageRequest) => {
  const { secondFactor } = pageRequest;
  if (!secondFactor.mayChange) return tooLate();
  if (secondFactor.isRequired) return refused('Two-factor authentication is required for operators.');
  const unprovenPage = await unproven(pageRequest);
  if (unprovenPage) return unprovenPage;
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
          <Submit kind="primary" label="Confirm" />
          <LinkButton label="Cancel" href={SECOND_FACTOR_PATH} />
        </div>
      </PostForm>
    </>,
    error === undefined ? { reloadLeadsTo: SECOND_FACTOR_PATH } : { status: 422 },
  );
}

const Return = ({ to }: { readonly to: string | undefined }) =>
  to === undefined ? null : <input type="hidden" name="return" value={to} />;
