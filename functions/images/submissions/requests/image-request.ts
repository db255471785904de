import { numberText } from '#shared/formats/exact-json';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { formatOf, type PictureFormat } from '../../pictures/format.ts';
import { IMAGE_BYTES_MAX } from '../../validations/validation.ts';
import { imageDataIn } from './image-data.ts';
import { argument, isAbsent, type Members, memberOf, objectIn, optionalText, textIn } from './members.ts';

/** An image with its bytes in the request. */
export interface InlineImage {
  readonly id?: string;
  readonly bytes: Uint8Array;
  readonly format: PictureFormat;
}

/** An image that the client will upload. */
interface UploadedImage {
  readonly id?: string;
  readonly mimeType?: string;
  /** The size that the client declares. The upload link accepts no other size. */
  readonly size?: number;
}

export type ImageRequest = InlineImage | UploadedImage;

export const isInline = (image: ImageRequest): image is InlineImage => 'bytes' in image;

export const ID_CHARACTERS_MAX = 100;
export const TYPE_CHARACTERS_MAX = 100;

/** Reads one image. Undefined if it has neither data nor `upload`. The declared type is not trusted. */
export function readImage(name: string, value: unknown): ImageRequest | undefined {
  const members = objectIn(name, value);
  const id = optionalText('id', shortText(name, members, { member: 'id', charactersMax: ID_CHARACTERS_MAX }));
  const type = shortText(name, members, { member: 'mime_type', charactersMax: TYPE_CHARACTERS_MAX });
  const data = memberOf(members, 'base64_data');
  const upload = memberOf(members, 'upload') ?? false;
  if (typeof upload !== 'boolean') throw argument(`${name}.upload`, 'true or false');
  if (upload && !isAbsent(data) && data !== '') throw argument(name, 'uploaded or have base64_data, not both');
  if (upload) return { ...id, ...optionalText('mimeType', type), ...sizeIn(name, members) };
  if (isAbsent(data)) return undefined;
  return { ...id, ...contentIn(name, data) };
}

interface Short {
  readonly member: string;
  readonly charactersMax: number;
}

function shortText(name: string, members: Members, { member, charactersMax }: Short): string | undefined {
  const text = textIn(name, members, member);
  if ((text?.length ?? 0) > charactersMax) throw argument(`${name}.${member}`, `at most ${charactersMax} characters`);
  return text;
}

function sizeIn(name: string, members: Members): Pick<UploadedImage, 'size'> {
  const value = memberOf(members, 'size');
  if (isAbsent(value)) return {};
  const size = Number(numberText(value));
  if (!Number.isSafeInteger(size) || size < 0) throw argument(`${name}.size`, 'a number of bytes');
  if (size === 0) throw invalidData(name);
  checkSize(name, size);
  return { size };
}

function contentIn(name: string, value: unknown): Pick<InlineImage, 'bytes' | 'format'> {
  if (typeof value !== 'string') throw argument(`${name}.base64_data`, 'a string');
  const data = imageDataIn(value);
  if (!data) throw invalidData(name);
  checkSize(name, data.byteLength);
  return recognised(name, data.decode());
}

/** An image that is sent as bytes instead of JSON. */
export function binaryImage(id: string | undefined, bytes: Uint8Array): InlineImage {
  const own = optionalText('id', shortText('image', { id }, { member: 'id', charactersMax: ID_CHARACTERS_MAX }));
  checkSize('image', bytes.byteLength);
  return { ...own, ...recognised('image', bytes) };
}

function recognised(name: string, bytes: Uint8Array): Pick<InlineImage, 'bytes' | 'format'> {
  const format = formatOf(bytes);
  if (!format) throw invalidData(name);
  return { bytes, format };
}

function checkSize(name: string, bytes: number): void {
  if (bytes > IMAGE_BYTES_MAX) throw loyaltyError('validation', `${name} is over 10MB.`);
}

const invalidData = (name: string) => loyaltyError('validation', `Invalid image data: ${name}.`);
