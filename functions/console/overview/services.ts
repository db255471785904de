import { countOf, countText } from '../components/quantities.ts';
import type { Download } from '../downloads/download-answers.ts';
import type { Settled } from '../management/management.ts';
import { deliverySums } from './figures.ts';
import type { AnyItems, Deliveries, PlaceNames, Reviews, Used } from './overview-answers.ts';

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

/** The answers that tell the state of the services. One that failed, or is not deployed, leaves its service out. */
export interface ServiceAnswers {
  /** Needed if there was no delivery. */
  readonly configurations: Settled<AnyItems> | undefined;
  readonly deliveries: Settled<Deliveries>;
  /** The failed runs that no replay has resolved. */
  readonly failed: Settled<Listed>;
  readonly downloads: Settled<{ readonly items: readonly Download[] }>;
  readonly usage: Settled<Used>;
  readonly places: Settled<PlaceNames>;
  /** Needed if nothing is to be reviewed. */
  readonly campaigns: Settled<AnyItems> | undefined;
  readonly reviews: Settled<Reviews>;
}

export const serviceStates = (answers: ServiceAnswers): readonly ServiceState[] =>
  [webhooksState, recordsState, conversionsState, placesState, receiptsState].flatMap(
    (stateOf) => stateOf(answers) ?? [],
  );

function webhooksState({ configurations, deliveries, failed }: ServiceAnswers): ServiceState | undefined {
  if (!deliveries.ok || !failed.ok) return undefined;
  const title = 'Webhooks';
  const { all } = deliverySums(deliveries.value.periods);
  if (all === 0) {
    if (!configurations?.ok) return undefined;
    return configurations.value.items.length === 0
      ? {
          title,
          sentence: 'No endpoint receives events yet.',
          next: { path: 'api-configurations/new', label: 'Add an API configuration' },
        }
      : { title, sentence: 'No events in the last 24 hours.', next: { path: 'rules', label: 'Send a test event' } };
  }
  const isMore = deliveries.value.reached !== undefined;
  const sent = `${countText(all)}${isMore ? '+' : ''} ${all === 1 && !isMore ? 'delivery' : 'deliveries'} in the last 24 hours`;
  const unresolved = failed.value.items.length;
  return unresolved === 0
    ? {
        title,
        sentence: `${sent}. No failure is unresolved.`,
        next: { path: 'api-configurations', label: 'See your endpoints' },
      }
    : {
        title,
        sentence: `${sent}. ${countText(unresolved)}${failed.value.nextCursor === undefined ? '' : '+'} failed and ${unresolved === 1 ? 'is' : 'are'} unresolved.`,
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

function placesState({ places }: ServiceAnswers): ServiceState | undefined {
  if (!places.ok) return undefined;
  const title = 'Places';
  const [newest] = places.value.items;
  return newest
    ? {
        title,
        sentence: `Customers can check in. The newest place is ${newest.name}.`,
        next: { path: 'places', label: 'See places' },
      }
    : { title, sentence: 'Nobody can check in yet.', next: { path: 'places/-/new', label: 'Add a place' } };
}

function receiptsState({ campaigns, reviews }: ServiceAnswers): ServiceState | undefined {
  if (!reviews.ok) return undefined;
  const title = 'Receipts and photos';
  const { value, isMore } = reviews.value.count;
  if (value > 0) {
    return {
      title,
      sentence: `${countText(value)}${isMore ? '+' : ''} ${value === 1 ? 'receipt or photo waits' : 'receipts and photos wait'} for review.`,
      next: { path: 'images', label: 'Open the review queue' },
    };
  }
  if (!campaigns?.ok) return undefined;
  return campaigns.value.items.length === 0
    ? {
        title,
        sentence: 'No campaign accepts receipts or photos yet.',
        next: { path: 'campaigns/-/new', label: 'Start a campaign' },
      }
    : {
        title,
        sentence: 'No receipt or photo waits for review.',
        next: { path: 'campaigns', label: 'See campaigns' },
      };
}
