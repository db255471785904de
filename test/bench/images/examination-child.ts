/** The process of `examination.ts`: examines pictures one after the other, as one instance of the function does. */
import { readFileSync } from 'node:fs';
import { examineImage } from '../../../functions/images/examination/examine-image.sharp.ts';
import { OnnxOcr } from '../../../functions/images/ocr/ocr.onnx.ts';
import { openFile } from '../../../functions/images/opening/open-file.sharp.ts';
import { cpuMillis, IMAGE_MILLIS, PAGE_MILLIS } from './examined-receipt.ts';

/** What one picture took. */
export interface ExaminationMessage {
  readonly file: string;
  readonly bytes: number;
  readonly cpuSeconds: number;
  /** True if nothing was left in doubt. */
  readonly certain: boolean;
  /** Of the process so far. */
  readonly peakMegabytes: number;
}

const [country = '', ...files] = process.argv.slice(2);
const parts = { opener: { open: openFile }, ocr: new OnnxOcr({ timeLimitMs: PAGE_MILLIS }), clock: cpuMillis };
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
