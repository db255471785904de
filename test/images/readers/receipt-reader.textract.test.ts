import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TextractClient } from '@aws-sdk/client-textract';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatOf } from '../../../functions/images/pictures/format.ts';
import { UNMOVED } from '../../../functions/images/pictures/homography.ts';
import { openPicture } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { textractReader } from '../../../functions/images/readers/receipt-reader.textract.ts';
import { embeddedReader, readerOf } from '../../../functions/images/readers/receipt-reader.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { AMERICAN, drawn } from '../drawn-receipts.ts';
import { americanExpense, readPage } from './expense-answers.ts';

const US = LOCALES['US']!;
/** Of a page whose bytes are sent in the request. */
const BYTES_MAX = 10_000_000;

interface Answer {
  readonly status: number;
  readonly body: object;
}
interface Call {
  readonly target: string | undefined;
  readonly bytes: Buffer;
}

let answers: Answer[];
let calls: Call[];
let server: Server;
let client: TextractClient;

/** Speaks the protocol of Textract, so that the client's own code is part of the test. */
beforeEach(async () => {
  [answers, calls] = [[], []];
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new TextractClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
});
afterEach(async () => {
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { Document } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { Document: { Bytes: string } };
  calls.push({ target: request.headers['x-amz-target']?.toString(), bytes: Buffer.from(Document.Bytes, 'base64') });
  const { status, body } = answers.shift() ?? { status: 200, body: {} };
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

async function pagesOf(bytes: Uint8Array) {
  const opened = await openPicture(bytes);
  if (typeof opened === 'string') throw new Error(`not opened: ${opened}`);
  return opened.pages;
}
const failed = (type: string, status = 400): Answer => ({ status, body: { __type: type, message: 'No.' } });
const american = (): Answer => ({ status: 200, body: { ExpenseDocuments: [americanExpense(readPage(AMERICAN))] } });

describe('the Textract reader', () => {
  it('sends a page of any format as one that Textract takes, and reads its answer', async () => {
    answers.push(american());
    const pages = await pagesOf(await drawn(AMERICAN).gif().toBuffer());
    const { receipt, passes } = await textractReader(client).read(pages, US);
    expect(receipt).toMatchObject({ store: 'GREEN VALLEY MARKET', total: 1870, doubts: ['date-unsure'] });
    expect(passes).toBe(1);
    expect(calls.map(({ target }) => target)).toEqual(['Textract.AnalyzeExpense']);
    expect(formatOf(calls[0]!.bytes)).toBe('jpeg');
    expect(await sharp(calls[0]!.bytes).metadata()).toMatchObject({ width: pages[0]!.width, height: pages[0]!.height });
  });

  it('sends every page by itself, in their order', async () => {
    answers.push({ status: 200, body: {} }, american());
    const page = (height: number) => ({ width: 60, height, pixels: new Uint8Array(60 * height).fill(255) });
    const { receipt } = await textractReader(client).read([page(40), page(50)], US);
    const sent = await Promise.all(calls.map(({ bytes }) => sharp(bytes).metadata()));
    expect(sent.map(({ height }) => height)).toEqual([40, 50]);
    expect(receipt.places.total?.page).toBe(1);
  });

  it('stays within Textract’s size limit, even with noise on the largest page', async () => {
    let seed = 1;
    const pixels = Uint8Array.from({ length: 1800 * 4800 }, () => (seed = (seed * 48_271) % 2_147_483_647) & 255);
    await textractReader(client).read([{ width: 1800, height: 4800, pixels }], US);
    expect(calls[0]!.bytes.byteLength).toBeLessThan(BYTES_MAX);
  });

  it.each(['BadDocumentException', 'UnsupportedDocumentException', 'DocumentTooLargeException'])(
    'reads nothing if Textract answers %s: a person must look',
    async (type) => {
      answers.push(failed(type));
      const { receipt } = await textractReader(client).read(await pagesOf(await drawn([]).png().toBuffer()), US);
      expect(receipt.doubts).toEqual(['no-total', 'no-date', 'items-unproven', 'no-store']);
    },
  );

  it.each([
    ['ThrottlingException', 400],
    ['ProvisionedThroughputExceededException', 400],
    ['InternalServerError', 500],
    ['AccessDeniedException', 400],
    ['InvalidParameterException', 400],
  ])('fails if Textract answers %s, so that the workflow retries or an alarm is raised', async (type, status) => {
    answers.push(failed(type, status));
    const pages = await pagesOf(await drawn([]).png().toBuffer());
    await expect(textractReader(client).read(pages, US)).rejects.toMatchObject({ name: type });
  });

  it('proves a day together with the embedded reader, and is not called for other pictures', async () => {
    const page = readPage(AMERICAN);
    const reading = (confidence: number) => {
      const words = page.words.map((word) => ({ ...word, confidence }));
      const ocr = { read: () => Promise.resolve({ ...page, words }) };
      return embeddedReader({ ocr, prepare: async (image) => ({ image, back: UNMOVED }), closeUps: async () => [] });
    };
    const pages = await pagesOf(await drawn(AMERICAN).png().toBuffer());
    expect((await reading(70).read(pages, US)).receipt.doubts).toEqual(['date-unsure']);
    answers.push(american());
    const both = readerOf(reading(70), textractReader(client));
    expect((await both.read(pages, US)).receipt).toMatchObject({ date: '2018-03-05', total: 1870, doubts: [] });
    expect(calls).toHaveLength(1);
    expect((await readerOf(reading(95), textractReader(client)).read(pages, US)).receipt.doubts).toEqual([]);
    expect(calls).toHaveLength(1);
  });
});
