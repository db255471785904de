import * as z from 'zod';
import { numberText } from '#shared/formats/exact-json';

/** The longest text of a number. A longer one is refused before it is parsed. */
const NUMERIC_CHARACTERS_MAX = 1_000;

/** A number as the caller sent it, as JSON number or as text, with all its digits. It is not parsed yet. */
export const Numeric = z
  .unknown()
  .transform((value, context) => {
    const text = typeof value === 'string' ? value : numberText(value);
    if (text !== undefined && text.length <= NUMERIC_CHARACTERS_MAX) return text;
    context.addIssue({ code: 'custom', message: 'must be a number, or a text that holds one' });
    return z.NEVER;
  })
  .meta({
    type: ['string', 'number'],
    maxLength: NUMERIC_CHARACTERS_MAX,
    description: 'A number, as JSON number or as text. All digits count.',
  });
