import { PageHead, Problem } from '../components/page-parts.tsx';
import type { ManagementFailure } from '../management/management.ts';
import { type Page, page } from './screen.ts';

/**
 * The page that says why the API has refused an action.
 * @param title what was not done
 * @param under the page on which it was asked for
 */
export const refusedPage = (
  title: string,
  under: readonly [path: string, label: string],
  failure: ManagementFailure,
): Page =>
  page(
    title,
    <>
      <PageHead title={title} under={under} />
      <Problem failure={failure} />
    </>,
    { status: failure.status },
  );
