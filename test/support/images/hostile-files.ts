/** Small files that take gigabytes or minutes of the decoder that opens them. */
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A PDF of these objects, the first of which is the catalogue. */
function pdf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts = [latin1('%PDF-1.7\n')];
  let length = parts[0]!.byteLength;
  const offsets = objects.map((object, at) => {
    const part = Buffer.concat([latin1(`${at + 1} 0 obj\n`), Buffer.from(object), latin1('\nendobj\n')]);
    const offset = length;
    parts.push(part);
    length += part.byteLength;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<</Root 1 0 R/Size ${objects.length + 1}${trailer.replace('HERE', String(length))}>>`;
  return Buffer.concat([...parts, latin1(`${table}${end}\nstartxref\n${length}\n%%EOF`)]);
}

function stream(entries: string, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([latin1(`<<${entries}/Length ${bytes.byteLength}>>stream\n`), bytes, latin1('\nendstream')]);
}

/** One page that draws this content. Its objects are 1 to 4; those of the resources follow. */
function page(
  content: string,
  { side = 500, resources = '', more = [] }: { side?: number; resources?: string; more?: readonly Buffer[] } = {},
): Buffer {
  return pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${side} ${side}]/Resources<<${resources}>>/Contents 4 0 R>>`,
    stream('/Filter/FlateDecode', deflateSync(content)),
    ...more,
  ]);
}

/** Each form is a group that needs a bitmap of the whole page while the next one is drawn in it. */
export function nestedForms(depth = 24, side = 2_800): Buffer {
  const more = Array.from({ length: depth }, (_, at) => {
    const isLast = at === depth - 1;
    const entries = `/Type/XObject/Subtype/Form/BBox[0 0 ${side} ${side}]/Group<</S/Transparency/I true>>/Resources<<${isLast ? '' : `/XObject<</F ${at + 6} 0 R>>`}/ExtGState<</G<</ca 0.5>>>>>>`;
    return stream(entries, isLast ? `0.5 g 0 0 ${side} ${side} re f` : `/G gs /F Do 0 0 9 9 re f`);
  });
  return page('/G gs /F Do', { side, resources: '/XObject<</F 5 0 R>>/ExtGState<</G<</ca 0.5>>>>', more });
}

/** Long curves of very short dashes, each of which is outlined. */
export function dashedStrokes(strokes = 30_000): Buffer {
  let content = '[0.1 0.1] 0 d 0.3 w 1 J 1 j\n';
  for (let at = 0; at < strokes; at += 1) {
    content += `${at % 500} 0 m ${(at * 7) % 500} 500 ${(at * 13) % 500} 0 ${(at * 31) % 500} 500 c S\n`;
  }
  return page(content);
}

/** Zeros that are deflated, in parts that repeat: without packing each of them. */
function deflatedZeros(megabytes: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(1_000_000), { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const parts = Array.from({ length: megabytes }, () => part);
  const adler = Buffer.from([0, 0, 0, 1]);
  adler.writeUInt16BE((megabytes * 1_000_000) % 65_521);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...parts, deflateRawSync(Buffer.alloc(0)), adler]);
}

/** 900 megapixels in a few KB. */
export function twiceDeflatedPicture(): Buffer {
  const pixels = deflateSync(deflatedZeros(900), { level: 9 });
  const entries =
    '/Type/XObject/Subtype/Image/Width 30000/Height 30000/ColorSpace/DeviceGray/BitsPerComponent 8/Filter[/FlateDecode/FlateDecode]';
  return page('500 0 0 500 0 0 cm /P Do', { resources: '/XObject<</P 5 0 R>>', more: [stream(entries, pixels)] });
}

/** A form that draws the next one ten times, which does so too. */
export function multipliedForms(levels = 9): Buffer {
  const more = Array.from({ length: levels }, (_, at) => {
    const isLast = at === levels - 1;
    const resources = isLast ? '' : `/Resources<</XObject<</F ${at + 6} 0 R>>>>`;
    return stream(
      `/Type/XObject/Subtype/Form/BBox[0 0 500 500]${resources}`,
      isLast ? '0 0 500 500 re f' : '/F Do '.repeat(10),
    );
  });
  return page('/F Do', { resources: '/XObject<</F 5 0 R>>', more });
}

export const hugePage = (): Buffer => page('0 0 9 9 re f', { side: 2_000_000_000 });

export const hugeFont = (): Buffer =>
  page(`BT /F 100000000 Tf -40000000 -40000000 Td (${'W@&'.repeat(9_000)}) Tj ET`, {
    resources: '/Font<</F 5 0 R>>',
    more: [latin1('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')],
  });

/** The table of objects names itself as the one before, and the pages contain themselves. */
export const endlessTables = (): Buffer =>
  pdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]>>'], '/Prev HERE');

export function manyPages(count = 50_000): Buffer {
  const kids = '3 0 R '.repeat(count);
  return pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${kids}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Resources<<>>>>',
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([latin1(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

interface PngOptions {
  readonly depth?: number;
  /** 0 is grey, 6 is red, green, blue and opacity. */
  readonly colour?: number;
  readonly interlaced?: boolean;
  readonly megabytes?: number;
  readonly more?: readonly Buffer[];
}

/** A PNG of zeros. */
export function pngBomb(
  width: number,
  height: number,
  { depth = 8, colour = 0, interlaced = false, megabytes = 100, more = [] }: PngOptions = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, Number(interlaced)], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflatedZeros(megabytes)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A text and a colour profile that unpack to half a gigabyte each. */
export const pngOfTexts = (): Buffer =>
  pngBomb(9, 9, {
    megabytes: 1,
    more: [
      chunk('iCCP', Buffer.concat([latin1('profile\0\0'), deflatedZeros(500)])),
      chunk('zTXt', Buffer.concat([latin1('Software\0\0'), deflatedZeros(500)])),
    ],
  });

/** A progressive JPEG that refines the same picture again and again. */
export async function jpegOfScans(scans = 3_000, side = 1_500): Promise<Buffer> {
  const plain = { create: { width: side, height: side, channels: 3, background: '#888' } } as const;
  const whole = await sharp(plain).jpeg({ progressive: true }).toBuffer();
  const begin = whole.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = whole.subarray(begin, whole.byteLength - 2);
  return Buffer.concat([whole.subarray(0, begin), ...Array.from({ length: scans }, () => scan), whole.subarray(-2)]);
}

/** The format has no more than 65,535 pixels a side. */
export const gifBomb = (): Buffer =>
  Buffer.concat([
    latin1('GIF89a'),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x44, 1, 0, 0x3b]),
  ]);

/** A TIFF whose only tile is this wide and high. */
export function tiffBomb(side: number, tile: number): Buffer {
  const entries: [number, number, number][] = [
    [256, 4, side],
    [257, 4, side],
    [258, 3, 8],
    [259, 3, 8],
    [262, 3, 1],
    [277, 3, 1],
    [322, 4, tile],
    [323, 4, tile],
    [324, 4, 200],
    [325, 4, 4_000_000_000],
  ];
  const file = Buffer.alloc(400);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  for (const [at, [tag, type, value]] of entries.entries()) {
    file.writeUInt16LE(tag, 10 + at * 12);
    file.writeUInt16LE(type, 12 + at * 12);
    file.writeUInt32LE(1, 14 + at * 12);
    file.writeUInt32LE(value, 18 + at * 12);
  }
  return file;
}
