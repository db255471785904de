/** SQS worker: examines an image for an execution of the state machine, which waits for the answer. */
import * as z from 'zod';
import { positiveInteger, readEnv, resource } from '#shared/env';
import { queueHandler } from '#shared/queue/queue-handler';
import { picturesBucket } from '../environment.ts';
import { examineImage } from '../examination/examine-image.sharp.ts';
import { OnnxOcr } from '../ocr/ocr.onnx.ts';
import { fileOpener } from '../opening/file-opener.process.ts';
import { textractReader } from '../readers/receipt-reader.textract.ts';
import { type ReceiptReader, readerOf } from '../readers/receipt-reader.ts';
import { RECEIPT_READERS, type ReceiptReaders } from '../readers/receipt-readers.ts';
import { examinationStore } from './examinations.s3.ts';
import { type ExamineDeps, examineForMachine } from './examine-image.ts';
import { ExamineMessage } from './image-task.ts';
import { taskAnswers } from './task-answers.sfn.ts';

export const Env = z.object({
  ...picturesBucket,
  /** The state machine whose tasks are answered. */
  STATE_MACHINE: resource,
  RECEIPT_READERS: z.enum(RECEIPT_READERS),
  READING_SECONDS: positiveInteger,
  OPENING_SECONDS: positiveInteger,
  OPENING_MEMORY_MIB: positiveInteger,
});
const env = readEnv(Env);
/** No reading of an image starts after this time. A single reading of a page takes at most about half of it. */
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
  ocr: new OnnxOcr({ timeLimitMs: PAGE_MILLIS }),
  clock: () => performance.now(),
  readerWith: READERS[env.RECEIPT_READERS],
};
const deps: ExamineDeps = {
  ...examinationStore(env.PICTURES_BUCKET),
  ...taskAnswers(),
  examine: (bytes, { validationType, country = '' }) =>
    examineImage(bytes, { validationType, country, timeLimitMs: IMAGE_MILLIS, parts }),
};

export const handler = queueHandler(ExamineMessage, ({ message, receives }) =>
  examineForMachine(deps, message, receives),
);
