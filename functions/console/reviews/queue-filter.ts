import type { Query } from '../management/management.ts';

/** The lists of records, by the value in the address. */
export const VIEWS = [
  ['', 'To review'],
  ['all', 'All'],
  ['valid', 'Valid'],
  ['invalid', 'Invalid'],
  ['incomplete', 'Incomplete'],
] as const;

export interface QueueFilter {
  readonly view: string;
  readonly customer: string;
  /** A permalink. */
  readonly campaign: string;
  readonly cursor: string;
}

/** Reads the filter from the address. A filter by customer or campaign always shows all records. */
export function queueFilterIn(query: URLSearchParams): QueueFilter {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, 100);
  const [view, customer] = [text('view'), text('customer')];
  // The API filters by one of them.
  const campaign = customer === '' ? text('campaign') : '';
  const knownView = VIEWS.some(([value]) => value === view) ? view : '';
  const isWhole = customer !== '' || campaign !== '';
  return { view: isWhole ? 'all' : knownView, customer, campaign, cursor: query.get('cursor') ?? '' };
}

/** The query of a view: the review queue is oldest first, everything else newest first. */
export function queueQueryOf({ view, customer, campaign, cursor }: QueueFilter): Query {
  const page = { limit: '50', cursor };
  if (view === '') return { ...page, needsReview: 'true', order: 'oldest', count: 'true' };
  return { ...page, customer, ...(campaign !== '' && { campaign }), status: view === 'all' ? undefined : view };
}

/** `14`, `100+` */
export const countedText = ({ value, isMore }: { readonly value: number; readonly isMore: boolean }): string =>
  isMore ? `${value}+` : String(value);
