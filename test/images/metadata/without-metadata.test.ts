import exifr from 'exifr';
import * as fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { metadataOf } from '../../../functions/images/alteration/metadata.sharp.ts';
import { withoutMetadata } from '../../../functions/images/metadata/without-metadata.ts';
import { formatOf, type PictureFormat } from '../../../functions/images/pictures/format.ts';

// The package is CommonJS: Node finds none of its functions by name.
// oxlint-disable-next-line import/no-named-as-default-member
const { parse } = exifr;

const PERSONAL = {
  IFD0: { Make: 'Acme', Model: 'Phone of Kim', Artist: 'Kim Doe', Copyright: 'Kim Doe', Software: '17.1.2' },
  IFD2: { DateTimeOriginal: '2026:03:05 18:00:00', BodySerialNumber: 'SERIAL-77' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
};
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Adobe Photoshop 25.0"><dc:creator><rdf:Seq><rdf:li>Kim Doe</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const SECRETS = /Kim|Phone of|SERIAL-77|Acme|GPS|xmpmeta|2026:03:05/;

/** A picture with a different colour in every corner, so that a turn shows. */
const corners = (): Sharp =>
  sharp(Buffer.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 9, 9, 9, 90, 90, 90]), {
    raw: { width: 3, height: 2, channels: 3 },
  }).resize(48, 32, { kernel: 'nearest' });

const encoders = {
  jpeg: (picture: Sharp) => picture.jpeg(),
  png: (picture: Sharp) => picture.png(),
  tiff: (picture: Sharp) => picture.tiff({ compression: 'lzw' }),
} as const;
type Encoded = keyof typeof encoders;
const FORMATS = Object.keys(encoders) as Encoded[];

const photo = (format: Encoded, orientation = 1): Promise<Buffer> =>
  encoders[format](
    corners()
      .withExif({ ...PERSONAL, IFD0: { ...PERSONAL.IFD0, Orientation: String(orientation) } })
      .withXmp(XMP),
  ).toBuffer();
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const drawn = (bytes: Uint8Array) => sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
const stored = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer();

describe('a stored picture', () => {
  it.each(FORMATS)('has no metadata about a person, place or device, as %s', async (format) => {
    const bytes = await photo(format);
    expect(textOf(bytes)).toMatch(SECRETS);
    const clean = withoutMetadata(bytes, format);
    expect(textOf(clean)).not.toMatch(SECRETS);
    const tags = (await parse(Buffer.from(clean), true).catch(() => undefined)) ?? {};
    expect(Object.keys(tags).filter((tag) => /gps|latitude|make|model|artist|serial|date/i.test(tag))).toEqual([]);
    expect(formatOf(clean)).toBe(format);
  });

  it.each(FORMATS)('has the same pixels and orientation as before, as %s', async (format) => {
    for (let orientation = 1; orientation <= 8; orientation += 1) {
      const bytes = await photo(format, orientation);
      const clean = withoutMetadata(bytes, format);
      expect(await stored(clean)).toEqual(await stored(bytes));
      const [before, after] = [await drawn(bytes), await drawn(clean)];
      expect([after.info.width, after.info.height]).toEqual([before.info.width, before.info.height]);
      expect(after.data.equals(before.data), `${format} ${orientation}`).toBe(true);
    }
  });

  it.each(['jpeg', 'png'] as const)(
    'keeps the name of a program that is a sign of alteration, as %s',
    async (format) => {
      const clean = withoutMetadata(await photo(format), format);
      expect((await metadataOf(clean, format)).programs).toEqual(['Adobe Photoshop 25.0']);
      const innocent = await encoders[format](corners().withExif(PERSONAL)).toBuffer();
      expect((await metadataOf(withoutMetadata(innocent, format), format)).programs).toEqual([]);
    },
  );

  it.each(FORMATS)('does not change when it is stripped again, as %s', async (format) => {
    const clean = withoutMetadata(await photo(format, 6), format);
    expect(Buffer.from(withoutMetadata(clean, format)).equals(Buffer.from(clean))).toBe(true);
  });

  it('keeps its colour profile', async () => {
    const bytes = await corners().withIccProfile('p3').withExif(PERSONAL).jpeg().toBuffer();
    const { icc } = await sharp(withoutMetadata(bytes, 'jpeg')).metadata();
    expect(icc).toEqual((await sharp(bytes).metadata()).icc);
  });

  it('has no other picture after its end, where phones append one', async () => {
    const [front, behind] = [await corners().jpeg({ progressive: true }).toBuffer(), await photo('jpeg')];
    const clean = withoutMetadata(Buffer.concat([front, behind]), 'jpeg');
    expect(Buffer.from(clean).equals(front)).toBe(true);
    const png = await corners().png().toBuffer();
    expect(Buffer.from(withoutMetadata(Buffer.concat([png, behind]), 'png')).equals(png)).toBe(true);
  });

  it('has no comments and no XMP, as gif', async () => {
    const gif = await corners().gif().toBuffer();
    const extension = (label: number, ...parts: string[]) =>
      Buffer.concat([
        Buffer.from([0x21, label]),
        ...parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')])),
        Buffer.from([0]),
      ]);
    const at = 13 + 3 * 2 ** ((gif[10]! & 7) + 1);
    const bytes = Buffer.concat([
      gif.subarray(0, at),
      extension(0xfe, 'taken by Kim'),
      extension(0xff, 'XMP DataXMP', 'xmpmeta of Kim'),
      extension(0xff, 'NETSCAPE2.0', '\x01\0\0'),
      gif.subarray(at),
      Buffer.from('Kim was here'),
    ]);
    const clean = withoutMetadata(bytes, 'gif');
    expect(textOf(clean)).not.toMatch(SECRETS);
    expect(textOf(clean)).toContain('NETSCAPE2.0');
    expect(await stored(clean)).toEqual(await stored(gif));
  });

  it('has no EXIF in embedded photographs, and no byte moved, as pdf', async () => {
    const image = await corners().withExif(PERSONAL).jpeg().toBuffer();
    const head = Buffer.from(`%PDF-1.4\n1 0 obj <</Filter /DCTDecode /Length ${image.length}>> stream\n`);
    const bytes = Buffer.concat([head, image, Buffer.from('\nendstream endobj\n')]);
    const clean = withoutMetadata(bytes, 'pdf');
    expect(textOf(clean)).not.toMatch(/Kim|SERIAL-77/);
    expect(clean.length).toBe(bytes.length);
    const inside = Buffer.from(clean).subarray(head.length, head.length + image.length);
    expect(await stored(inside)).toEqual(await stored(image));
  });

  it('is identical to a picture that had no metadata', async () => {
    for (const format of FORMATS) {
      const bytes = new Uint8Array(await encoders[format](corners()).toBuffer());
      const clean = withoutMetadata(bytes, format);
      expect(await stored(clean)).toEqual(await stored(bytes));
      if (format !== 'tiff') expect(Buffer.from(clean).equals(Buffer.from(bytes)), format).toBe(true);
    }
  });
});

