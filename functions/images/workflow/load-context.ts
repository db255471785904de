import type { TenantKey } from '#shared/ids';
import type { Campaign } from '../campaigns/campaign.ts';
import type { Validation } from '../validations/validation.ts';
import type { AwardCounts, ValidationContext } from '../verdict/validation-context.ts';

/** This attribute of a customer lists the retailers whose loyalty cards are linked, separated by commas. */
const LINKED_RETAILERS = 'linkedRetailers';

export interface ContextDeps {
  readonly campaign: (tenant: string, permalink: string) => Promise<Campaign | undefined>;
  readonly awards: (campaign: Campaign, customer: string) => Promise<AwardCounts>;
  /** The attributes that the tenant stores with a customer. Anonymous customers have none. */
  readonly attributes: (customer: TenantKey) => Promise<Readonly<Record<string, unknown>>>;
}

/** Loads the context of a validation; undefined if its campaign was deleted. */
export const contextOf =
  (deps: ContextDeps) =>
  async (validation: Validation): Promise<ValidationContext | undefined> => {
    const { tenant, customer, anonymous, campaignPermalink, campaignId } = validation;
    const campaign = await deps.campaign(tenant, campaignPermalink);
    // A new campaign may have the same permalink.
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
