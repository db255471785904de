import type { Campaign } from '../campaigns/campaign.ts';
import { levenshteinDistance } from '../receipts/labels.ts';
import { LOCALES } from '../receipts/locales.ts';
import { matchStore, namesOtherStore } from '../receipts/matching.ts';
import type { ReadingDoubt, ReadReceipt } from '../receipts/receipt.ts';
import { daysOf } from './campaign-days.ts';
import { isLinked } from './early-rules.ts';
import { certain, doubtful, type Finding } from './finding.ts';
import type { ValidationContext } from './validation-context.ts';

/** If nothing else is in doubt, a missing field counts as not printed. */
const isProven = (receipt: ReadReceipt, ...besides: readonly ReadingDoubt[]): boolean =>
  receipt.doubts.every((doubt) => besides.includes(doubt));

/** Every receipt must have a date and a total. */
export function missingFields(receipt: ReadReceipt): Finding[] {
  if (receipt.date === undefined && isProven(receipt, 'no-date', 'no-store')) return [certain(14)];
  if (receipt.date === undefined || receipt.total === undefined) {
    return [doubtful(14, `Not found: ${receipt.date === undefined ? 'the date' : 'the total'}.`)];
  }
  return [];
}

/** No time zone is further from UTC than this. */
const ZONES_MILLIS = 14 * 3_600_000;

export function outsideDates(receipt: ReadReceipt, { campaign, validation }: ValidationContext): Finding[] {
  const { date } = receipt;
  if (date === undefined) return [];
  if (Date.parse(date) - ZONES_MILLIS > Date.parse(validation.createdAt)) {
    return [doubtful(4, `The date is in the future: ${date}.`)];
  }
  const { first, last } = daysOf(campaign);
  if (first <= date && date <= last) return [];
  const isSure = !receipt.doubts.includes('date-unsure') && !receipt.doubts.includes('other-locale');
  return [isSure ? certain(4) : doubtful(4, `The date may be outside of the campaign: ${date}.`)];
}

/** A name may belong to a store if at most this share of its letters was misread. A person must then look. */
const PERHAPS = 0.4;

/** The campaign's store that issued the receipt, with the findings about it. */
export function storeOf(receipt: ReadReceipt, { campaign, linkedStores }: ValidationContext) {
  const { stores, country } = campaign;
  const locale = LOCALES[country];
  const match = matchStore(receipt, stores);
  const perhaps = match ?? matchStore(receipt, stores, PERHAPS);
  const name = perhaps ?? (stores.length === 0 ? receipt.store : undefined);
  const findings: Finding[] = [];
  if (name !== undefined && isLinked(name, linkedStores)) findings.push(certain(15));
  if (stores.length > 0 && perhaps === undefined) {
    findings.push(
      locale && isProven(receipt) && namesOtherStore(receipt, stores, locale)
        ? certain(7)
        : doubtful(7, `None of the campaign's stores: ${receipt.store ?? 'no name was read'}.`),
    );
  }
  if (match === undefined && perhaps !== undefined) findings.push(doubtful(7, `The store may be ${perhaps}.`));
  return { name, findings };
}

/** Regions are states, or prefixes of postal codes. */
export function otherRegion({ regions }: ReadReceipt, { regions: allowed }: Pick<Campaign, 'regions'>): Finding[] {
  if (allowed.length === 0) return [];
  if (regions.length === 0) return [doubtful(18, 'No state or postal code was found.')];
  const campaignRegions = allowed.map((region) => region.toUpperCase());
  if (regions.some((printed) => campaignRegions.some((region) => isWithin(printed, region)))) return [];
  // Arithmetic cannot prove an address, so one character may be misread.
  const near = regions.find((printed) => campaignRegions.some((region) => isNearly(printed, region)));
  return [near === undefined ? certain(18) : doubtful(18, `The region may be misread: ${near}.`)];
}

const isNearly = (printed: string, region: string): boolean =>
  levenshteinDistance(/\d/.test(region) ? printed.slice(0, region.length) : printed, region, 1) <= 1;

const isWithin = (printed: string, region: string): boolean =>
  /\d/.test(region) ? printed.startsWith(region) : printed === region;

/** The doubts about the reading itself. */
export function unproven(receipt: ReadReceipt): Finding[] {
  const doubts = receipt.doubts.filter((doubt) => doubt !== 'no-store');
  return doubts.length === 0 ? [] : [doubtful(1, `Low confidence: ${doubts.join(', ')}.`)];
}

export function valuable({ total }: ReadReceipt, { reviewAboveTotal }: Campaign): Finding[] {
  if (reviewAboveTotal === null || total === undefined || total <= reviewAboveTotal) return [];
  if (reviewAboveTotal === 0) return [doubtful(0, 'Every receipt of this campaign needs a review.')];
  const [sum, limit] = [total, reviewAboveTotal].map((hundredths) => (hundredths / 100).toFixed(2));
  return [doubtful(0, `The total of ${sum} is above ${limit}, up to which the campaign needs no review.`)];
}
