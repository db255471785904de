import { isExactNumber, numberText, parseExactly } from '#shared/formats/exact-json';
import type { ValidationType } from '#shared/loyalty/invalid-codes';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { type ImageRequest, readImage } from './image-request.ts';
import { argument, isAbsent, type Members, memberOf, objectIn, optionalText, textIn } from './members.ts';

/** The client's request to validate images, as the README's "Submitting" describes it. */
export interface SubmissionRequest {
  readonly validationType: ValidationType;
  readonly campaignPermalink: string;
  readonly placementId?: string;
  readonly externalId?: string;
  /** The number of images that the validation shall have; absent if the request holds all of them. */
  readonly imageCount?: number;
  readonly images: readonly ImageRequest[];
  /** JSON text that keeps every digit of its numbers. */
  readonly data?: string;
}

/** Lambda accepts no larger request. */
export const CALL_BYTES_MAX = 6 * 1024 * 1024;

export const TEXT_CHARACTERS_MAX = 200;
const DATA_BYTES_MAX = 10 * 1024;
/** Serialising deeper data may exhaust the stack. */
const DATA_DEPTH_MAX = 100;

/** Reads `{"image_validation": {…}}`. Unknown members, at all levels, are ignored. */
export function readSubmission(body: string | undefined): SubmissionRequest {
  const submission = memberOf(parsed(body), 'image_validation');
  if (isAbsent(submission)) throw missing('The body needs image_validation.');
  const members = objectIn('image_validation', submission);
  return {
    validationType: typeIn(members),
    campaignPermalink: required(members, 'campaign_permalink'),
    ...optionalText('placementId', textOrInteger(members, 'placement_id')),
    ...optionalText('externalId', textOrInteger(members, 'external_id')),
    ...countIn(members),
    images: imagesIn(members),
    ...dataIn(members),
  };
}

/** Reads `{"image": {…}}`: one more image of a validation. */
export function readAddition(body: string | undefined): ImageRequest {
  const image = body === undefined || body.trim() === '' ? undefined : memberOf(parsed(body), 'image');
  if (isAbsent(image)) throw noImage();
  return readImage('image', image) ?? throwing(noImage());
}

const missing = (message: string) => loyaltyError('missing_data', message);
const noImage = () => loyaltyError('image_not_found', 'The body needs image, with base64_data.');

function throwing(error: Error): never {
  throw error;
}

function parsed(body: string | undefined): unknown {
  if (body === undefined || body.trim() === '') throw missing('The body needs image_validation.');
  try {
    return parseExactly(body);
  } catch (cause) {
    // Endless nesting is invalid too: the parser exhausts its stack.
    throw loyaltyError('argument_error', 'The body is not valid JSON.', { cause });
  }
}

function required(members: Members, name: string): string {
  const text = textIn('image_validation', members, name);
  if (text === undefined) throw missing(`image_validation needs ${name}.`);
  return text;
}

function typeIn(members: Members): ValidationType {
  const type = required(members, 'validation_type');
  if (type === 'receipt' || type === 'image') return type;
  throw argument('image_validation.validation_type', 'receipt or image');
}

/** Clients may send integers where a string is specified. */
function textOrInteger(members: Members, name: string): string | undefined {
  const number = numberText(memberOf(members, name));
  const text = number ?? textIn('image_validation', members, name);
  if (number !== undefined && !/^-?\d+$/.test(number)) throw argument(`image_validation.${name}`, 'a string');
  if (text !== undefined && text.length > TEXT_CHARACTERS_MAX) {
    throw argument(`image_validation.${name}`, `at most ${TEXT_CHARACTERS_MAX} characters`);
  }
  return text;
}

function countIn(members: Members): Pick<SubmissionRequest, 'imageCount'> {
  const value = memberOf(members, 'image_count');
  if (isAbsent(value)) return {};
  const imageCount = Number(numberText(value));
  if (Number.isSafeInteger(imageCount) && imageCount >= 1) return { imageCount };
  throw argument('image_validation.image_count', 'an integer above 0');
}

function imagesIn(members: Members): ImageRequest[] {
  const images = memberOf(members, 'images');
  if (isAbsent(images)) throw missing('image_validation needs images.');
  if (!Array.isArray(images)) throw argument('image_validation.images', 'a list');
  if (images.length === 0) throw missing('image_validation needs at least one image.');
  return images.map((image: unknown, at) => {
    const name = `image_validation.images[${at}]`;
    return readImage(name, image) ?? throwing(missing(`${name} needs base64_data.`));
  });
}

function dataIn(members: Members): Pick<SubmissionRequest, 'data'> {
  const value = memberOf(members, 'data');
  if (isAbsent(value)) return {};
  const object = objectIn('image_validation.data', value);
  if (isDeeper(object, DATA_DEPTH_MAX)) {
    throw loyaltyError('validation', `image_validation.data is nested more than ${DATA_DEPTH_MAX} deep.`);
  }
  const data = JSON.stringify(object);
  if (Buffer.byteLength(data) <= DATA_BYTES_MAX) return { data };
  throw loyaltyError('validation', `image_validation.data is larger than ${DATA_BYTES_MAX} bytes.`);
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !isExactNumber(value) &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));
