import { numberText } from '#shared/formats/exact-json';
import { issuerOf } from '../values/identifiers/gs1-prefix.ts';
import { type Gtin, isBookland, readGtin } from '../values/identifiers/gtin.ts';
import { textOf } from './contact-rules.ts';
import type { Judgement, Spot } from './judgement.ts';

/** Judges trade and book numbers by length, check digit and GS1 prefix. */
export function judgeGtin(spot: Spot, judgement: Judgement): Gtin | undefined {
  const text = numberText(spot.value) ?? textOf(spot, judgement);
  if (text === undefined) return undefined;
  const reading = readGtin(text);
  if (reading.gtin === undefined) {
    const { problem, detail, suggestion } = reading.problem;
    const severity = problem === 'ambiguous' ? 'warn' : 'error';
    judgement[severity](spot.path, `gtin.${problem}`, { detail, suggestion });
    return undefined;
  }
  judgePrefix(reading.gtin, spot.path, judgement);
  return reading.gtin;
}

export function judgeIsbn(spot: Spot, judgement: Judgement) {
  const gtin = judgeGtin(spot, judgement);
  if (gtin === undefined || isBookland(gtin.gtin14.slice(1))) return;
  judgement.warn(spot.path, 'isbn.not-a-book', {
    detail: 'The number is valid, but books have numbers from 978 or 979.',
  });
}

function judgePrefix({ gtin14 }: Gtin, path: string, judgement: Judgement) {
  const issuer = issuerOf(gtin14);
  if (issuer === undefined) {
    judgement.warn(path, 'gtin.prefix', { detail: 'GS1 has not assigned the prefix of this number to anybody.' });
  } else if (/^(?:restricted|coupon|refund)|demonstration/.test(issuer.organisation)) {
    const detail = `Numbers with the prefix ${issuer.prefix} are not for goods on sale everywhere (${issuer.organisation}).`;
    judgement.warn(path, 'gtin.prefix', { detail });
  }
}
