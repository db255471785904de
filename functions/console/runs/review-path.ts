import { screenPath, type Visit } from '../pages/screen.ts';
import { addressOf, type RunFilter } from './run-filter.ts';

/** Of the address that shows what a filter finds, before anything is replayed. */
export const REVIEW = 'review';

/** The members of a filter that a bulk replay has a choice of: it replays failed runs that are not resolved. */
export const choiceOf = (filter: RunFilter) => addressOf({ ...filter, status: '', resolved: '', cursor: '' });

/** The address of the page that shows what a filter finds. */
export const reviewPath = (visit: Visit, filter: RunFilter) =>
  screenPath(visit, 'replays/new', { ...choiceOf(filter), [REVIEW]: '1' });
