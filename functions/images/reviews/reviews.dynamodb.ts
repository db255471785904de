import type { Page } from '#shared/http/page';
import { queryPage } from '#shared/table/queries.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { countValidations, listValidations } from '../validations/listed-validations.dynamodb.ts';
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
import { lists, partitionsOf } from '../validations/validation-lists.ts';
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

/** The validations of a campaign that were created on this day or later, of each partition the newest. */
export async function createdSince(
  table: Table,
  { tenant, permalink }: { readonly tenant: string; readonly permalink: string },
  date: string,
  entriesMax = ENTRIES_MAX,
): Promise<CreatedSince> {
  const list = lists.ofCampaign(tenant, permalink);
  const partitions = partitionsOf(list);
  const read = async (partition: string) => {
    const { items, last } = await queryPage(table, {
      index: list.index,
      where: '#list = :partition AND #position >= :date',
      attributes: '#position, #status',
      names: { list: list.attribute },
      values: { partition, date },
      backwards: true,
      limit: Math.ceil(entriesMax / partitions.length),
    });
    const created = items.map(({ position, status }) => ({
      createdAt: String(position).split('#')[0] ?? '',
      status: String(status),
    }));
    return { created, reached: last === undefined ? undefined : created.at(-1)?.createdAt };
  };
  const parts = await Promise.all(partitions.map(read));
  const reached = parts
    .flatMap((part) => part.reached ?? [])
    .toSorted()
    .at(-1);
  return { created: parts.flatMap(({ created }) => created), ...(reached !== undefined && { reached }) };
}
