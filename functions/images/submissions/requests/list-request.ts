import { loyaltyError } from '#shared/loyalty/loyalty-error';

/** A page of a customer's validations. Pages count from 1. */
export interface ListRequest {
  readonly limit: number;
  readonly page: number;
}

const LIMIT_MAX = 100;
/** Skipped validations are read too, so paging is limited. */
const VALIDATIONS_MAX = 10_000;

/** Reads `limit` and `page` from a raw query string. */
export function readListRequest(rawQueryString: string): ListRequest {
  const query = new URLSearchParams(rawQueryString);
  const limit = Math.min(positive('limit', query.get('limit')) ?? LIMIT_MAX, LIMIT_MAX);
  const page = positive('page', query.get('page')) ?? 1;
  if (limit * page <= VALIDATIONS_MAX) return { limit, page };
  throw loyaltyError(
    'argument_error',
    `The list ends at ${VALIDATIONS_MAX} validations: limit * page must not be more.`,
  );
}

function positive(name: string, text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw loyaltyError('argument_error', `${name} must be an integer above 0.`);
}
