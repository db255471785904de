import { codeFor, type ValidationType } from '#shared/loyalty/invalid-codes';
import type { Examination } from '../examination/examination.ts';
import { SHARPNESS_MIN } from '../pictures/sharpness.ts';
import { NOT_EXAMINED } from '../validations/technical-doubts.ts';
import { certain, doubtful, type Finding } from './finding.ts';

/** Print above this sharpness is sharp enough that missing words are really missing. */
const SHARP = 0.25;
/** With fewer words there are too few edges to judge sharpness. */
const WORDS_MIN = 12;
/** A sharp picture with a lower `receiptScore` is no receipt. */
const RECEIPT_SCORE_MIN = 4;
/** Few receipts have a lower `receiptScore`, so a person must look. */
const USUAL_RECEIPT_SCORE = 10;
/**
 * From this score of `alterationOf` a person must look. Pictures that were only saved twice may reach it, so it refuses
 * none.
 */
const ALTERED_SCORE_MIN = 0.5;

/** Files with these problems were too large to open, which says nothing against them. */
const NOT_LOOKED_AT = ['too-large', 'too-costly'] as const;

/** `failed`: the examination crashed or timed out repeatedly. */
export type ExaminationResult = Examination | 'failed';

export function unreadable(image: ExaminationResult, type: ValidationType): Finding[] {
  const code = codeFor('unreadable', type);
  if (image === 'failed' || NOT_LOOKED_AT.some((problem) => problem === image.problem)) {
    return [doubtful(code, NOT_EXAMINED)];
  }
  if (image.problem !== undefined) return [certain(code)];
  const { sharpness, receipt, words } = image;
  const isBlank = sharpness === undefined && words !== undefined && words < WORDS_MIN;
  const blurred = isBlank || (sharpness !== undefined && sharpness < SHARPNESS_MIN);
  // A fully proven reading was legible, whatever the sharpness of the rest.
  return blurred && receipt?.doubts.length !== 0 ? [certain(code)] : [];
}

/** A blank picture has less contrast than this, from grain alone. */
const CONTENT_MIN = 10;
/**
 * Photographs reach these values: see `depictionOf`. Close views of grass or gravel can have as little structure as
 * noise, and drawings as few tones as night photographs, so pictures below them go to a person.
 */
const PHOTOGRAPH = { contrast: 40, tones: 7, detail: 0.12, structure: 0.3 } as const;

/** Print has more structure than this in any light. */
const NOISE_BELOW = 0.2;

/** Refuses a picture that shows nothing. */
export const withoutContent = ({ depiction }: Examination): Finding[] =>
  depiction !== undefined && depiction.contrast < CONTENT_MIN
    ? [certain(codeFor('unreadable', 'image'), 'It shows nothing.')]
    : [];

/** @param image an image that no person will look at otherwise */
export function noPhotograph({ depiction }: Examination): Finding[] {
  const missing = (['contrast', 'tones', 'detail', 'structure'] as const).filter(
    (trait) => depiction === undefined || depiction[trait] < PHOTOGRAPH[trait],
  );
  return missing.length === 0
    ? []
    : [doubtful(codeFor('unreadable', 'image'), `It may not be a photograph: little ${missing.join(', ')}.`)];
}

/** @param image an opened image of a receipt */
export function noReceipt({ receiptScore, sharpness = 0, words = 0, depiction }: Examination): Finding[] {
  const code = codeFor('unrelated', 'receipt');
  if (receiptScore === undefined) {
    // Reading noise takes longer than the time limit.
    const isNoise = depiction !== undefined && depiction.structure < NOISE_BELOW;
    return isNoise ? [doubtful(code, 'It looks like noise.')] : [];
  }
  if (receiptScore >= USUAL_RECEIPT_SCORE) return [];
  if (receiptScore < RECEIPT_SCORE_MIN && sharpness >= SHARP && words >= WORDS_MIN) return [certain(code)];
  return [doubtful(code, 'Most of it does not look like a receipt.')];
}

/** Finds code 2, a cropped receipt. @param image an opened image of a receipt */
export function cropped({ cut, receipt, receiptScore = 0 }: Examination): Finding[] {
  if (cut.length === 0 || receipt?.doubts.length === 0) return [];
  // Noise and patterns also run over the edges. Only a receipt can be cropped.
  const isCropped = receiptScore >= USUAL_RECEIPT_SCORE && missesItsEdge(receipt);
  return [isCropped ? certain(2) : doubtful(2, `Print runs over the edge: ${cut.join(', ')}.`)];
}

/**
 * True if a field that every receipt has is missing, so that it was beyond the edge. An image that was not read proves
 * nothing.
 */
const missesItsEdge = (receipt: Examination['receipt']): boolean =>
  receipt !== undefined && (receipt.date === undefined || receipt.total === undefined || receipt.store === undefined);

/** Finds code 17, an altered picture. Only a person can tell what was changed, so the finding is never certain. */
export function altered({ alteration: { score, signs } }: Examination): Finding[] {
  return score < ALTERED_SCORE_MIN ? [] : [doubtful(17, `It may have been altered: ${signs.join(', ')}.`)];
}
