import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileOpener } from '../../../functions/images/opening/file-opener.process.ts';
import { openFile } from '../../../functions/images/opening/open-file.sharp.ts';
import {
  dashedStrokes,
  endlessTables,
  gifBomb,
  hugeFont,
  hugePage,
  jpegOfScans,
  manyPages,
  multipliedForms,
  nestedForms,
  pngBomb,
  pngOfTexts,
  tiffBomb,
  twiceDeflatedPicture,
} from '../../support/images/hostile-files.ts';
import { elapsed, polled } from '../../support/runner/machine-time.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { AMERICAN, drawn } from '../drawn-receipts.ts';

/** As the function that examines images has them; seconds are few, so that what takes minutes costs the tests little. */
const MEMORY_MIB = 768;
/**
 * What the function's 1,769 MiB leave: the rest of it needs 460 at most. A process exceeds its own limit by 10, but by
 * more while its watchdog waits for a processor.
 */
const LEFT_MIB = 1_769 - 460;
const FEW_SECONDS = 1;

/** An opener, and the most memory that any of its processes has had. */
function watched(limits: { memoryMiB?: number; seconds?: number } = {}) {
  const pids: number[] = [];
  const opener = fileOpener({ memoryMiB: MEMORY_MIB, seconds: 60, ...limits }, (pid) => pids.push(pid!));
  let peakKiB = 0;
  return {
    pids,
    peakMiB: () => peakKiB / 1024,
    async open(bytes: Uint8Array) {
      const end = new AbortController();
      const opening = opener.open(bytes).finally(() => end.abort());
      while (!end.signal.aborted && process.platform === 'linux') {
        peakKiB = Math.max(peakKiB, ...pids.map(peakOf));
        await elapsed(2);
      }
      return opening;
    },
  };
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const receipt = await drawn(AMERICAN).jpeg().toBuffer();
const document = manyPages(2);

describe('a hostile file', () => {
  it('of two kilobytes that needs gigabytes ends only its own process, within the function’s memory', async () => {
    const bytes = nestedForms(12);
    expect(bytes.byteLength).toBeLessThan(4_000);
    const opener = watched();
    expect(await opener.open(bytes)).toBe('too-costly');
    expect(opener.peakMiB()).toBeLessThan(LEFT_MIB);
    // The library that draws PDF was broken in that process, for all files after it.
    expect(await opener.open(document)).toEqual(await openFile(document));
  });

  it.each(
    few<readonly [string, () => Buffer]>(
      [['curves of short dashes', dashedStrokes]],
      [
        ['a picture of 900 megapixels that was deflated twice', twiceDeflatedPicture],
        ['forms that draw forms, a thousand million times', multipliedForms],
        ['letters of a hundred million points', hugeFont],
      ],
    ),
  )('that wants minutes ends with its process: %s', async (_what, make) => {
    const opener = watched({ seconds: FEW_SECONDS });
    expect(await opener.open(make())).toBe('too-costly');
    expect(opener.peakMiB()).toBeLessThan(LEFT_MIB);
  });

  // What each of them is, `pictures/opening.test.ts` shows in its own process.
  it.runIf(isThorough)('of any other kind gives a result within the limits', async () => {
    const opener = watched();
    const outcomes: readonly (readonly [string, () => Buffer | Promise<Buffer>])[] = [
      ['too-large', hugePage],
      ['too-large', () => pngBomb(60_000, 60_000)],
      ['damaged', jpegOfScans],
      ['damaged', () => tiffBomb(8_000, 2 ** 30)],
      ['too-costly', pngOfTexts],
      ['unknown', () => sharp(receipt).webp().toBuffer()],
      ['too-large', gifBomb],
      ['damaged', endlessTables],
      ['damaged', () => tiffBomb(8_000, 2 ** 15)],
      ['unknown', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ];
    const opened: unknown[] = [];
    for (const [, make] of outcomes) opened.push(await opener.open(await make()));
    expect(opened).toEqual(outcomes.map(([outcome]) => outcome));
    expect(await opener.open(manyPages(50_000))).toMatchObject({ pageCount: 50_000, pages: { length: 5 } });
    expect(await opener.open(receipt)).toEqual(await openFile(receipt));
    expect(opener.peakMiB()).toBeLessThan(LEFT_MIB);
  });

  it('is too costly if its pixels are within the limit and its memory is not', async () => {
    const opener = watched({ memoryMiB: 300 });
    const bytes = pngBomb(7_900, 7_900, { depth: 16, colour: 6, interlaced: true, megabytes: 500 });
    expect(await opener.open(bytes)).toBe('too-costly');
    expect(opener.peakMiB()).toBeLessThan(LEFT_MIB);
  });
});

describe('the processes that open files', () => {
  const opener = watched();
  /** Opens the files one after the other. Returns how many processes that started. */
  async function startedFor(...files: readonly Buffer[]): Promise<number> {
    const before = opener.pids.length;
    for (const bytes of files) await opener.open(bytes);
    return opener.pids.length - before;
  }
  /** Afterwards the process that started last is idle. */
  beforeEach(async () => void (await opener.open(receipt)));

  it('are used again after a picture without trouble, and replaced after any other file', async () => {
    expect(await startedFor(receipt, receipt)).toBe(0);
    expect(await startedFor(document, receipt)).toBe(1);
    expect(await startedFor(receipt.subarray(0, 9_000), receipt)).toBe(1);
  });

  it('are replaced when one has died while idle', async () => {
    const idle = opener.pids.at(-1)!;
    process.kill(idle, 'SIGKILL');
    await polled(
      () => isRunning(idle),
      (running) => !running,
    );
    expect(await opener.open(receipt)).toEqual(await openFile(receipt));
    expect(opener.pids.at(-1)).not.toBe(idle);
  });

  it('open several files at the same time, one each', async () => {
    const before = opener.pids.length;
    const opened = await Promise.all([document, receipt].map((bytes) => opener.open(bytes)));
    expect(opened).toEqual([await openFile(document), await openFile(receipt)]);
    expect(opener.pids.length - before).toBe(1);
  });

  it.runIf(process.platform === 'linux')('know none of the function’s credentials', () => {
    const environment = readFileSync(`/proc/${opener.pids.at(-1)}/environ`, 'utf8');
    const names = environment.split('\0').map((entry) => entry.split('=')[0]);
    expect(names.filter((name) => !/^(|PATH|LD_LIBRARY_PATH|NODE_CHANNEL_\w+)$/.test(name!))).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
