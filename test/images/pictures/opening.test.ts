import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { formatOf } from '../../../functions/images/pictures/format.ts';
import { openPicture } from '../../../functions/images/pictures/open-picture.sharp.ts';
import {
  endlessTables,
  gifBomb,
  hugePage,
  jpegOfScans,
  manyPages,
  pngBomb,
  tiffBomb,
} from '../../support/images/hostile-files.ts';

const plain = (width: number, height: number, background = '#808080') =>
  sharp({ create: { width, height, channels: 3, background } });

/** A PDF of empty pages with one grey square each. */
function pdfOf(pages: number, side = 72): Buffer {
  const content = '0.5 g 0 0 36 36 re f';
  const kids = Array.from({ length: pages }, (_, at) => `${at + 4} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ...Array.from(
      { length: pages },
      () => `<</Type/Page/Parent 2 0 R/Resources<<>>/MediaBox[0 0 ${side} ${side}]/Contents 3 0 R>>`,
    ),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${file.length}\n%%EOF`,
  );
}

async function pagesOf(bytes: Uint8Array) {
  const opened = await openPicture(bytes);
  if (typeof opened === 'string') throw new Error(`not opened: ${opened}`);
  return opened.pages;
}

describe('the format of a picture', () => {
  it.each(['jpeg', 'png', 'gif', 'tiff'] as const)('is %s if its content is, whatever it is called', async (format) => {
    const bytes = await plain(20, 10).toFormat(format).toBuffer();
    expect(formatOf(bytes)).toBe(format);
    expect(await openPicture(bytes)).toMatchObject({ format, pages: [{ width: 20, height: 10 }], pageCount: 1 });
  });

  it('is pdf also if other bytes precede the header', () => {
    expect(formatOf(Buffer.concat([Buffer.from('\r\n\r\n'), pdfOf(1)]))).toBe('pdf');
    expect(formatOf(Buffer.concat([Buffer.alloc(2000), pdfOf(1)]))).toBeUndefined();
  });
});

describe('opening a picture', () => {
  it('turns it upright as its EXIF orientation says', async () => {
    const bytes = await plain(30, 10).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await pagesOf(bytes)).toMatchObject([{ width: 10, height: 30 }]);
  });

  it('makes grey of CMYK, of sixteen bits and of transparent pixels', async () => {
    const cmyk = await plain(8, 8, '#ffffff').toColourspace('cmyk').jpeg().toBuffer();
    const deep = await plain(8, 8, '#ffffff').toColourspace('rgb16').png().toBuffer();
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    for (const bytes of [cmyk, deep, clear]) {
      const [page] = await pagesOf(bytes);
      expect(page?.pixels).toHaveLength(64);
      expect(Math.min(...(page?.pixels ?? [0]))).toBeGreaterThan(250);
    }
  });

  it('takes the first frame of a moving GIF', async () => {
    const frames = await Promise.all(['#ffffff', '#000000'].map((colour) => plain(6, 6, colour).png().toBuffer()));
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(bytes).metadata()).pages).toBe(2);
    const pages = await pagesOf(bytes);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ width: 6, height: 6 });
    expect(pages[0]?.pixels[0]).toBeGreaterThan(250);
  });

  it('draws pages of a PDF at 200 dots per inch, and tells how many it left out', async () => {
    expect(await openPicture(pdfOf(7))).toMatchObject({ format: 'pdf', pageCount: 7 });
    const pages = await pagesOf(pdfOf(7));
    expect(pages).toHaveLength(5);
    expect(pages[0]).toMatchObject({ width: 200, height: 200 });
    expect(pages[0]?.pixels[0]).toBe(255);
    expect(pages[0]?.pixels[199 * 200]).toBeLessThan(140);
  });

  it('shrinks what is larger than reading needs, and keeps the width of what is long', async () => {
    expect(await pagesOf(await plain(10_000, 500).png().toBuffer())).toMatchObject([{ width: 4800, height: 240 }]);
    expect(await pagesOf(await plain(900, 4000).png().toBuffer())).toMatchObject([{ width: 900, height: 4000 }]);
  });
});

describe('a hostile picture', () => {
  it('is refused if it has no bytes, or none that any format begins with', async () => {
    expect(await openPicture(new Uint8Array())).toBe('empty');
    expect(await openPicture(new Uint8Array(5000))).toBe('unknown');
    expect(await openPicture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('unknown');
  });

  it('is refused if a small file unpacks to more pixels than memory holds', async () => {
    // Without a limit, it would be damaged: it has no pixels.
    const bomb = pngBomb(9_000, 9_000, { megabytes: 0 });
    expect(bomb.byteLength).toBeLessThan(1_000);
    for (const bytes of [bomb, pngBomb(60_000, 60_000), gifBomb(), pdfOf(1, 14_000), hugePage()]) {
      expect(await openPicture(bytes)).toBe('too-large');
    }
  });

  it('is refused if it repeats itself without end, or is of parts that no picture has', async () => {
    const scans = await jpegOfScans();
    for (const bytes of [scans, endlessTables(), tiffBomb(8_000, 2 ** 30), tiffBomb(8_000, 2 ** 15)]) {
      expect(await openPicture(bytes)).toBe('damaged');
    }
  });

  it('of many pages is opened, as its first pages', async () => {
    expect(await openPicture(manyPages(50_000))).toMatchObject({ pageCount: 50_000, pages: { length: 5 } });
  });

  it.each(['jpeg', 'png', 'gif', 'tiff'] as const)('is refused if it is a %s that breaks off', async (format) => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#888', noise } })
      .toFormat(format, format === 'gif' ? { effort: 1 } : {})
      .toBuffer();
    expect(await openPicture(whole.subarray(0, whole.byteLength / 2))).toBe('damaged');
    expect(await openPicture(whole.subarray(0, 12))).toBe('damaged');
  });

  it('is refused if it only begins like its format', async () => {
    for (const start of ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a', 'II*\0', 'MM\0*', '%PDF-1.7']) {
      expect(await openPicture(Buffer.from(`${start}${'nothing of the kind'.repeat(20)}`, 'latin1'))).toBe('damaged');
    }
  });
});
