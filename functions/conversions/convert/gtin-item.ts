import * as z from 'zod';
import { ItemRefusal } from '../items/item-refusal.ts';
import { Numeric } from '../items/numeric.ts';
import {
  expectedCheckDigit,
  GTIN_KINDS,
  type Gtin,
  type GtinKind,
  type GtinProblem,
  gtinDigits,
  gtinOf,
  lengthOf,
  readGtin,
} from '../values/identifiers/gtin.ts';
import { gtinAs } from '../values/identifiers/gtin-kinds.ts';
import { isbnParts } from '../values/identifiers/isbn.ts';
import { base } from './item-base.ts';

const Kind = z.enum(GTIN_KINDS);

export const GtinItem = z.strictObject({
  kind: z.literal('gtin'),
  value: Numeric.meta({
    description: 'The number, with or without hyphens. Where `from` is named its check digit may be left out.',
    examples: ['036000291452'],
  }),
  from: Kind.optional().meta({ description: 'Default: what the length and the check digit say.' }),
  to: Kind,
  ...base,
});
type GtinItem = z.output<typeof GtinItem>;

export async function convertGtinItem({ value, from, to }: GtinItem) {
  const { gtin, checkDigit } = gtinFrom(value, from);
  const converted = gtinAs(gtin, to);
  if ('impossible' in converted) throw new ItemRefusal('unsupported-conversion', converted.impossible);
  const parts = to.startsWith('isbn') ? await isbnParts(converted.digits) : undefined;
  return { value: converted.digits, checkDigit, ...(parts && { hyphenated: parts.hyphenated }) };
}

interface CheckedGtin {
  readonly gtin: Gtin;
  readonly checkDigit: 'valid' | 'computed';
}

function gtinFrom(value: string, from: GtinKind | undefined): CheckedGtin {
  const digits = gtinDigits(value);
  const { gtin, ...refused } = from === undefined ? readGtin(value) : gtinOf(digits, from);
  if (gtin) return { gtin, checkDigit: 'valid' };
  const problem = 'problem' in refused ? refused.problem : undefined;
  const bare = from !== undefined && digits.length === lengthOf(from) - 1 && /^\d+$/.test(digits);
  if (!bare) throw refusal(problem);
  const whole = digits + expectedCheckDigit(digits, from);
  if (problem?.suggestion !== undefined && problem.suggestion !== whole)
    throw lostOrLeftOut(digits, [problem.suggestion, whole]);
  const computed = gtinOf(whole, from);
  if (!computed.gtin) throw refusal(computed.problem);
  return { gtin: computed.gtin, checkDigit: 'computed' };
}

/** The number lacks one digit: a spreadsheet may have dropped a leading zero, or the caller left the check digit out. */
const lostOrLeftOut = (digits: string, candidates: readonly string[]): ItemRefusal =>
  new ItemRefusal(
    'ambiguous-value',
    `${digits} lacks one digit: its leading zero, or its check digit. Send the whole number.`,
    { candidates },
  );

const refusal = (problem: GtinProblem | undefined): ItemRefusal =>
  new ItemRefusal(
    problem?.problem === 'ambiguous' ? 'ambiguous-value' : 'unparseable-value',
    problem?.detail ?? 'The number cannot be read.',
    {
      ...(problem?.suggestion !== undefined && { suggestion: problem.suggestion }),
      ...(problem?.candidates && { candidates: problem.candidates }),
    },
  );
