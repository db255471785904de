import { Refusal } from '#shared/errors';
import type { HttpEvent } from '#shared/http/http-handler';
import { textOf } from '#shared/http/request-body';
import { Form, type SentFile } from '../pages/form.ts';

const FIELDS = 'application/x-www-form-urlencoded';
const FILES = 'multipart/form-data';

/** Returns the form that a request has submitted. */
export async function sentForm(event: HttpEvent): Promise<Form> {
  const contentType = event.headers['content-type'] ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === FIELDS) return new Form(textOf(event) ?? '');
  if (type === FILES) return formWithFiles(event, contentType);
  throw notForm();
}

async function formWithFiles({ body = '', isBase64Encoded }: HttpEvent, contentType: string): Promise<Form> {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const data = await new Response(bytes, {
    headers: { 'content-type': contentType },
  })
    .formData()
    .catch((cause) => {
      throw notForm({ cause });
    });
  const fields = new URLSearchParams();
  const files = new Map<string, SentFile>();
  for (const [name, value] of data) {
    if (typeof value === 'string') fields.append(name, value);
    // Without a choice, a browser sends an empty file without a name.
    // oxlint-disable-next-line no-await-in-loop -- the bytes are in memory
    else if (value.name !== '')
      files.set(name, {
        name: value.name,
        content: new Uint8Array(await value.arrayBuffer()),
      });
  }
  return new Form(fields.toString(), files);
}

const notForm = (options?: ErrorOptions) => new Refusal(415, 'not-a-form', 'Send a form.', options);
