/** `receipt` is read; `image` is any other picture that a campaign asks for. */
export type ValidationType = 'receipt' | 'image';

/** The invalid codes of the loyalty interface with their texts. Both are part of the interface and never change. */
export const INVALID_REASONS = {
  0: 'Unknown',
  1: 'Receipt cannot be read clearly',
  2: 'Receipt is cropped',
  3: 'Receipt submitted twice',
  4: 'Receipt submitted outside of campaign dates',
  5: 'Image is not a receipt',
  6: 'No valid purchases found',
  7: 'Purchases are from a non-qualifying store',
  8: 'Image cannot be read clearly',
  9: 'Image is unrelated to campaign',
  10: 'Image submitted twice',
  11: 'Image submitted outside of campaign dates',
  12: 'Image has no valid purchases found',
  13: 'Multiple submissions not allowed for this campaign',
  14: 'Required fields missing from the receipt',
  15: 'Loyalty card linked to same retailer',
  16: 'Award limit reached',
  17: 'Image appears to have been altered',
  18: 'Non-participating region',
} as const satisfies Readonly<Record<number, string>>;

export type InvalidCode = keyof typeof INVALID_REASONS;

export const INVALID_CODES = Object.keys(INVALID_REASONS).map(Number) as InvalidCode[];

/** @param code a code of the table above */
export const reasonOf = (code: number): string => INVALID_REASONS[code as InvalidCode];

/** Pairs of codes with the same meaning for receipts and for other images. */
const PAIRS = {
  unreadable: { receipt: 1, image: 8 },
  duplicate: { receipt: 3, image: 10 },
  outsideDates: { receipt: 4, image: 11 },
  unrelated: { receipt: 5, image: 9 },
  noPurchase: { receipt: 6, image: 12 },
} as const satisfies Readonly<Record<string, Readonly<Record<ValidationType, InvalidCode>>>>;

export const codeFor = (what: keyof typeof PAIRS, type: ValidationType): InvalidCode => PAIRS[what][type];

/** Codes that only receipts may have. */
const OF_RECEIPTS: readonly InvalidCode[] = [2, 14];

/** True for a code that validations of the type may have. */
export function isCodeFor(type: ValidationType, code: number): code is InvalidCode {
  if (!Object.hasOwn(INVALID_REASONS, code)) return false;
  const other: ValidationType = type === 'receipt' ? 'image' : 'receipt';
  const isOfOther = Object.values(PAIRS).some((pair) => pair[other] === code);
  return !isOfOther && (type === 'receipt' || !OF_RECEIPTS.some((receiptCode) => receiptCode === code));
}
