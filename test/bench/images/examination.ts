import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { twoDecimals } from '../costs/charges.ts';
import { sizeOf } from '../size.ts';
import type { ExaminationMessage } from './examination-child.ts';
import { expectedReceipts } from './receipt-truth.ts';

const COUNT = 30;

/**
 * Processor time and memory of examining an image, in a process that does nothing else: the receipts in the folder that
 * RECEIPTS_DIR names, as the bench `receipts` reads them. RECEIPTS_COUNT is 30 unless it is set.
 */
export async function benchExamination(): Promise<void> {
  const folder = process.env['RECEIPTS_DIR'];
  if (folder === undefined) {
    console.log('\nExamination: RECEIPTS_DIR names no folder of pictures, so none are examined.');
    return;
  }
  const count = sizeOf('RECEIPTS_COUNT', COUNT);
  const files = expectedReceipts(folder)
    .slice(0, count)
    .map(({ image }) => join(folder, image));
  // The first one starts the recogniser, and is examined once more.
  const [first, ...all] = await examined([...files.slice(0, 1), ...files]);
  if (!first || all.length !== files.length) throw new Error('The process has ended before its work was done.');
  report(first, all);
}

async function examined(files: readonly string[]): Promise<readonly ExaminationMessage[]> {
  const country = process.env['RECEIPTS_COUNTRY'] ?? 'MY';
  const child = fork(join(import.meta.dirname, 'examination-child.ts'), [country, ...files], { execArgv: [] });
  const messages: ExaminationMessage[] = [];
  child.on('message', (message) => messages.push(message as ExaminationMessage));
  await once(child, 'exit');
  return messages;
}

function report(first: ExaminationMessage, all: readonly ExaminationMessage[]): void {
  const times = all.map(({ cpuSeconds }) => cpuSeconds).sort((a, b) => a - b);
  const at = (share: number) => twoDecimals(times[Math.ceil(share * times.length) - 1] ?? 0);
  const sum = (of: readonly number[]) => of.reduce((total, one) => total + one, 0);
  const certain = all.filter((one) => one.certain);
  console.log(`\nExamination of ${all.length} receipts, one after the other, in a process of their own`);
  console.table({
    'processor seconds, mean': twoDecimals(sum(times) / times.length),
    'processor seconds, p50': at(0.5),
    'processor seconds, p99': at(0.99),
    'mean of those without a doubt':
      certain.length === 0 ? 'none' : twoDecimals(sum(certain.map(({ cpuSeconds }) => cpuSeconds)) / certain.length),
    'receipts without a doubt': certain.length,
    'start of the recogniser, seconds': twoDecimals(first.cpuSeconds - (all[0]?.cpuSeconds ?? 0)),
    'peak memory, MB': Math.round(Math.max(...all.map(({ peakMegabytes }) => peakMegabytes))),
    'KB of a picture, mean': Math.round(sum(all.map(({ bytes }) => bytes)) / all.length / 1_000),
  });
}
