import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { alterationOf, type Traces } from '../../../functions/images/alteration/alteration.ts';
import { metadataOf } from '../../../functions/images/alteration/metadata.sharp.ts';
import { pdfFacts } from '../../../functions/images/alteration/pdf-facts.ts';
import { pastedPrint } from '../../../functions/images/alteration/recompression.sharp.ts';
import { greyOf } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { drawn, MALAYSIAN } from '../drawn-receipts.ts';

const NOTHING: Traces = { programs: [], pdfPrograms: [], pdfUpdated: false, pastedPrint: undefined };
const square = () => sharp({ create: { width: 16, height: 16, channels: 3, background: '#ffffff' } });
const xmp = (inside: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" ${inside}/></rdf:RDF></x:xmpmeta>`;

describe('the score of alteration', () => {
  it('is 0 without any sign, and for programs of cameras, scanners and tills', () => {
    expect(alterationOf(NOTHING)).toEqual({ score: 0, signs: [] });
    const harmless = ['17.4.1', 'HDR+ 1.0.345618096zd', 'EPSON Scan', 'Adobe Lightroom 7.0', 'Picasa'];
    const printed = ['Skia/PDF m120', 'iText 2.1.7', 'wkhtmltopdf 0.12.5', 'Mac OS X Quartz PDFContext'];
    const traces = { ...NOTHING, programs: harmless, pdfPrograms: printed, pastedPrint: 1.4 };
    expect(alterationOf(traces)).toEqual({ score: 0, signs: [] });
  });

  it.each([
    ['software: Adobe Photoshop 25.1 (Macintosh)', { programs: ['Adobe Photoshop 25.1 (Macintosh)'] }],
    ['software: GIMP 2.10.36', { programs: ['GIMP 2.10.36'] }],
    ['software: Snapseed 2.0', { programs: ['Snapseed 2.0'] }],
    ['software: trainedAlgorithmicMedia', { programs: ['trainedAlgorithmicMedia'] }],
    ['pdf-producer: Microsoft® Word 2019', { pdfPrograms: ['Microsoft® Word 2019'] }],
    ['pdf-producer: Sejda 5.3', { pdfPrograms: ['Sejda 5.3'] }],
    ['ela', { pastedPrint: 2.4 }],
  ])('needs a person for %s alone', (sign, traces) => {
    const result = alterationOf({ ...NOTHING, ...traces });
    expect(result.signs).toEqual([sign]);
    expect(result.score).toBeGreaterThanOrEqual(0.5);
    expect(result.score).toBeLessThan(1);
  });

  it('needs no person for an update of a PDF alone, because signing is one', () => {
    const result = alterationOf({ ...NOTHING, pdfUpdated: true });
    expect(result.signs).toEqual(['pdf-updated']);
    expect(result.score).toBe(0.2);
  });

  it('counts a program once, however often the file names it, and rises with a second kind of sign', () => {
    const once = alterationOf({ ...NOTHING, programs: ['GIMP 2.10'] });
    expect(alterationOf({ ...NOTHING, programs: ['GIMP 2.10', 'GIMP 2.8'] }).score).toBe(once.score);
    expect(alterationOf({ ...NOTHING, programs: ['GIMP 2.10'], pastedPrint: 2.4 }).score).toBe(0.8);
    expect(alterationOf({ ...NOTHING, programs: [`GIMP ${'x'.repeat(500)}`] }).signs[0]).toHaveLength(80);
  });

  it('is from 0 to 1 and grows with the heat', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 4, noNaN: true }), fc.double({ min: 0, max: 4, noNaN: true }), (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((heat) =>
          alterationOf({ ...NOTHING, pdfUpdated: true, pastedPrint: heat }),
        );
        expect(low!.score).toBeLessThanOrEqual(high!.score);
        expect(high!.score).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the metadata of a picture', () => {
  it.each(['jpeg', 'png'] as const)('is read from EXIF and XMP of a %s', async (format) => {
    const bytes = await square()
      .withExif({ IFD0: { Software: 'Snapseed' }, IFD2: { DateTimeOriginal: '2018:03:05 14:22:10' } })
      .withXmp(xmp('xmp:CreatorTool="GIMP 2.10"'))
      .toFormat(format)
      .toBuffer();
    expect(await metadataOf(bytes, format)).toEqual({
      programs: ['Snapseed', 'GIMP 2.10'],
      takenAt: '2018-03-05T14:22:10',
    });
  });

  it('contains the offset of the clock, and no time that the calendar does not have', async () => {
    const taken = async (DateTimeOriginal: string, OffsetTimeOriginal?: string) => {
      const tags = { DateTimeOriginal, ...(OffsetTimeOriginal && { OffsetTimeOriginal }) };
      return (await metadataOf(await square().withExif({ IFD2: tags }).jpeg().toBuffer(), 'jpeg')).takenAt;
    };
    expect(await taken('2018:03:05 14:22:10', '+08:00')).toBe('2018-03-05T14:22:10+08:00');
    expect(await taken('0000:00:00 00:00:00')).toBeUndefined();
    expect(await taken('2018:13:05 14:22:10')).toBeUndefined();
    expect(await taken('yesterday')).toBeUndefined();
  });

  it('names a generator of pictures that declared itself', async () => {
    const source = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
    const packet = xmp(`xmlns:e="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" e:DigitalSourceType="${source}"`);
    const bytes = await square().withXmp(packet).png().toBuffer();
    expect((await metadataOf(bytes, 'png')).programs).toEqual(['trainedAlgorithmicMedia']);
  });

  it('is empty for files without metadata and for broken files', async () => {
    for (const format of ['jpeg', 'png', 'gif', 'tiff'] as const) {
      const bytes = await square().toFormat(format).toBuffer();
      expect(await metadataOf(bytes, format)).toEqual({ programs: [], takenAt: undefined });
      expect(await metadataOf(bytes.subarray(0, 20), format)).toEqual({ programs: [], takenAt: undefined });
    }
  });

  it('never fails, whatever bytes of it are overwritten', async () => {
    const whole = await square()
      .withExif({ IFD0: { Software: 'Snapseed' }, IFD2: { DateTimeOriginal: '2018:03:05 14:22:10' } })
      .withXmp(xmp('xmp:CreatorTool="GIMP 2.10"'))
      .jpeg()
      .toBuffer();
    const change = fc.tuple(fc.nat(Math.min(900, whole.byteLength - 1)), fc.nat(255));
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      const { programs } = await metadataOf(bytes, 'jpeg');
      expect(programs.every((program) => typeof program === 'string')).toBe(true);
    });
    await fc.assert(property, { numRuns: isThorough ? 200 : 50 });
  });
});

