import type { Query } from '../management/management.ts';

/** Lists of records, by the value in the address. */
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

/** A customer has records of all kinds: the views are not for one customer. */
export function queueFilterIn(query: URLSearchParams): QueueFilter {
  const [view, customer] = [query.get('view') ?? '', (query.get('customer') ?? '').trim().slice(0, 100)];
  const known = VIEWS.some(([value]) => value === view) ? view : '';
  return { view: customer === '' ? known : 'all', customer, cursor: query.get('cursor') ?? '' };
}

/** What waits for a person comes oldest first, everything else newest first. */
export function queueQueryOf({ view, customer, cursor }: QueueFilter): Query {
  const page = { limit: '50', cursor };
  if (view === '') return { ...page, needsReview: 'true', order: 'oldest', count: 'true' };
  return { ...page, customer, status: view === 'all' ? undefined : view };
}

/** `14`, `100+` */
export const countedText = ({ value, isMore }: { readonly value: number; readonly isMore: boolean }): string =>
  isMore ? `${value}+` : String(value);
