import { matchStore } from '../receipts/matching.ts';
import type { Case, Twin } from './case.ts';
import { codeFor, type InvalidCode } from './codes.ts';
import { certain, type Finding } from './finding.ts';

/** What refuses a record before any image is opened: cheap and certain, in the order in which codes are given. */
export function earlyFindings(one: Case, twins: readonly Twin[]): Finding[] {
  const awarded = awardFinding(one);
  const linked = onlyLinkedStores(one) ? [certain(15)] : [];
  return [
    ...awarded,
    ...linked,
    ...twinFindings(
      one,
      twins.filter(({ by }) => by === 'bytes'),
    ),
  ];
}

/** The code with which the award of a campaign is refused now; also where another record was faster. */
export function awardFinding({
  campaign: { awardsPerCustomer, maxAwards },
  awards,
}: Pick<Case, 'campaign' | 'awards'>) {
  const ofCustomer = awardsPerCustomer !== null && awards.ofCustomer >= awardsPerCustomer;
  if (ofCustomer) return [certain(customerLimitCode(awardsPerCustomer))];
  return maxAwards !== null && awards.total >= maxAwards ? [certain(16)] : [];
}

/** A campaign that a customer can win once allows no second submission; one that allows several has a limit. */
export const customerLimitCode = (awardsPerCustomer: number | null): InvalidCode => (awardsPerCustomer === 1 ? 13 : 16);

const onlyLinkedStores = ({ campaign: { stores }, linkedStores }: Case) =>
  stores.length > 0 && stores.every((store) => isLinked(store, linkedStores));

export const isLinked = (store: string, linked: readonly string[]): boolean =>
  linked.length > 0 && matchStore({ store, head: [] }, linked) !== undefined;

export function twinFindings({ validation }: Pick<Case, 'validation'>, twins: readonly Twin[]): Finding[] {
  const code = codeFor('duplicate', validation.validationType);
  return twins.map(({ validation: other, by, certain: isSame, undecided }) => ({
    code,
    certain: isSame && !undecided,
    reason: `${SAME[by]} as in ${other}${undecided ? ', which was not decided yet' : ''}.`,
    ...(undecided && { waitsFor: { validation: other, isSame } }),
  }));
}

const SAME = { bytes: 'The same file', likeness: 'The same picture', content: 'The same receipt' } as const;
