import { codeFor, type InvalidCode } from '#shared/loyalty/invalid-codes';
import { matchStore } from '../receipts/matching.ts';
import { certain, type Finding } from './finding.ts';
import type { Duplicate, ValidationContext } from './validation-context.ts';

/** Findings that need no image: they are cheap to make, and listed in the order of precedence of their codes. */
export function earlyFindings(context: ValidationContext, duplicates: readonly Duplicate[]): Finding[] {
  const awarded = awardFinding(context);
  const linked = onlyLinkedStores(context) ? [certain(15)] : [];
  return [
    ...awarded,
    ...linked,
    ...duplicateFindings(
      context,
      duplicates.filter(({ by }) => by === 'bytes'),
    ),
  ];
}

/** The finding that prevents another award, also if another validation was awarded first. */
export function awardFinding({
  campaign: { awardsPerCustomer, maxAwards },
  awards,
}: Pick<ValidationContext, 'campaign' | 'awards'>) {
  const ofCustomer = awardsPerCustomer !== null && awards.ofCustomer >= awardsPerCustomer;
  if (ofCustomer) return [certain(customerLimitCode(awardsPerCustomer))];
  return maxAwards !== null && (awards.total ?? 0) >= maxAwards ? [certain(16)] : [];
}

/**
 * With a limit of one award the code says that multiple submissions are not allowed; with a higher one, that a limit is
 * reached.
 */
export const customerLimitCode = (awardsPerCustomer: number | null): InvalidCode => (awardsPerCustomer === 1 ? 13 : 16);

const onlyLinkedStores = ({ campaign: { stores }, linkedStores }: ValidationContext) =>
  stores.length > 0 && stores.every((store) => isLinked(store, linkedStores));

export const isLinked = (store: string, linked: readonly string[]): boolean =>
  linked.length > 0 && matchStore({ store, head: [] }, linked) !== undefined;

export function duplicateFindings(
  { validation }: Pick<ValidationContext, 'validation'>,
  duplicates: readonly Duplicate[],
): Finding[] {
  const code = codeFor('duplicate', validation.validationType);
  return duplicates.map(({ validation: other, by, certain: isSame, undecided }) => ({
    code,
    certain: isSame && !undecided,
    reason: `${SAME[by]} as in ${other}${undecided ? ', which was not decided yet' : ''}.`,
    ...(undecided && { waitsFor: { validation: other, isSame } }),
  }));
}

const SAME = { bytes: 'The same file', perceptualHash: 'The same picture', content: 'The same receipt' } as const;
