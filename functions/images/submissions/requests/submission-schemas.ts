/** Schemas of what `readSubmission`, `readAddition` and `readBinaryImage` read. Null and absent mean the same. */
import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { IMAGE_BYTES_MAX } from '../../validations/validation.ts';
import { ValidationType } from '../../validations/validation-schemas.ts';
import { ID_CHARACTERS_MAX, TYPE_CHARACTERS_MAX } from './image-request.ts';
import { TEXT_CHARACTERS_MAX } from './submission-request.ts';

const id = z.string().max(ID_CHARACTERS_MAX);
const image = {
  id: id.nullish().meta({ description: "The client's id for the image, which answers return." }),
  mime_type: z.string().max(TYPE_CHARACTERS_MAX).nullish(),
};

const InlineImage = named(
  'InlineImage',
  z.object({
    ...image,
    base64_data: z.string().min(1).meta({ contentEncoding: 'base64' }),
    upload: z.literal(false).nullish(),
  }),
  'An image with its bytes in the request.',
);

const UploadedImage = named(
  'UploadedImage',
  z.object({
    ...image,
    upload: z.literal(true),
    // A type of null alone stops some generators of clients.
    base64_data: z.string().max(0).nullish().meta({ description: 'Empty or absent: the bytes follow.' }),
    size: z.int().min(1).max(IMAGE_BYTES_MAX).nullish().meta({ description: 'The bytes of the upload.' }),
  }),
  'An image that the client will PUT to `upload_url`.',
);

const NewImage = z.union([InlineImage, UploadedImage]);
const label = z.union([z.string().max(TEXT_CHARACTERS_MAX), z.int()]).nullish();

/** The body of a submission. */
export const Submission = named(
  'Submission',
  z.object({
    image_validation: named(
      'NewImageValidation',
      z.object({
        validation_type: ValidationType,
        campaign_permalink: z.string().min(1),
        placement_id: label,
        external_id: label,
        image_count: z.int().min(1).nullish().meta({
          description: 'The number of images that the validation shall have; absent if the request holds all of them.',
        }),
        images: z.array(NewImage).min(1),
        data: z.record(z.string(), z.unknown()).nullish().meta({ description: 'Up to 10 KB, returned as it is.' }),
      }),
    ),
  }),
);

/** The body that adds an image. */
export const ImageAddition = named('ImageAddition', z.object({ image: NewImage }));

/** The same as a form. */
export const ImageForm = named('ImageForm', z.object({ id: id.optional(), image: z.file() }));

/** The query of an image that is the whole body. */
export const ImageQuery = z.object({ id: id.optional().meta({ description: 'The id of an image that is the body.' }) });
