import type { TenantKey } from '#shared/ids';
import type { Campaign } from '../campaigns/campaign.ts';
import type { Validation } from '../validations/validation.ts';
import type { AwardCounts, ValidationContext } from '../verdict/validation-context.ts';

/** The attribute of a customer that names the retailers whose loyalty cards are linked, with commas between them. */
const LINKED_RETAILERS = 'linkedRetailers';

export interface ContextDeps {
  readonly campaign: (tenant: string, permalink: string) => Promise<Campaign | undefined>;
  readonly awards: (campaign: Campaign, customer: string) => Promise<AwardCounts>;
  /** What the tenant keeps with a customer; none of an anonymous one. */
  readonly attributes: (customer: TenantKey) => Promise<Readonly<Record<string, unknown>>>;
}

/** What a record is judged by besides its images; undefined if its campaign was deleted. */
export const contextOf =
  (deps: ContextDeps) =>
  async (validation: Validation): Promise<ValidationContext | undefined> => {
    const { tenant, customer, anonymous, campaignPermalink, campaignId } = validation;
    const campaign = await deps.campaign(tenant, campaignPermalink);
    // Another campaign may have taken the name since.
    if (campaign?.campaignId !== campaignId) return undefined;
    const [awards, attributes] = await Promise.all([
      deps.awards(campaign, customer),
      anonymous ? NONE : deps.attributes({ tenant, id: customer }),
    ]);
    return { validation, campaign, awards, linkedStores: namesIn(attributes[LINKED_RETAILERS]) };
  };

const NONE: Readonly<Record<string, unknown>> = {};

function namesIn(attribute: unknown): string[] {
  if (typeof attribute !== 'string') return [];
  return attribute
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
