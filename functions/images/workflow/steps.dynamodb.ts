import type { TenantKey } from '#shared/ids';
import { customerAttributes } from '#shared/loyalty/customer-items.dynamodb';
import { getItems, type Table } from '#shared/table/table.dynamodb';
import { awardCounts } from '../campaigns/award-counters.dynamodb.ts';
import { campaignByPermalink } from '../campaigns/campaign-store.dynamodb.ts';
import { lookAlikesOf, pointTo } from '../duplicates/look-alikes.dynamodb.ts';
import { ownerOf } from '../duplicates/reservations.dynamodb.ts';
import type { Examination } from '../examination/examination.ts';
import { imageNameOf } from '../validations/picture-keys.ts';
import { endReview, openReview, reviewById } from '../validations/review-items.dynamodb.ts';
import type { Validation } from '../validations/validation.ts';
import {
  changeValidation,
  validationById,
  validationIn,
  validationKey,
} from '../validations/validation-items.dynamodb.ts';
import { addWaiting, waitingFor } from '../validations/waiting-items.dynamodb.ts';
import { reviewedVerdict } from '../verdict/reviewed-verdict.ts';
import type { ApplyDeps } from './apply-verdict.ts';
import { makeAward } from './awards.dynamodb.ts';
import type { DecideDeps } from './decide-validation.ts';
import { contextOf } from './load-context.ts';
import type { PrepareDeps } from './prepare-validation.ts';
import type { ReviewDeps } from './request-review.ts';
import type { SettleDeps } from './settle-reviews.ts';

/** The tables that the workflow uses. */
export interface Tables {
  readonly images: Table;
  /** The table with apps, customers and their points. */
  readonly accounts: Table;
}

const contextsIn = ({ images, accounts }: Tables) =>
  contextOf({
    campaign: (tenant, permalink) => campaignByPermalink(images, tenant, permalink),
    awards: (campaign, customer) => awardCounts(images, campaign, customer),
    attributes: (customer) => customerAttributes(accounts, customer),
  });

export const prepareDeps = (tables: Tables, lanes: number): PrepareDeps => ({
  lanes,
  validation: (key) => validationById(tables.images, key),
  contextOf: contextsIn(tables),
  pointTo: (validation, { key: object, sha256 }, now) =>
    pointTo(tables.images, validation, { name: imageNameOf(object), traits: { sha256 }, now }),
  lookAlikes: (validation, sha256, scope) => lookAlikesOf(tables.images, validation, { sha256, scope }),
});

export const decideDeps = (
  tables: Tables,
  examination: (key: TenantKey, name: string) => Promise<Examination>,
): DecideDeps => ({
  validation: (key) => validationById(tables.images, key),
  contextOf: contextsIn(tables),
  examination,
  pointTo: (validation, image) => pointTo(tables.images, validation, image),
  lookAlikes: (validation, traits) => lookAlikesOf(tables.images, validation, traits),
  ownerOf: (where, reservation) => ownerOf(tables.images, where, { kind: 'content', ...reservation }),
});

const change = (table: Table) => (after: Validation, before: Validation) => changeValidation(table, after, before);

const settleDeps = (table: Table): SettleDeps => ({
  validation: (key) => validationById(table, key),
  statuses: async (tenant, ids) => {
    const keys = [...new Set(ids)].map((id) => validationKey({ tenant, id }));
    const validations = (await getItems(table, keys)).map(validationIn);
    return new Map(validations.map(({ id, status }) => [id, status]));
  },
  endReview: (key, at) => endReview(table, key, at),
});

export const reviewDeps = (table: Table): ReviewDeps => ({
  ...settleDeps(table),
  change: change(table),
  review: (key) => reviewById(table, key),
  open: async (key, opened) => void (await openReview(table, { ...key, ...opened })),
  addWaiting: (key, waits) => addWaiting(table, key, waits),
});

export const applyDeps = ({ images, accounts }: Tables): ApplyDeps => ({
  ...settleDeps(images),
  reviewed: async (validation) => reviewedVerdict(validation, (await reviewById(images, validation))?.decision),
  campaign: (tenant, permalink) => campaignByPermalink(images, tenant, permalink),
  change: change(images),
  waitingFor: (key) => waitingFor(images, key),
  award: (award) => makeAward({ images, accounts: accounts.name }, award),
});
