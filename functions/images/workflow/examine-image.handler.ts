/** Step Functions, for each image: what it shows. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { picturesBucket } from '../environment.ts';
import { examineImage } from '../examination/examine-image.sharp.ts';
import { TesseractOcr } from '../ocr/ocr.tesseract.ts';
import { textractReader } from '../readers/receipt-reader.textract.ts';
import { type ReceiptReader, readerOf } from '../readers/receipt-reader.ts';
import { RECEIPT_READERS, type ReceiptReaders } from '../readers/receipt-readers.ts';
import { pictures } from './pictures.s3.ts';
import { type ExaminedImage, ExamineInput } from './states.ts';

export const Env = z.object({ ...picturesBucket, RECEIPT_READERS: z.enum(RECEIPT_READERS) });
const env = readEnv(Env);
const store = pictures(env.PICTURES_BUCKET);
/** Of one reading of one page, and of an image from which on no further reading begins. */
const PAGE_MILLIS = 10_000;
const IMAGE_MILLIS = 18_000;
const READERS: Readonly<Record<ReceiptReaders, (embedded: ReceiptReader) => ReceiptReader>> = {
  embedded: (embedded) => embedded,
  textract: () => textractReader(),
  'embedded,textract': (embedded) => readerOf(embedded, textractReader()),
  'textract,embedded': (embedded) => readerOf(textractReader(), embedded),
};
const parts = {
  ocr: new TesseractOcr({ timeLimitMs: PAGE_MILLIS }),
  clock: () => performance.now(),
  readerWith: READERS[env.RECEIPT_READERS],
};

export const handler = invocation(async (input: unknown): Promise<ExaminedImage> => {
  const { image, ...key } = ExamineInput.parse(input);
  const { slot, validationType, country = '' } = image;
  const bytes = await store.bytes(image.object);
  const examination = await examineImage(bytes, { validationType, country, timeLimitMs: IMAGE_MILLIS, parts });
  await store.keep(key, slot, examination);
  return { slot, failed: false };
});
