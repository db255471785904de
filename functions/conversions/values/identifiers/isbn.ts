/** An ISBN with its hyphens and the group of countries or the language that it was issued for. */
export interface IsbnParts {
  readonly hyphenated: string;
  readonly group: string;
}

/** The parts of a valid ISBN-10 or ISBN-13; undefined if its range is unassigned. Loads the ranges on the first call. */
export async function isbnParts(digits: string): Promise<IsbnParts | undefined> {
  const { default: isbn3 } = await import('isbn3');
  const parsed = isbn3.parse(digits);
  if (!parsed) return undefined;
  const hyphenated = digits.length === 10 ? parsed.isbn10h : parsed.isbn13h;
  return hyphenated === undefined ? undefined : { hyphenated, group: parsed.groupname };
}
