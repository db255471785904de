/** The process of `examination.ts`: examines pictures one after the other, as one instance of the function does. */
import { readFileSync } from 'node:fs';
import { examineImage } from '../../../functions/images/examination/examine-image.sharp.ts';
import { TesseractOcr } from '../../../functions/images/ocr/ocr.tesseract.ts';

/** What one picture took. */
export interface ExaminationMessage {
  readonly file: string;
  readonly bytes: number;
  readonly cpuSeconds: number;
  /** Whether nothing was left in doubt. */
  readonly certain: boolean;
  /** Of the process so far. */
  readonly peakMegabytes: number;
}

/** As `examine-image.handler.ts` bounds an image; counted in processor time, because this machine may be busy. */
const IMAGE_MILLIS = 18_000;
/** Of one reading, which ends by the clock on the wall. */
const PAGE_MILLIS = 120_000;

const [country = '', ...files] = process.argv.slice(2);
const cpuMillis = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const parts = { ocr: new TesseractOcr({ timeLimitMs: PAGE_MILLIS }), clock: cpuMillis };
for (const file of files) {
  const bytes = readFileSync(file);
  const begun = cpuMillis();
  const { receipt } = await examineImage(bytes, {
    validationType: 'receipt',
    country,
    timeLimitMs: IMAGE_MILLIS,
    parts,
  });
  process.send?.({
    file,
    bytes: bytes.length,
    cpuSeconds: (cpuMillis() - begun) / 1_000,
    certain: receipt?.doubts.length === 0,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
  } satisfies ExaminationMessage);
}
await parts.ocr.close();
process.disconnect();
