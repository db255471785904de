import type { TenantCaller } from '#shared/auth/management-caller';
import { type FaultyCall, moreFaults } from '#shared/http/more-faults';
import { AnyCampaignChange, type CampaignChange } from './campaign.ts';
import { type Campaigns, checkLocale, checkTimes, permalinkTaken, requireSame } from './manage-campaigns.ts';

type Call = FaultyCall<TenantCaller, { readonly permalink: string } | undefined>;

/** Checks what the schema cannot, when a campaign is created or changed. */
export const campaignFaults = (campaigns: Pick<Campaigns, 'byPermalink'>) =>
  moreFaults(AnyCampaignChange, (sound, { caller, path, unsound }: Call) =>
    campaignChecks(campaigns, sound, { tenant: caller.tenant, permalink: path?.permalink, unsound }),
  );

interface CampaignDraft {
  readonly tenant: string;
  /** The permalink of the campaign that changes; absent for a new campaign. */
  readonly permalink?: string | undefined;
  readonly unsound: ReadonlySet<string>;
}

async function campaignChecks(
  campaigns: Pick<Campaigns, 'byPermalink'>,
  { change, permalink, type: requestedType }: CampaignChange,
  { tenant, permalink: id, unsound }: CampaignDraft,
) {
  const stored = id === undefined ? undefined : await campaigns.byPermalink({ tenant, id });
  const { startsAt, endsAt, country, currency, type } = { type: requestedType, ...stored, ...change };
  const areSound = (...names: readonly string[]) => !names.some((name) => unsound.has(name));
  return [
    () => stored && requireSame({ permalink, revision: undefined, type: undefined }, stored),
    () => stored && requireSame({ permalink: undefined, revision: undefined, type: requestedType }, stored),
    () => startsAt && endsAt && areSound('startsAt', 'endsAt') && checkTimes({ startsAt, endsAt }),
    () =>
      country &&
      type === 'receipt' &&
      areSound('country', 'type') &&
      checkLocale({ country, ...(areSound('currency') && currency && { currency }) }),
    async () => {
      if (id === undefined && permalink && (await campaigns.byPermalink({ tenant, id: permalink })))
        throw permalinkTaken(permalink);
    },
  ];
}
