import { countOf, countText } from '../components/quantities.ts';
import type { Download } from '../downloads/download-answers.ts';
import type { Import } from '../imports/import-answers.ts';
import type { Settled } from '../management/management.ts';
import type { Reviews, Used } from './overview-answers.ts';

/** The state of a service in a sentence, and the next step with it. */
export interface ServiceState {
  readonly title: keyof typeof PURPOSES;
  readonly sentence: string;
  readonly next: { readonly path: string; readonly label: string };
}

/** The purpose of each service, by its title. */
export const PURPOSES = {
  Webhooks: 'Sends events to your endpoints.',
  Records: 'Search and download businesses, products and properties.',
  Conversions: 'Converts and checks values over the API.',
  Places: 'Customers check in and earn points.',
  'Receipts and photos': 'Customers submit them and earn points.',
} as const;

/** A page of a list, of which there may be more. */
interface Listed {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

/** The lists that tell the state of the services. One that failed, or is not deployed, leaves its service out. */
export interface ServiceAnswers {
  readonly configurations: Settled<{ readonly items: readonly unknown[] }>;
  readonly runs: Settled<{
    readonly items: readonly { readonly status: string }[];
    readonly nextCursor?: string | undefined;
  }>;
  /** The failed runs that no replay has resolved. */
  readonly failed: Settled<Listed>;
  readonly downloads: Settled<{ readonly items: readonly Download[] }>;
  readonly usage: Settled<Used>;
  readonly places: Settled<{ readonly items: readonly unknown[] }>;
  readonly imports: Settled<{ readonly items: readonly Import[] }>;
  readonly campaigns: Settled<{ readonly items: readonly unknown[] }>;
  readonly reviews: Settled<Reviews>;
}

export const serviceStates = (answers: ServiceAnswers): readonly ServiceState[] =>
  [webhooksState, recordsState, conversionsState, placesState, receiptsState].flatMap(
    (stateOf) => stateOf(answers) ?? [],
  );

function webhooksState({ configurations, runs, failed }: ServiceAnswers): ServiceState | undefined {
  if (!configurations.ok || !runs.ok || !failed.ok) return undefined;
  const title = 'Webhooks';
  if (configurations.value.items.length === 0) {
    const next = { path: 'api-configurations/new', label: 'Add an API configuration' };
    return { title, sentence: 'No endpoint receives events yet.', next };
  }
  const { items, nextCursor } = runs.value;
  if (items.length === 0) {
    return { title, sentence: 'No events in the last 24 hours.', next: { path: 'rules', label: 'Send a test event' } };
  }
  const many = (list: Listed) => `${countText(list.items.length)}${list.nextCursor === undefined ? '' : '+'}`;
  const deliveries = `${many({ items, nextCursor })} ${items.length === 1 && nextCursor === undefined ? 'delivery' : 'deliveries'} in the last 24 hours`;
  const unresolved = failed.value.items.length;
  return unresolved === 0
    ? {
        title,
        sentence: `${deliveries}. No failure is unresolved.`,
        next: { path: 'api-configurations', label: 'See your endpoints' },
      }
    : {
        title,
        sentence: `${deliveries}. ${many(failed.value)} failed and ${unresolved === 1 ? 'is' : 'are'} unresolved.`,
        next: { path: 'runs?status=FAILED&resolved=false', label: 'See the failed deliveries' },
      };
}

function recordsState({ downloads }: ServiceAnswers): ServiceState | undefined {
  if (!downloads.ok) return undefined;
  const title = 'Records';
  const [newest] = downloads.value.items;
  if (!newest) {
    return { title, sentence: 'Nothing has been downloaded yet.', next: { path: 'search', label: 'Search records' } };
  }
  const { id, status, downloaded, requested, type } = newest;
  const amount = `${countText(downloaded)} of ${countOf(requested, 'record')}`;
  const sentence =
    status === 'STARTED'
      ? `A download of ${type} has written ${amount}.`
      : `The last download of ${type} wrote ${amount}.`;
  return { title, sentence, next: { path: `downloads/${id}`, label: 'View this download' } };
}

function conversionsState({ usage }: ServiceAnswers): ServiceState | undefined {
  if (!usage.ok) return undefined;
  const title = 'Conversions';
  const { liveIncluded, liveUsed, testQuota, testUsed } = usage.value;
  if (liveUsed + testUsed === 0) {
    return { title, sentence: 'No conversion in this period.', next: { path: 'keys', label: 'Create a key' } };
  }
  const sentence =
    liveIncluded > 0
      ? `${countText(liveUsed)} of ${countText(liveIncluded)} included conversions are used.`
      : `${countText(testUsed)} of ${countText(testQuota)} test conversions are used.`;
  return { title, sentence, next: { path: 'usage', label: 'See usage by day' } };
}

function placesState({ places, imports }: ServiceAnswers): ServiceState | undefined {
  if (!places.ok) return undefined;
  const title = 'Places';
  if (places.value.items.length === 0) {
    return { title, sentence: 'Nobody can check in yet.', next: { path: 'places/-/new', label: 'Add a place' } };
  }
  const newest = imports.ok ? imports.value.items[0] : undefined;
  if (!newest) {
    return { title, sentence: 'Customers can check in at your places.', next: { path: 'places', label: 'See places' } };
  }
  const { id, name, imported, rejected } = newest;
  const sentence =
    rejected === 0
      ? `The last import, ${name}, added or changed ${countOf(imported, 'place')}.`
      : `The last import, ${name}, added or changed ${countOf(imported, 'place')} and rejected ${countOf(rejected, 'row')}.`;
  return { title, sentence, next: { path: `imports/${encodeURIComponent(id)}`, label: 'View this import' } };
}

function receiptsState({ campaigns, reviews }: ServiceAnswers): ServiceState | undefined {
  if (!campaigns.ok || !reviews.ok) return undefined;
  const title = 'Receipts and photos';
  if (campaigns.value.items.length === 0) {
    const next = { path: 'campaigns/-/new', label: 'Start a campaign' };
    return { title, sentence: 'No campaign accepts receipts or photos yet.', next };
  }
  const { value, isMore } = reviews.value.count;
  const next =
    value === 0 ? { path: 'campaigns', label: 'See campaigns' } : { path: 'images', label: 'Open the review queue' };
  return {
    title,
    sentence:
      value === 0
        ? 'No receipt or photo waits for review.'
        : `${countText(value)}${isMore ? '+' : ''} ${value === 1 ? 'receipt or photo waits' : 'receipts and photos wait'} for review.`,
    next,
  };
}
