import { codeFor, type ValidationType } from '#shared/loyalty/invalid-codes';
import type { Examination } from '../examination/examination.ts';
import { SHARPNESS_MIN } from '../pictures/sharpness.ts';
import { certain, doubtful, type Finding } from './finding.ts';

/** Print above it is sharp: what it does not show is not there. */
const SHARP = 0.25;
/** Print of fewer words has no edges to judge by. */
const WORDS_MIN = 12;
/** Scores of things that are no receipts, and below which receipts are rare: see `receiptScore`. */
const NO_RECEIPT = 4;
const HARDLY_A_RECEIPT = 10;
/** Pictures saved twice reach it; only a person can tell what was changed. */
const ALTERED = 0.5;

/** Problems of files that hold more than can be opened. Nothing was seen of them that speaks against them. */
const NOT_LOOKED_AT = ['too-large', 'too-costly'] as const;

/** An image whose examination crashed or ran out of time, again and again. */
export type ExaminationResult = Examination | 'failed';

export function unreadable(image: ExaminationResult, type: ValidationType): Finding[] {
  const code = codeFor('unreadable', type);
  if (image === 'failed' || NOT_LOOKED_AT.some((problem) => problem === image.problem)) {
    return [doubtful(code, 'The image could not be examined.')];
  }
  if (image.problem !== undefined) return [certain(code)];
  const { sharpness, receipt, words } = image;
  const isBlank = sharpness === undefined && words !== undefined && words < WORDS_MIN;
  const blurred = isBlank || (sharpness !== undefined && sharpness < SHARPNESS_MIN);
  // What was read and proven was legible, whatever the edges of the rest look like.
  return blurred && receipt?.doubts.length !== 0 ? [certain(code)] : [];
}

/** Less contrast than the grain of a picture that shows nothing. */
const CONTENT_MIN = 10;
/**
 * What photographs have: see `depictionOf`. Close views of grass or gravel have as little structure as noise, and plain
 * drawings as few tones as some photographs of the night: what has less than these is left to a person.
 */
const PHOTOGRAPH = { contrast: 40, tones: 7, detail: 0.12, structure: 0.3 } as const;

/** Print has more structure than this, in whatever light. */
const NOISE_BELOW = 0.2;

/** Nobody can see anything in it. */
export const withoutContent = ({ depiction }: Examination): Finding[] =>
  depiction !== undefined && depiction.contrast < CONTENT_MIN ? [certain(8, 'It shows nothing.')] : [];

/** @param image that no person will look at otherwise */
export function noPhotograph({ depiction }: Examination): Finding[] {
  const missing = (['contrast', 'tones', 'detail', 'structure'] as const).filter(
    (trait) => depiction === undefined || depiction[trait] < PHOTOGRAPH[trait],
  );
  return missing.length === 0 ? [] : [doubtful(8, `It may not be a photograph: little ${missing.join(', ')}.`)];
}

/** @param image of a receipt, opened */
export function noReceipt({ receiptScore, sharpness = 0, words = 0, depiction }: Examination): Finding[] {
  const code = codeFor('unrelated', 'receipt');
  if (receiptScore === undefined) {
    // To read noise takes longer than there is time.
    const isNoise = depiction !== undefined && depiction.structure < NOISE_BELOW;
    return isNoise ? [doubtful(code, 'It looks like noise.')] : [];
  }
  if (receiptScore >= HARDLY_A_RECEIPT) return [];
  if (receiptScore < NO_RECEIPT && sharpness >= SHARP && words >= WORDS_MIN) return [certain(code)];
  return [doubtful(code, 'Little of it looks like a receipt.')];
}

/** @param image of a receipt, opened */
export function cropped({ cut, receipt, receiptScore = 0 }: Examination): Finding[] {
  if (cut.length === 0 || receipt?.doubts.length === 0) return [];
  // Noise and patterns run over the edges too: only a receipt can be cropped.
  const isCropped = receiptScore >= HARDLY_A_RECEIPT && missesItsEdge(receipt);
  return [isCropped ? certain(2) : doubtful(2, `Print runs over the edge: ${cut.join(', ')}.`)];
}

/** What every receipt shows, and this one does not, stood beyond the edge. Nothing is known of one that was not read. */
const missesItsEdge = (receipt: Examination['receipt']): boolean =>
  receipt !== undefined && (receipt.date === undefined || receipt.total === undefined || receipt.store === undefined);

export function altered({ alteration: { score, signs } }: Examination): Finding[] {
  return score < ALTERED ? [] : [doubtful(17, `It may have been altered: ${signs.join(', ')}.`)];
}
