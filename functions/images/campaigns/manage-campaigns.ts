import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import type { TenantKey } from '#shared/ids';
import { LOCALES } from '../receipts/locales.ts';
import type { Campaign, CampaignChange, CampaignFields } from './campaign.ts';

/** DynamoDB limits an item to 400 KB. */
const BYTES_MAX = 350_000;

/** Stores campaigns by permalink. */
export interface Campaigns {
  /** False if the tenant has a campaign with this permalink. */
  add(campaign: Campaign): Promise<boolean>;
  byPermalink(key: TenantKey): Promise<Campaign | undefined>;
  /**
   * False if the campaign has changed since `before`, was deleted, or was replaced by another one with its permalink.
   */
  change(campaign: Campaign, before: Campaign): Promise<boolean>;
  remove(key: TenantKey): Promise<boolean>;
}

interface NewCampaign {
  readonly tenant: string;
  readonly campaignId: number;
  readonly now: number;
}

export async function createCampaign(
  campaigns: Pick<Campaigns, 'add'>,
  fields: CampaignFields,
  { tenant, campaignId, now }: NewCampaign,
): Promise<Campaign> {
  const at = isoTime(now);
  const id = fields.permalink;
  const campaign: Campaign = { ...fields, tenant, id, campaignId, revision: 1, createdAt: at, updatedAt: at };
  check(campaign);
  if (await campaigns.add(campaign)) return campaign;
  throw permalinkTaken(id);
}

export async function changeCampaign(
  campaigns: Pick<Campaigns, 'byPermalink' | 'change'>,
  { change, ...expected }: CampaignChange,
  { now, ...key }: TenantKey & { readonly now: number },
): Promise<Campaign> {
  for (;;) {
    const before = await campaignByKey(campaigns, key);
    requireSame(expected, before);
    const campaign = { ...before, ...change, revision: before.revision + 1, updatedAt: isoTime(now) };
    check(campaign);
    if (await campaigns.change(campaign, before)) return campaign;
  }
}

export async function campaignByKey(campaigns: Pick<Campaigns, 'byPermalink'>, key: TenantKey): Promise<Campaign> {
  return (await campaigns.byPermalink(key)) ?? noSuch('campaign');
}

/** Validations of a deleted campaign stay as they are. New submissions to it are refused. */
export async function deleteCampaign(campaigns: Pick<Campaigns, 'remove'>, key: TenantKey): Promise<void> {
  if (!(await campaigns.remove(key))) noSuch('campaign');
}

export function requireSame({ permalink, type, revision }: Omit<CampaignChange, 'change'>, before: Campaign): void {
  if (permalink !== undefined && permalink !== before.permalink)
    throw faultOf('permalink', `stays ${before.permalink}`);
  if (type !== undefined && type !== before.type) throw faultOf('type', `stays ${before.type}`);
  if (revision !== undefined && revision !== before.revision) {
    throw new Refusal(409, 'changed-meanwhile', `The campaign has revision ${before.revision}. Read it again.`);
  }
}

function check(campaign: Campaign): void {
  checkTimes(campaign);
  if (campaign.type === 'receipt') checkLocale(campaign);
  if (Buffer.byteLength(JSON.stringify(campaign)) > BYTES_MAX) {
    const detail = `Stores, products and regions are too long together: a campaign has at most ${BYTES_MAX} bytes.`;
    throw new Refusal(400, 'invalid-input', detail);
  }
}

export function checkTimes({ startsAt, endsAt }: Pick<Campaign, 'startsAt' | 'endsAt'>): void {
  if (Date.parse(startsAt) >= Date.parse(endsAt)) throw faultOf('endsAt', 'must be later than startsAt');
}

/**
 * Refuses a country or currency that receipts cannot be read in: a receipt read by another country's rules is misread.
 */
export function checkLocale({ country, currency }: Pick<Campaign, 'country'> & Partial<Campaign>): void {
  const locale = Object.hasOwn(LOCALES, country) ? LOCALES[country] : undefined;
  if (!locale) throw faultOf('country', `Receipts are read of ${Object.keys(LOCALES).join(', ')}.`);
  if (currency !== undefined && locale.currency !== currency) {
    throw faultOf('currency', `Receipts of ${country} are read in ${locale.currency}.`);
  }
}

export const permalinkTaken = (id: string) =>
  faultOf('permalink', `There is a campaign ${id} already.`, { status: 409, code: 'permalink-taken' });
