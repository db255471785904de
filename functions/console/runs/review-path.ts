import { type PageRequest, screenPath } from '../pages/screen.ts';
import { addressOf, type RunFilter } from './run-filter.ts';

/** The query parameter of the page that shows the matching runs before a replay. */
export const REVIEW = 'review';

/** Returns the members of a filter that a bulk replay supports: it always replays unresolved failed runs. */
export const choiceOf = (filter: RunFilter) =>
  addressOf({ ...filter, status: '', resolved: '', bulkReplay: '', cursor: '' });

/** Returns the address of the page that shows the matching runs before a replay. */
export const reviewPath = (pageRequest: PageRequest, filter: RunFilter) =>
  screenPath(pageRequest, 'replays/new', { ...choiceOf(filter), [REVIEW]: '1' });
