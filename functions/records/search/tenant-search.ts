import * as z from 'zod';
import type { PlanViews } from '#shared/auth/data-plan';
import { noSuch, Refusal } from '#shared/errors';
import { CSV_FORMULAS } from '#shared/formats/csv-formulas';
import { tenantApi } from '#shared/http/management-api';
import { RecordTypeName } from '../schemas/record-type.ts';
import { planHasView } from './data-plan.ts';
import { ORDERS, PREVIEW_RECORDS, readSearch, type Search } from './read-search.ts';
import { SEARCH_PARAMETERS } from './search-parameters.ts';

const text = z.string().optional();

/** The query parameters of a preview. Any text is accepted: their faults have the texts of the data endpoint. */
export const PreviewQuery = z
  .object({
    q: text.describe(SEARCH_PARAMETERS.q.description),
    records: text.meta({
      type: 'integer',
      minimum: 0,
      maximum: PREVIEW_RECORDS,
      default: PREVIEW_RECORDS,
      description: 'The number of records.',
    }),
    view: text.describe(SEARCH_PARAMETERS.view.description),
    order: text.meta({
      type: 'string',
      enum: [...ORDERS],
      default: 'index',
      description: SEARCH_PARAMETERS.order.description,
    }),
  })
  .meta({ required: ['q'] });
type PreviewQuery = z.output<typeof PreviewQuery>;

export const FacetQuery = PreviewQuery.pick({ q: true, view: true }).meta({ required: ['q'] });

export const NewRequest = z
  .strictObject({
    type: RecordTypeName,
    q: z.string().describe(SEARCH_PARAMETERS.q.description),
    view: z.string().optional().describe(SEARCH_PARAMETERS.view.description),
    format: z.enum(['json', 'csv']).default('json'),
    csvFormulas: z.enum(CSV_FORMULAS).optional().describe(SEARCH_PARAMETERS.csvFormulas.description),
    records: z
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('The number of records; all matches if absent.'),
    tokenId: z
      .string()
      .optional()
      .describe(
        'The id of the data token that pays; if absent, the one with the most credits of those whose plan has the view.',
      ),
  })
  .meta({ id: 'NewDownloadRequest' });
type NewRequest = z.output<typeof NewRequest>;

/** A data token, as far as a search depends on it. */
export interface SearchToken {
  readonly tokenId: string;
  readonly tenant: string;
  readonly planId: string;
  /** The views of its data plan. */
  readonly views: PlanViews;
  readonly availableDownloads: number;
  readonly revokedAt?: string | undefined;
}

/** The refusals that are a 409 here: on `/v3` they are about the calling token, but here a person chooses the token. */
const CONFLICTS: ReadonlySet<string> = new Set(['too-few-credits', 'token-revoked']);

/** Converts the refusals of the data endpoint into those of the management API. */
export const searchApi: typeof tenantApi = {
  ...tenantApi,
  present: (refusal, requestId) => {
    const { code, detail, cause } = refusal;
    return tenantApi.present(CONFLICTS.has(code) ? new Refusal(409, code, detail, { cause }) : refusal, requestId);
  },
};

/** Previews with what the tenant's tokens may show; refused for a tenant without a token. */
export function previewFor(tokens: readonly SearchToken[], type: string, query: PreviewQuery): Search {
  return readSearch(type, withoutEmpty(query), ...viewsIn(inForce(tokens)));
}

/** A search to be downloaded, and the token that pays for it. */
export interface PaidSearch {
  readonly search: Search;
  readonly token: SearchToken;
}

export function orderFor(tokens: readonly SearchToken[], { type, tokenId, records, ...rest }: NewRequest): PaidSearch {
  const choice = tokenId === undefined ? inForce(tokens) : [tokenNamed(tokens, tokenId)];
  const parameters = withoutEmpty({
    ...rest,
    download: 'true',
    records: records === undefined ? undefined : `${records}`,
  });
  const search = readSearch(type, parameters, ...viewsIn(choice));
  const [token] = choice
    .filter(({ views }) => planHasView(views, search.view))
    .toSorted((a, b) => b.availableDownloads - a.availableDownloads);
  if (!token) throw new Error('A search was accepted that no token may make.');
  return { search, token };
}

function tokenNamed(tokens: readonly SearchToken[], id: string): SearchToken {
  const token = tokens.find(({ tokenId }) => tokenId === id);
  if (!token) noSuch('token');
  if (token.revokedAt !== undefined) throw new Refusal(409, 'token-revoked', 'The data token was revoked.');
  return token;
}

function inForce(tokens: readonly SearchToken[]): readonly SearchToken[] {
  const valid = tokens.filter(({ revokedAt }) => revokedAt === undefined);
  if (valid.length === 0) throw new Refusal(403, 'no-data-token', 'The account has no valid data token.');
  return valid;
}

const viewsIn = (tokens: readonly SearchToken[]) => tokens.map(({ views }) => views);

/** The parameters as the data endpoint takes them. */
const withoutEmpty = (parameters: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));
