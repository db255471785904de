import { PageHead, Problem } from '../components/page-parts.tsx';
import type { ManagementFailure } from '../management/management.ts';
import { type Page, page } from '../pages/screen.ts';

/** Says why the API has refused an erasure. @param under the page that it was asked for on, and its name */
export const notErased = (failure: ManagementFailure, under: readonly [path: string, name: string]): Page =>
  page(
    'Not erased',
    <>
      <PageHead title="Not erased" under={under} />
      <Problem failure={failure} />
    </>,
    { status: failure.status },
  );
