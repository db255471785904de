import type { HttpEvent } from '#shared/http/http-handler';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { binaryImage, type InlineImage } from './image-request.ts';
import { argument } from './members.ts';

type Call = Pick<HttpEvent, 'headers' | 'body' | 'isBase64Encoded' | 'rawQueryString'>;

const RAW = /^(image\/|application\/pdf\b)/i;
const FORM = /^multipart\/form-data\b/i;

/**
 * Reads an image that is sent as bytes: as the body, with `id` in the query, or as the only file of a form, with the
 * field `id`. Undefined for bodies of another type. The gateway limits the body, so it fits into memory.
 */
export async function readBinaryImage({ body = '', isBase64Encoded, ...call }: Call): Promise<InlineImage | undefined> {
  const type = call.headers['content-type'] ?? '';
  const isForm = FORM.test(type);
  if (!isForm && !RAW.test(type)) return undefined;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (isForm) return imageInForm(await formIn(bytes, type));
  if (bytes.byteLength === 0) throw noImage();
  return binaryImage(new URLSearchParams(call.rawQueryString).get('id') ?? undefined, bytes);
}

async function formIn(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData();
  } catch (cause) {
    throw loyaltyError('argument_error', 'The body is no valid multipart/form-data.', { cause });
  }
}

/** Other fields are ignored, as unknown JSON members are. */
async function imageInForm(form: FormData): Promise<InlineImage> {
  const files = Array.from(form.values()).filter((value) => value instanceof File);
  const [file, another] = files;
  if (!file) throw noImage();
  if (another) throw loyaltyError('validation', 'Too many images: a call takes one.');
  const id = form.get('id') ?? undefined;
  if (id instanceof File) throw argument('id', 'a field');
  return binaryImage(id, new Uint8Array(await file.arrayBuffer()));
}

const noImage = () => loyaltyError('image_not_found', 'The body needs an image: its bytes, or a file in a form.');
