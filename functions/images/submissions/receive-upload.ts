import { formatOf } from '../pictures/format.ts';
import { uploadOf } from '../validations/picture-keys.ts';
import {
  IMAGE_BYTES_MAX,
  isStored,
  type SubmittedImage,
  type UploadRefusal,
  type Validation,
} from '../validations/validation.ts';
import { changeImages, type Records } from './add-image.ts';
import { type NewPicture, newPicture } from './new-images.ts';

/** One version of an object, which may be replaced by another one at any time. */
export interface UploadedObject {
  readonly key: string;
  readonly etag: string;
}

export interface Uploads {
  /** The newest version under a key; undefined if there is none. */
  readonly find: (key: string) => Promise<(UploadedObject & { readonly bytes: number }) | undefined>;
  /** Undefined if it was replaced or removed. */
  readonly read: (upload: UploadedObject) => Promise<Uint8Array | undefined>;
  /** Leaves another version alone: it is announced by itself. */
  readonly remove: (upload: UploadedObject) => Promise<void>;
}

export interface ReceivingDeps {
  readonly records: Records;
  readonly uploads: Uploads;
  readonly storePicture: (picture: NewPicture) => Promise<void>;
}

/** What became of an upload. */
export type Received = 'stored' | UploadRefusal | 'unexpected' | 'replaced' | 'gone' | 'no-upload';

/**
 * Makes an upload the image that its record expects: its bytes are stored under a key that no upload link writes to,
 * then the record has the image, then the upload goes. Announcements may come twice, late, and in any order; what is
 * under the key now counts. Of what is no image nothing is kept: the record says why, and goes on expecting one.
 */
export async function receiveUpload(deps: ReceivingDeps, key: string, now: number): Promise<Received> {
  const validation = uploadOf(key);
  if (!validation) return 'no-upload';
  const upload = await deps.uploads.find(key);
  if (!upload) return 'gone';
  const image = (await deps.records.byId(validation))?.images.find((one) => isExpectedAt(one, key));
  const received = image ? await stored(deps, { upload, validation, id: image.id }, now) : 'unexpected';
  await deps.uploads.remove(upload);
  return received;
}

const isExpectedAt = (image: SubmittedImage, key: string) => !isStored(image) && image.uploadKey === key;

interface Arrived {
  readonly upload: UploadedObject & { readonly bytes: number };
  readonly validation: { readonly tenant: string; readonly id: string };
  /** Of the image that is expected. */
  readonly id: string;
}

async function stored(deps: ReceivingDeps, arrived: Arrived, now: number): Promise<Received> {
  const { uploads, records, storePicture } = deps;
  const { upload, validation, id } = arrived;
  const { tenant, id: validationId } = validation;
  if (upload.bytes > IMAGE_BYTES_MAX) return refused(deps, arrived, { why: 'too-large', now });
  const bytes = await uploads.read(upload);
  if (!bytes) return 'replaced';
  const format = formatOf(bytes);
  if (!format) return refused(deps, arrived, { why: 'no-image', now });
  const key = { tenant, id: validationId };
  const picture = newPicture(key, { id, bytes, format });
  const { image } = picture;
  await storePicture(picture);
  const imagesAfter = (before: Validation) => {
    const at = before.images.findIndex((one) => isExpectedAt(one, upload.key));
    return at < 0 ? before.images : before.images.with(at, image);
  };
  const after = await changeImages(records, key, imagesAfter, now);
  const isStoredNow = after?.images.some((one) => isStored(one) && one.id === id && one.sha256 === image.sha256);
  return isStoredNow ? 'stored' : 'unexpected';
}

/** The record says why, until an image comes. */
async function refused(
  { records }: ReceivingDeps,
  { upload, validation: { tenant, id } }: Arrived,
  { why, now }: { readonly why: UploadRefusal; readonly now: number },
): Promise<UploadRefusal> {
  const imagesAfter = ({ images }: Validation) => {
    const at = images.findIndex((image) => isExpectedAt(image, upload.key));
    const image = images[at];
    return !image || isStored(image) || image.refused === why ? images : images.with(at, { ...image, refused: why });
  };
  await changeImages(records, { tenant, id }, imagesAfter, now);
  return why;
}
