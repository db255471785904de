/** The codes of specification 002, section 2, in its words. */
const INVALID_CODES: readonly string[] = [
  'Unknown',
  'Receipt cannot be read clearly',
  'Receipt is cropped',
  'Receipt submitted twice',
  'Receipt submitted outside of campaign dates',
  'Image is not a receipt',
  'No valid purchases found',
  'Purchases are from a non-qualifying store',
  'Image cannot be read clearly',
  'Image is unrelated to campaign',
  'Image submitted twice',
  'Image submitted outside of campaign dates',
  'Image has no valid purchases found',
  'Multiple submissions not allowed for this campaign',
  'Required fields missing from the receipt',
  'Loyalty card linked to same retailer',
  'Award limit reached',
  'Image appears to have been altered',
  'Non-participating region',
];

/** Codes that records of the other type may not have. */
const OF_OTHERS: Readonly<Record<string, readonly number[]>> = {
  receipt: [8, 9, 10, 11, 12],
  image: [1, 2, 3, 4, 5, 6, 14],
};

export const codeText = (code: number): string => INVALID_CODES[code] ?? `Code ${code}`;

/** What a record of the type can be invalid for: `[code, words]`. */
export const codesFor = (validationType: string): readonly (readonly [code: string, words: string])[] =>
  INVALID_CODES.map((words, code) => [String(code), words] as const).filter(
    ([code]) => !OF_OTHERS[validationType]?.includes(Number(code)),
  );