describe('a file that is broken or hostile', () => {
  const STARTS: Readonly<Record<PictureFormat, string>> = {
    jpeg: '\xff\xd8\xff',
    png: '\x89PNG\r\n\x1a\n',
    gif: 'GIF89a',
    tiff: 'II*\0\x08\0\0\0',
    pdf: '%PDF-1.7\n',
  };
  const formats = fc.constantFrom<PictureFormat>('jpeg', 'png', 'gif', 'tiff', 'pdf');

  it('is stripped without an error, keeps its format, and grows by an orientation at most', () => {
    fc.assert(
      fc.property(formats, fc.uint8Array({ maxLength: 400 }), (format, rest) => {
        const bytes = Buffer.concat([Buffer.from(STARTS[format], 'latin1'), rest]);
        const clean = withoutMetadata(bytes, format);
        expect(clean.length).toBeLessThanOrEqual(bytes.length + 300);
        expect(formatOf(clean)).toBe(format);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is still of its format if it breaks off behind its metadata, as jpeg', () => {
    for (const rest of ['', 'ABCD']) {
      const bytes = Buffer.from(`\xff\xd8\xff\xfe\0\x05Kim${rest}`, 'latin1');
      const clean = withoutMetadata(bytes, 'jpeg');
      expect(formatOf(clean)).toBe('jpeg');
      expect(textOf(clean)).not.toContain('Kim');
      expect(Buffer.from(withoutMetadata(clean, 'jpeg')).equals(Buffer.from(clean))).toBe(true);
    }
  });

  it('keeps its header if its metadata claims to lie there, as tiff', () => {
    const entry = Buffer.alloc(12);
    entry.writeUInt16LE(0x010f, 0);
    entry.writeUInt16LE(2, 2);
    entry.writeUInt32LE(40, 4);
    const directory = Buffer.concat([Buffer.from([1, 0]), entry, Buffer.alloc(20)]);
    const bytes = Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), directory]);
    expect(formatOf(withoutMetadata(bytes, 'tiff'))).toBe('tiff');
  });

  it('is stripped without an error wherever a photograph is cut or changed', async () => {
    for (const format of FORMATS) {
      const bytes = await photo(format, 6);
      fc.assert(
        fc.property(fc.nat(bytes.length), fc.nat(bytes.length - 1), fc.nat(255), (end, at, byte) => {
          const changed = Buffer.from(bytes.subarray(0, Math.max(end, 16)));
          if (at >= 8 && at < changed.length) changed[at] = byte;
          withoutMetadata(changed, format);
        }),
        { numRuns: 500 },
      );
    }
  });

  it('in which every entry claims to be the whole file takes only one pass', () => {
    const entries = 60_000;
    const file = Buffer.alloc(10 + entries * 12 + 4 + 1_000_000);
    file.write('II*\0', 'latin1');
    file.writeUInt32LE(8, 4);
    file.writeUInt16LE(entries, 8);
    for (let n = 0; n < entries; n += 1) {
      const at = 10 + n * 12;
      file.writeUInt16LE(0x010f, at);
      file.writeUInt16LE(2, at + 2);
      file.writeUInt32LE(1_000_000, at + 4);
      file.writeUInt32LE(10 + entries * 12 + 4, at + 8);
    }
    const fill = { calls: 0, bytes: 0 };
    const real = Buffer.prototype.fill;
    const counted = function (this: Buffer, ...args: Parameters<typeof real>) {
      fill.calls += 1;
      fill.bytes += Number(args[2] ?? this.length) - Number(args[1] ?? 0);
      return Reflect.apply(real, this, args);
    };
    Buffer.prototype.fill = counted as typeof real;
    try {
      withoutMetadata(file, 'tiff');
    } finally {
      Buffer.prototype.fill = real;
    }
    expect(fill.bytes).toBeLessThan(3 * file.length);
  });
});
