/** Step Functions, for each image: what it shows. */
import * as z from 'zod';
import { positiveInteger, readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { picturesBucket } from '../environment.ts';
import { examineImage } from '../examination/examine-image.sharp.ts';
import { TesseractOcr } from '../ocr/ocr.tesseract.ts';
import { fileOpener } from '../opening/file-opener.process.ts';
import { textractReader } from '../readers/receipt-reader.textract.ts';
import { type ReceiptReader, readerOf } from '../readers/receipt-reader.ts';
import { RECEIPT_READERS, type ReceiptReaders } from '../readers/receipt-readers.ts';
import { pictures } from './pictures.s3.ts';
import { type ExaminedImage, ExamineInput } from './states.ts';

export const Env = z.object({
  ...picturesBucket,
  RECEIPT_READERS: z.enum(RECEIPT_READERS),
  READING_SECONDS: positiveInteger,
  OPENING_SECONDS: positiveInteger,
  OPENING_MEMORY_MIB: positiveInteger,
});
const env = readEnv(Env);
const store = pictures(env.PICTURES_BUCKET);
/** After it, no further reading of an image begins. One reading of one page takes a good half of it at most. */
const IMAGE_MILLIS = env.READING_SECONDS * 1_000;
const PAGE_MILLIS = IMAGE_MILLIS * 0.55;
const READERS: Readonly<Record<ReceiptReaders, (embedded: ReceiptReader) => ReceiptReader>> = {
  embedded: (embedded) => embedded,
  textract: () => textractReader(),
  'embedded,textract': (embedded) => readerOf(embedded, textractReader()),
  'textract,embedded': (embedded) => readerOf(textractReader(), embedded),
};
const parts = {
  opener: fileOpener({ memoryMiB: env.OPENING_MEMORY_MIB, seconds: env.OPENING_SECONDS }),
  ocr: new TesseractOcr({ timeLimitMs: PAGE_MILLIS }),
  clock: () => performance.now(),
  readerWith: READERS[env.RECEIPT_READERS],
};

export const handler = invocation(async (input: unknown): Promise<ExaminedImage> => {
  const { image, ...key } = ExamineInput.parse(input);
  const { slot, validationType, country = '' } = image;
  const bytes = await store.bytes(image.object);
  // Of a record that was erased nothing is decided.
  if (!bytes) return { slot, failed: true };
  const examination = await examineImage(bytes, { validationType, country, timeLimitMs: IMAGE_MILLIS, parts });
  await store.keep(key, slot, examination);
  return { slot, failed: false };
});
