/** Step Functions, for each image: what it shows. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { picturesBucket } from '../environment.ts';
import { examineImage } from '../examination/examine-image.sharp.ts';
import { TesseractOcr } from '../ocr/ocr.tesseract.ts';
import { pictures } from './pictures.s3.ts';
import { type ExaminedImage, ExamineInput } from './states.ts';

export const Env = z.object(picturesBucket);
const store = pictures(readEnv(Env).PICTURES_BUCKET);
/** Of one reading of one page, and of an image from which on no further reading begins. */
const PAGE_MILLIS = 10_000;
const IMAGE_MILLIS = 18_000;
const parts = { ocr: new TesseractOcr({ timeLimitMs: PAGE_MILLIS }), clock: () => performance.now() };

export const handler = invocation(async (input: unknown): Promise<ExaminedImage> => {
  const { image, ...key } = ExamineInput.parse(input);
  const { slot, validationType, country = '' } = image;
  const bytes = await store.bytes(image.object);
  const examination = await examineImage(bytes, { validationType, country, timeLimitMs: IMAGE_MILLIS, parts });
  await store.keep(key, slot, examination);
  return { slot, failed: false };
});
