import type { DataCaller } from '#shared/auth/data-caller';
import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { Manifests } from '../index/manifest.ts';
import type { SegmentSearch } from '../segments/query/segment-search.ts';
import {
  type DownloadOrder,
  type DownloadPlan,
  type DownloadRequest,
  numRequestedOf,
  tooFewCredits,
} from './download-request.ts';
import type { DownloadKey, Downloads } from './downloads.ts';

export interface StartDeps {
  readonly index: Pick<Manifests, 'current'>;
  readonly segments: SegmentSearch;
  readonly downloads: Downloads;
  /** Queues the beginning of the work. */
  readonly send: (work: DownloadKey & { readonly tenant: string }) => Promise<void>;
  readonly now: () => number;
  /** Unique, and greater than those before. */
  readonly newId: () => Promise<number>;
}

/** The caller whose credits pay for a download. */
type Payer = Pick<DataCaller, 'tokenId' | 'tenant' | 'planId'>;

/** A caller waits this long for the count; after that the worker counts. The API itself gives up after 29 s. */
const COUNTING_MILLIS = 15_000;
const MAX_IDS = 8;

/**
 * Accepts a download: pins the index, counts, takes the records from the account and queues the work. A crash before
 * the message is sent leaves a started download that is found and woken within two minutes.
 */
export async function startDownload(deps: StartDeps, search: DownloadOrder, caller: Payer): Promise<DownloadRequest> {
  const { segments, index } = deps;
  const now = deps.now();
  const manifest = await index.current(search.type);
  const until = now + COUNTING_MILLIS;
  const counts = await segments.counts(search.query, manifest.segments, () => deps.now() < until);
  const numFound = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  const at = isoTime(now);
  const draft: Omit<DownloadRequest, 'id'> = {
    tokenId: caller.tokenId,
    tenant: caller.tenant,
    planId: caller.planId,
    type: search.type,
    query: search.text,
    view: search.view.name,
    format: search.format,
    csvFormulas: search.csvFormulas,
    records: search.recordsText,
    status: 'STARTED',
    error: '',
    numFound,
    numRequested: counts ? numRequestedOf(search.recordsText, numFound) : 0,
    numDownloaded: 0,
    filesDone: 0,
    startedAt: at,
    progressedAt: at,
  };
  const request = await putUnderFreeId(deps, draft, { version: manifest.version, ...(counts && { counts }) });
  await deps.send({ tokenId: request.tokenId, id: request.id, tenant: request.tenant });
  return request;
}

async function putUnderFreeId(
  { downloads, newId }: StartDeps,
  draft: Omit<DownloadRequest, 'id'>,
  plan: DownloadPlan,
): Promise<DownloadRequest> {
  for (let taken = 0; taken < MAX_IDS; taken += 1) {
    const request = { ...draft, id: await newId() };
    const outcome = await downloads.start(request, plan);
    if (outcome === 'reserved') return request;
    if (outcome === 'too-few-credits') throw tooFewCredits();
    if (outcome === 'token-revoked') throw new Refusal(401, 'token-revoked', 'The API token was revoked.');
  }
  throw new Refusal(503, 'busy', 'Too many downloads start at this moment. Try again.');
}
