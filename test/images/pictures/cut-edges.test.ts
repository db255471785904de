import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { cutEdges } from '../../../functions/images/pictures/cut-edges.ts';
import { greyOf } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { seeded } from '../../support/runner/virtual-time.ts';
import { drawn, MALAYSIAN } from '../drawn-receipts.ts';

/** 760 pixels wide; print begins at 40 and ends at 720, and rows of 40 pixels begin at 60. */
const receipt = await drawn(MALAYSIAN).png().toBuffer();
const { height } = await sharp(receipt).metadata();

async function cutAt(area: { left?: number; top?: number; right?: number; bottom?: number }) {
  const { left = 0, top = 0, right = 760, bottom = height } = area;
  return edgesOf(sharp(receipt).extract({ left, top, width: right - left, height: bottom - top }));
}

async function edgesOf(picture: Sharp) {
  return cutEdges(await greyOf(sharp(await picture.png().toBuffer()).resize({ width: 1000 })));
}

const onto = (background: string) => sharp(receipt).extend({ top: 60, bottom: 60, left: 90, right: 90, background });

describe('the edges that cut print', () => {
  it('do not exist for a whole receipt, however close the picture ends, and whatever is under it', async () => {
    expect(await edgesOf(sharp(receipt))).toEqual([]);
    expect(await cutAt({ left: 30, right: 730, top: 50, bottom: height - 50 })).toEqual([]);
    for (const table of ['#101010', '#5a3a1a', '#ffffff']) expect(await edgesOf(onto(table))).toEqual([]);
  });

  it('are those through which rows run', async () => {
    expect(await cutAt({ left: 78 })).toEqual(['left']);
    expect(await cutAt({ right: 697 })).toEqual(['right']);
    expect(await cutAt({ left: 78, right: 697 })).toEqual(['left', 'right']);
  });

  it('are those that split a row along its length', async () => {
    expect(await cutAt({ top: 151 })).toEqual(['top']);
    expect(await cutAt({ bottom: 6 * 40 + 70 })).toEqual(['bottom']);
  });

  it('are not those that pass between two rows', async () => {
    expect(await cutAt({ top: 170, bottom: 8 * 40 + 10 })).toEqual([]);
  });

  it('do not include those where torn paper throws a jagged shadow', async () => {
    const teeth = Array.from({ length: 38 }, (_, at) => `M${at * 20} 0 l10 12 l10 -12 z`).join('');
    const torn = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="14"><path d="${teeth}" fill="#333"/></svg>`,
    );
    expect(await edgesOf(sharp(receipt).composite([{ input: torn, left: 0, top: 0 }]))).toEqual([]);
  });

  it('are not those that the rim of something dark reaches, although a row runs into it', async () => {
    const upper = await sharp(receipt).extract({ left: 0, top: 0, width: 760, height: 311 }).png().toBuffer();
    for (const bottom of [20, 150])
      expect(await edgesOf(sharp(upper).extend({ bottom, background: '#000000' }))).toEqual([]);
  });

  it('are not those that a single row reaches, nor print on something too dark to be paper', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => `<text x="-7" y="${(at + 5) * 40}">MEMO TO ALL</text>`).join('');
    const written = (count: number, paper: string) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="${height}"><rect width="100%" height="100%" fill="${paper}"/><g font-family="monospace" font-size="26" fill="#000">${rows(count)}</g></svg>`,
      );
    const beside = (input: Buffer) =>
      edgesOf(
        sharp(receipt)
          .extend({ left: 180, background: '#ffffff' })
          .composite([{ input, left: 0, top: 0 }]),
      );
    expect(await beside(written(1, '#ffffff'))).toEqual([]);
    expect(await beside(written(8, '#ffffff'))).toEqual(['left']);
    expect(await beside(written(8, '#484848'))).toEqual([]);
  });

  it('do not exist on a page without print', async () => {
    for (const background of ['#ffffff', '#000000']) {
      expect(await edgesOf(sharp({ create: { width: 300, height: 300, channels: 3, background } }))).toEqual([]);
    }
    // Grain that is coarser than any camera's may look like print at some edges.
    const random = seeded(11);
    const grain = Uint8Array.from({ length: 300 * 300 }, () => 200 + 100 * (random() + random() + random() - 1.5));
    expect(await edgesOf(sharp(grain, { raw: { width: 300, height: 300, channels: 1 } }))).toEqual([]);
    expect(cutEdges({ width: 1, height: 1, pixels: new Uint8Array(1) })).toEqual([]);
  });
});
