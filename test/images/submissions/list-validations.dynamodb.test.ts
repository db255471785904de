import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerValidations } from '../../../functions/images/submissions/customer-validations.dynamodb.ts';
import { listAnswer } from '../../../functions/images/submissions/list-answer.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { newId } from '../../../shared/ids.ts';
import { codeOf, type ImagesDesk, openImagesDesk } from '../../support/images/images-desk.ts';
import { newValidation, store, storedImage } from '../../support/images/validations.ts';

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

/** So many validations of a customer, the newest first. */
async function stored(count: number, own: Partial<Validation> = {}) {
  const key = { tenant: newId('t'), id: newId('cus') };
  const validations: Validation[] = [];
  for (let n = count; n > 0; n -= 1) {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
    const { tenant, id: customer } = key;
    validations.push(newValidation({ tenant, customer, id: `${1_000 + n}`, createdAt, ...own }));
  }
  await Promise.all(validations.map((validation) => store(desk.table, validation)));
  return { key, validations, ids: validations.map(({ id }) => id) };
}
type Customer = Awaited<ReturnType<typeof stored>>['key'];
const page = async (customer: Customer, limit: number, number: number) =>
  (await customerValidations(desk.table, customer, { limit, page: number })).map(({ id }) => id);

describe('the validations of a customer', () => {
  it('are listed newest first, in pages without gaps or repetitions', async () => {
    const { key, ids, validations } = await stored(7);
    expect(await customerValidations(desk.table, key, { limit: 100, page: 1 })).toEqual(validations);
    for (const limit of [1, 2, 3, 7, 8, 100]) {
      const pages: string[][] = [];
      for (let number = 1; number <= Math.ceil(7 / limit) + 1; number += 1) pages.push(await page(key, limit, number));
      expect(pages.flat()).toEqual(ids);
      expect(pages.slice(0, -1).every((one, at) => one.length === limit || at === pages.length - 2)).toBe(true);
      expect(pages.at(-1)).toEqual([]);
    }
    expect(await page(key, 100, 100)).toEqual([]);
  });

  it('do not include those of other customers and tenants', async () => {
    const { key } = await stored(2);
    expect(await page({ ...key, id: newId('cus') }, 10, 1)).toEqual([]);
    expect(await page({ ...key, tenant: newId('t') }, 10, 1)).toEqual([]);
    expect(await page({ tenant: key.tenant.slice(0, -1), id: key.id }, 10, 1)).toEqual([]);
    expect(await page(key, 10, 1)).toHaveLength(2);
  });

  it('are found beyond one page of the table, which is 1 MB', async () => {
    const { key, ids } = await stored(40, { data: JSON.stringify({ a: 'x'.repeat(60_000) }) });
    expect(await page(key, 40, 1)).toEqual(ids);
    expect(await page(key, 5, 8)).toEqual(ids.slice(35));
    expect(await page(key, 30, 2)).toEqual(ids.slice(30));
  });
});

describe('an answer with validations', () => {
  const links = { view: async () => `https://example.com/${'x'.repeat(2_000)}`, upload: async () => '' };
  const validation = (images: number) =>
    newValidation({ images: Array.from({ length: images }, (_, n) => storedImage({ tenant: 't', id: '1' }, `${n}`)) });

  it('holds a page of validations with the default number of images', async () => {
    const { statusCode, body = '' } = await listAnswer(
      links,
      Array.from({ length: 100 }, () => validation(10)),
    );
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ status: 'ok' });
    expect(JSON.parse(body).image_validations).toHaveLength(100);
    expect(JSON.stringify({ statusCode, body }).length).toBeLessThan(6_291_456);
  });

  it('is refused with advice if a function cannot return it', async () => {
    const validations = Array.from({ length: 30 }, () => validation(100));
    expect(await codeOf(listAnswer(links, validations))).toBe('argument_error');
    expect(await codeOf(listAnswer(links, validations.slice(0, 20)))).toBeUndefined();
  });
});
