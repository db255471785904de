import { codeFor, type InvalidCode } from '#shared/loyalty/invalid-codes';
import { matchStore } from '../receipts/matching.ts';
import { certain, type Finding } from './finding.ts';
import type { Twin, ValidationContext } from './validation-context.ts';

/** What refuses a record before any image is opened: cheap and certain, in the order in which codes are given. */
export function earlyFindings(context: ValidationContext, twins: readonly Twin[]): Finding[] {
  const awarded = awardFinding(context);
  const linked = onlyLinkedStores(context) ? [certain(15)] : [];
  return [
    ...awarded,
    ...linked,
    ...twinFindings(
      context,
      twins.filter(({ by }) => by === 'bytes'),
    ),
  ];
}

/** The code with which the award of a campaign is refused now; also where another record was faster. */
export function awardFinding({
  campaign: { awardsPerCustomer, maxAwards },
  awards,
}: Pick<ValidationContext, 'campaign' | 'awards'>) {
  const ofCustomer = awardsPerCustomer !== null && awards.ofCustomer >= awardsPerCustomer;
  if (ofCustomer) return [certain(customerLimitCode(awardsPerCustomer))];
  return maxAwards !== null && awards.total >= maxAwards ? [certain(16)] : [];
}

/** A campaign that a customer can win once allows no second submission; context that allows several has a limit. */
export const customerLimitCode = (awardsPerCustomer: number | null): InvalidCode => (awardsPerCustomer === 1 ? 13 : 16);

const onlyLinkedStores = ({ campaign: { stores }, linkedStores }: ValidationContext) =>
  stores.length > 0 && stores.every((store) => isLinked(store, linkedStores));

export const isLinked = (store: string, linked: readonly string[]): boolean =>
  linked.length > 0 && matchStore({ store, head: [] }, linked) !== undefined;

export function twinFindings({ validation }: Pick<ValidationContext, 'validation'>, twins: readonly Twin[]): Finding[] {
  const code = codeFor('duplicate', validation.validationType);
  return twins.map(({ validation: other, by, certain: isSame, undecided }) => ({
    code,
    certain: isSame && !undecided,
    reason: `${SAME[by]} as in ${other}${undecided ? ', which was not decided yet' : ''}.`,
    ...(undecided && { waitsFor: { validation: other, isSame } }),
  }));
}

const SAME = { bytes: 'The same file', likeness: 'The same picture', content: 'The same receipt' } as const;
