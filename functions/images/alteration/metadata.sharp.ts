import exifr from 'exifr';
import sharp from 'sharp';
import type { PictureFormat } from '../pictures/format.ts';

// The package is CommonJS: Node finds none of its functions by name.
// oxlint-disable-next-line import/no-named-as-default-member
const { parse } = exifr;

/** Claims of a file about itself. A sender can write, change or remove them, and most files have none. */
export interface Metadata {
  /** Programs that processed the file, by its own account. */
  readonly programs: readonly string[];
  /**
   * The time at which the camera claims to have taken the picture, as `2018-03-05T14:22:10`, with the UTC offset if it
   * is stated.
   */
  readonly takenAt: string | undefined;
}

/**
 * Reads only the tags that are used, so that a file with thousands of tags costs no time. The location is not among
 * them.
 */
const TAGS = ['Software', 'ProcessingSoftware', 'DateTimeOriginal', 'OffsetTimeOriginal'];
const PROGRAM = /(?:CreatorTool|softwareAgent|pdf:Producer)(?:="([^"<]{1,200})"|>([^<]{1,200})<)/g;
/** Generators of pictures declare themselves with these IPTC terms, also inside signed manifests (C2PA). */
const GENERATED = /(?:composite(?:Synthetic|WithTrainedAlgorithmicMedia))|trainedAlgorithmicMedia/;
const XMP_MAX = 200_000;

export async function metadataOf(bytes: Uint8Array, format: PictureFormat): Promise<Metadata> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { packet, comments } = format === 'pdf' ? { packet: packetIn(file), comments: [] } : await headerOf(bytes);
  const tags = format === 'pdf' || format === 'gif' ? {} : await tagsOf(file);
  const programs = [
    ...[tags['Software'], tags['ProcessingSoftware'], ...comments].flatMap((text) => text ?? []),
    ...[...packet.matchAll(PROGRAM)].map(([, attribute, element]) => attribute ?? element ?? ''),
    ...(GENERATED.exec(packet) ?? GENERATED.exec(file.toString('latin1')) ?? []),
  ];
  return { programs: [...new Set(programs)], takenAt: takenAt(tags) };
}

async function headerOf(bytes: Uint8Array): Promise<{ packet: string; comments: string[] }> {
  try {
    const { xmp, comments = [] } = await sharp(bytes, { failOn: 'none' }).metadata();
    return {
      packet: xmp?.subarray(0, XMP_MAX).toString('utf8') ?? '',
      comments: comments.filter(({ keyword }) => keyword.endsWith('Software')).map(({ text }) => text),
    };
  } catch {
    return { packet: '', comments: [] };
  }
}

function packetIn(file: Buffer): string {
  const start = file.indexOf('<x:xmpmeta');
  return start < 0 ? '' : file.toString('utf8', start, start + XMP_MAX);
}

type Tags = Readonly<Record<string, string>>;

async function tagsOf(file: Buffer): Promise<Tags> {
  try {
    const tags: unknown = await parse(file, {
      pick: TAGS,
      xmp: false,
      icc: false,
      iptc: false,
      gps: false,
      reviveValues: false,
      translateValues: false,
    });
    const texts = Object.entries(tags ?? {}).filter(([, value]) => typeof value === 'string');
    return Object.fromEntries(texts) as Tags;
  } catch {
    return {};
  }
}

function takenAt(tags: Tags): string | undefined {
  const [, year, month, day, time] =
    /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(tags['DateTimeOriginal']?.trim() ?? '') ?? [];
  if (year === undefined) return undefined;
  const [offset = ''] = /^[+-]\d\d:\d\d$/.exec(tags['OffsetTimeOriginal']?.trim() ?? '') ?? [];
  const timestamp = `${year}-${month}-${day}T${time}${offset}`;
  // Cameras whose clock was never set write zeros.
  return Number.isNaN(Date.parse(timestamp)) ? undefined : timestamp;
}
