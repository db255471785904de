import * as z from 'zod/mini';
import type { Page } from '#shared/http/page';
import type { Table } from '#shared/table/table.dynamodb';
import { countValidations, listValidations, openList } from '../validations/listed-validations.dynamodb.ts';
import { livingClaim } from '../validations/review.ts';
import {
  claimReview,
  decideReview,
  releaseReview,
  reviewById,
  reviewsOf,
} from '../validations/review-items.dynamodb.ts';
import { awaitsReview } from '../validations/validation.ts';
import { validationById } from '../validations/validation-items.dynamodb.ts';
import { lists } from '../validations/validation-lists.ts';
import type { Claims } from './claim.ts';
import { type CreatedSince, ENTRIES_MAX } from './days.ts';
import { type Reviews, validationByKey } from './decide.ts';
import type { ListedValidation } from './management-view.ts';
import { COUNTED_MAX, type ListQuery } from './review-request.ts';

export const reviewsIn = (table: Table): Reviews => ({
  validation: (key) => validationById(table, key),
  review: (key) => reviewById(table, key),
  decide: (validation, decision) => decideReview(table, validation, decision),
});

export const claimsIn = (table: Table): Claims => ({
  validation: (key) => validationByKey(reviewsIn(table), key),
  claim: (key, claimed) => claimReview(table, key, claimed),
  release: (key, by) => releaseReview(table, key, by),
});

/**
 * A page of validations with their claims and, if asked for, their count, which stops at `COUNTED_MAX` + 1. Of those that
 * await a review, the ones with a decision are left out: they are in the list until it is applied.
 */
export async function listedValidations(
  table: Table,
  tenant: string,
  { filter, page, oldestFirst, isCounted, now }: ListQuery & { readonly now: number },
): Promise<Page<ListedValidation> & { readonly counted: number | undefined }> {
  const [{ items, ...rest }, counted] = await Promise.all([
    listValidations(table, { tenant, page, oldestFirst, ...filter }),
    isCounted ? countValidations(table, { tenant, most: COUNTED_MAX + 1, ...filter }) : undefined,
  ]);
  const opened = await reviewsOf(table, items.filter(awaitsReview));
  const left = filter.needsReview ? items.filter(({ id }) => opened.get(id)?.decision === undefined) : items;
  const withClaims = left.map((validation) => ({ validation, claim: livingClaim(opened.get(validation.id), now) }));
  const isExact = counted !== undefined && counted <= COUNTED_MAX;
  return { ...rest, items: withClaims, counted: isExact ? counted - (items.length - left.length) : counted };
}

const Entry = z.object({ position: z.string(), status: z.string() });

/** The newest validations of a campaign that were created on this day or later. @param most of them */
export async function createdSince(
  table: Table,
  { tenant, permalink }: { readonly tenant: string; readonly permalink: string },
  date: string,
  most = ENTRIES_MAX,
): Promise<CreatedSince> {
  const list = lists.ofCampaign(tenant, permalink);
  const open = await openList(table, list, { isTo: '>=', position: date, limit: most, attributes: '#status' });
  const items = await open.take(most);
  const created = items.map((item) => {
    const { position, status } = Entry.parse(item);
    return { createdAt: position.split('#')[0] ?? '', status };
  });
  return { created, isWhole: open.isOver() };
}
