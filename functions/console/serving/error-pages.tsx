import { Note, PageHead, Problem } from '../components/page-parts.tsx';
import type { ManagementFailure } from '../management/management.ts';
import { type Page, page } from '../pages/screen.ts';

export const notFoundPage = (): Page =>
  page(
    'Not found',
    <>
      <PageHead title="Not found" lead="This page doesn't exist, or it belongs to another account." />
      <a href="/console">Go to the overview</a>
    </>,
    { status: 404 },
  );

const TITLES: Readonly<Record<number, string>> = { 403: 'Not allowed', 404: 'Not found' };

const RoleRequired = ({ failure: { detail } }: { readonly failure: ManagementFailure }) => (
  <Note tone="warn">{detail} An admin of your account can change your role.</Note>
);

/** The page for a failure of a page's main call. */
export const failurePage = (failure: ManagementFailure, back: string | undefined): Page => {
  if (failure.code === 'account-suspended') return suspendedPage();
  const title = TITLES[failure.status] ?? 'Something went wrong';
  return page(
    title,
    <>
      <PageHead title={title} />
      <div class="stack">
        {failure.code === 'role-required' ? <RoleRequired failure={failure} /> : <Problem failure={failure} />}
        {back && (
          <p>
            <a href={back}>Go back</a>
          </p>
        )}
      </div>
    </>,
    { status: failure.status },
  );
};

/** The page for people of a suspended account. */
const suspendedPage = (): Page =>
  page(
    'Suspended',
    <>
      <PageHead title="Suspended" />
      <div class="stack">
        <Note tone="warn">
          This account is suspended: its keys and tokens are refused and its webhooks are paused. No data is lost.
          Contact the operator of the service.
        </Note>
      </div>
    </>,
    { status: 403 },
  );

export const notePage = (
  title: string,
  text: string,
  { status, back }: { status: number; back: string | undefined },
): Page =>
  page(
    title,
    <>
      <PageHead title={title} />
      <div class="stack">
        <Note tone="warn">{text}</Note>
        <p>
          <a href={back ?? '/console'}>{back ? 'Go back' : 'Go to the overview'}</a>
        </p>
      </div>
    </>,
    { status },
  );
