/** An ISBN with its hyphens and the group of countries or the language that it was issued for. */
export interface IsbnParts {
  readonly hyphenated: string;
  readonly group: string;
}

/** Of a valid ISBN-10 or ISBN-13; undefined where its range has not been assigned. Loads the ranges when first called. */
export async function isbnParts(digits: string): Promise<IsbnParts | undefined> {
  const { default: isbn3 } = await import('isbn3');
  const parsed = isbn3.parse(digits);
  if (!parsed) return undefined;
  const hyphenated = digits.length === 10 ? parsed.isbn10h : parsed.isbn13h;
  return hyphenated === undefined ? undefined : { hyphenated, group: parsed.groupname };
}
