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
  readonly cursor: string;
}

/** Reads the filter from the address. A filter by customer always shows all records. */
export function queueFilterIn(query: URLSearchParams): QueueFilter {
  const [view, customer] = [query.get('view') ?? '', (query.get('customer') ?? '').trim().slice(0, 100)];
  const knownView = VIEWS.some(([value]) => value === view) ? view : '';
  return { view: customer === '' ? knownView : 'all', customer, cursor: query.get('cursor') ?? '' };
}

/** The query of a view: the review queue is oldest first, everything else newest first. */
export function queueQueryOf({ view, customer, cursor }: QueueFilter): Query {
  const page = { limit: '50', cursor };
  if (view === '') return { ...page, needsReview: 'true', order: 'oldest', count: 'true' };
  return { ...page, customer, status: view === 'all' ? undefined : view };
}

/** `14`, `100+` */
export const countedText = ({ value, isMore }: { readonly value: number; readonly isMore: boolean }): string =>
  isMore ? `${value}+` : String(value);
