import type { TenantKey } from '#shared/ids';
import { customerAttributes } from '#shared/loyalty/customer-items.dynamodb';
import type { Table } from '#shared/table.dynamodb';
import { awardCounts } from '../campaigns/award-items.dynamodb.ts';
import { campaignByPermalink } from '../campaigns/campaign-store.dynamodb.ts';
import { lookAlikesOf, pointTo } from '../duplicates/look-alikes.dynamodb.ts';
import { ownerOf } from '../duplicates/prints.dynamodb.ts';
import type { Examination } from '../examination/examination.ts';
import { slotOf } from '../validations/picture-keys.ts';
import { openReview, reviewById } from '../validations/review-items.dynamodb.ts';
import type { Validation } from '../validations/validation.ts';
import { changeValidation, validationById } from '../validations/validation-items.dynamodb.ts';
import type { ApplyDeps } from './apply-verdict.ts';
import { makeAward } from './awards.dynamodb.ts';
import { caseOf } from './case-of.ts';
import type { DecideDeps } from './decide-validation.ts';
import type { PrepareDeps } from './prepare-validation.ts';
import type { ReviewDeps } from './request-review.ts';
import { reviewedVerdict } from './reviewed-verdict.ts';

/** The tables of the workflow. */
export interface Tables {
  readonly images: Table;
  /** Apps, customers and their points. */
  readonly accounts: Table;
}

const casesIn = ({ images, accounts }: Tables) =>
  caseOf({
    campaign: (tenant, permalink) => campaignByPermalink(images, tenant, permalink),
    awards: (campaign, customer) => awardCounts(images, campaign, customer),
    attributes: (customer) => customerAttributes(accounts, customer),
  });

export const prepareDeps = (tables: Tables): PrepareDeps => ({
  validation: (key) => validationById(tables.images, key),
  caseOf: casesIn(tables),
  pointTo: (key, { key: object, sha256 }, now) =>
    pointTo(tables.images, key, { slot: slotOf(object), seen: { sha256 }, now }),
  lookAlikes: (key, sha256) => lookAlikesOf(tables.images, key, { sha256 }),
});

export const decideDeps = (
  tables: Tables,
  examination: (key: TenantKey, slot: string) => Promise<Examination>,
): DecideDeps => ({
  validation: (key) => validationById(tables.images, key),
  caseOf: casesIn(tables),
  examination,
  pointTo: (key, pointed) => pointTo(tables.images, key, pointed),
  lookAlikes: (key, seen) => lookAlikesOf(tables.images, key, seen),
  ownerOf: (tenant, digest) => ownerOf(tables.images, tenant, { kind: 'content', digest }),
});

const change = (table: Table) => (after: Validation, before: Validation) => changeValidation(table, after, before);

export const reviewDeps = (table: Table): ReviewDeps => ({
  validation: (key) => validationById(table, key),
  change: change(table),
  open: async (key, opened) => void (await openReview(table, { ...key, ...opened })),
});

export const applyDeps = ({ images, accounts }: Tables): ApplyDeps => ({
  validation: (key) => validationById(images, key),
  reviewed: async (validation) => reviewedVerdict(validation, (await reviewById(images, validation))?.decision),
  campaign: (tenant, permalink) => campaignByPermalink(images, tenant, permalink),
  change: change(images),
  award: (award) => makeAward({ images, accounts: accounts.name }, award),
});
