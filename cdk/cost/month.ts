import * as z from 'zod';

const count = z.number().int().min(0).default(0);
const bytes = (otherwise: number) => z.number().int().min(1).default(otherwise);

/** The use of a month. Counts that are left out are 0, and sizes have defaults. */
export const Month = z.strictObject({
  /** Free searches. */
  previews: count,
  /** Records in the files of downloads. */
  records: count,
  /** Webhooks that are delivered. */
  deliveries: count,
  /** Metered requests. */
  conversions: count,
  /** Lists of places. */
  listings: count,
  checkIns: count,
  /** Image validations, of one image each. */
  receipts: count,
  /** The mean sizes of a record in a file, of the body of a webhook, and of a stored picture. */
  recordBytes: bytes(790),
  webhookBytes: bytes(500),
  pictureBytes: bytes(2_000_000),
});
export type Month = z.output<typeof Month>;

/** Reads a month from JSON text. Throws a sentence for every member that is wrong. */
export function readMonth(text: string): Month {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error('The month is not JSON.', { cause });
  }
  const { data, error } = Month.safeParse(json);
  if (data) return data;
  throw new Error(
    error.issues
      .map((issue) => `${sentenceOf(issue)}\n`)
      .join('')
      .trimEnd(),
  );
}

function sentenceOf({ code, path, ...issue }: z.core.$ZodIssue): string {
  const names = Object.keys(Month.shape).join(', ');
  if (code === 'unrecognized_keys' && 'keys' in issue) {
    return `There is no member ${issue.keys.join(', ')}: choose from ${names}.`;
  }
  if (path.length === 0) return `The month must be an object with some of the members ${names}.`;
  const least = String(path[0]).endsWith('Bytes') ? 1 : 0;
  return `${path.join('.')} must be a whole number, at least ${least}.`;
}