describe('the metadata of a PDF', () => {
  const facts = (text: string) => pdfFacts(Buffer.from(text, 'latin1'));

  it('names its producer and creator, as text, digits or UTF-16', () => {
    const utf16 = `FEFF${Buffer.from('Word', 'utf16le').swap16().toString('hex')}`;
    const text = String.raw`1 0 obj<</Producer(Till \(v2\) \101)/Creator<${utf16}>>>endobj startxref`;
    expect(facts(text)).toEqual({ programs: ['Till (v2) A', 'Word'], updated: false });
    expect(facts('/Producer (\xfe\xff\0W\0o\0r\0d)').programs).toEqual(['Word']);
  });

  it('is read from packed object streams, and bombs and broken streams are skipped', () => {
    const stream = (packed: Buffer) => `<</Type/ObjStm/N 1>>stream\n${packed.toString('latin1')}\nendstream\n`;
    const bomb = stream(deflateSync(Buffer.concat([Buffer.from('<</Producer(Bomb)>>'), Buffer.alloc(5_000_000)])));
    const good = stream(deflateSync(Buffer.from('<</Producer(Inkscape 1.3)>>')));
    expect(facts(bomb + stream(Buffer.from('no such thing')) + good).programs).toEqual(['Inkscape 1.3']);
    expect(facts(bomb.repeat(20) + good).programs).toEqual([]);
  });

  it('shows an update if the file ends more often than its layout explains', () => {
    expect(facts('startxref 9 %%EOF startxref 20 %%EOF').updated).toBe(true);
    expect(facts('/Linearized 1 startxref 9 %%EOF startxref 20 %%EOF').updated).toBe(false);
    expect(facts('/Linearized 1 startxref startxref startxref').updated).toBe(true);
  });
});

describe('pasted print', () => {
  const stored = async (picture: Sharp, quality: number) => picture.jpeg({ quality }).toBuffer();
  const amount = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="150" height="34"><rect width="100%" height="100%" fill="#e4e4e4"/><text x="4" y="28" font-family="monospace" font-size="27" fill="#222">RM 98.00</text></svg>',
  );

  /** As a telephone stores it: paper is grey, the lens blurs a little, and the sensor adds grain. */
  async function photograph(quality: number): Promise<Buffer> {
    const { pixels, ...size } = await greyOf(drawn(MALAYSIAN).linear(0.86, 10).blur(0.8));
    let seed = 7;
    const grained = pixels.map((grey) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return Math.min(255, Math.max(0, grey + 12 * (seed / 2_147_483_647 - 0.5)));
    });
    return stored(sharp(grained, { raw: { ...size, channels: 1 } }), quality);
  }

  it.each(
    few(
      [[80, 95]],
      [
        [70, 90],
        [80, 92],
      ],
    ),
  )('stands out of a photograph of quality %d that is stored again at %d, which alone does not', async (from, to) => {
    const photo = await photograph(from);
    const forged = sharp(photo).composite([{ input: amount, left: 575, top: 455 }]);
    expect(await pastedPrint(await stored(sharp(photo), to))).toBeLessThan(1.4);
    expect(await pastedPrint(await stored(forged, to))).toBeGreaterThan(2.4);
  });

  it('is undefined for pages with little print', async () => {
    expect(await pastedPrint(await stored(square(), 80))).toBeUndefined();
    expect(await pastedPrint(await stored(drawn([]), 80))).toBeUndefined();
  });

  it('is searched in the middle of pictures larger than 4000 pixels', async () => {
    const wide = await stored(
      sharp(await photograph(80)).extend({ left: 2500, right: 2500, background: '#ffffff' }),
      80,
    );
    expect((await sharp(wide).metadata()).width).toBe(5760);
    expect(await pastedPrint(wide)).toBeGreaterThan(0);
  });

  it('is not searched in pictures of more than 32 million pixels', async () => {
    const photo = sharp(await photograph(80));
    const { height } = await photo.metadata();
    const huge = photo.extend({ bottom: 6000 - height, right: 5400 - 760, background: '#ffffff' });
    expect(await pastedPrint(await stored(huge, 80))).toBeUndefined();
  });
});
