import { Submit } from '../components/button.tsx';
import { Field, PostForm } from '../components/form.tsx';
import { Note, PageHead } from '../components/page-parts.tsx';
import { type Page, page, type Screen, seeOther } from '../pages/screen.ts';
import { PASSWORD_PATH } from '../sessions/own-password.ts';
import { PASSWORD_RULE } from './password-rule.ts';

const TITLE = 'Password';

/** The fields of the form with a fault. */
interface Faults {
  readonly current?: string;
  readonly next?: string;
  readonly all?: string;
}

export const passwordScreen: Screen = () => passwordPage({});

/** Replaces the person's own password, and leads to the sign-in page, because all sessions have ended. */
export const changePassword: Screen = async ({ form, password }) => {
  const [current, next] = [form.text('current'), form.text('next')];
  if (current === '') return passwordPage({ current: 'Enter your current password.' });
  if (next === current) return passwordPage({ next: 'Choose another password than the current one.' });
  const result = await password.change({ current, next });
  switch (result.kind) {
    case 'changed':
      return seeOther('/console/sign-in?password-changed=1');
    case 'weak':
      return passwordPage({ next: PASSWORD_RULE });
    case 'wrong':
      return passwordPage({ current: 'This is not your current password.' });
    default:
      return passwordPage({ all: result.reason }, 429);
  }
};

const passwordPage = (faults: Faults, status = Object.keys(faults).length > 0 ? 422 : 200): Page =>
  page(
    TITLE,
    <>
      <PageHead title={TITLE} lead="Changing it signs you out here at once, and everywhere else within 15 minutes." />
      <PostForm action={PASSWORD_PATH} class="form card pad">
        {faults.all && <Note tone="bad">{faults.all}</Note>}
        <Field
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          isRequired
          maxLength={256}
          error={faults.current}
        />
        <Field
          name="next"
          label="New password"
          type="password"
          autocomplete="new-password"
          isRequired
          maxLength={256}
          hint={PASSWORD_RULE}
          error={faults.next}
        />
        <div class="row">
          <Submit kind="primary" label="Change password" />
        </div>
      </PostForm>
    </>,
    { status },
  );
