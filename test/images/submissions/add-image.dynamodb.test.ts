import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStored, type Validation } from '../../../functions/images/validations/validation.ts';
import { changeValidation } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { Killed, Mortality } from '../../support/faults/mortal-clients.ts';
import { base64Image, imageBytes } from '../../support/images/image-bytes.ts';
import { codeOf, type ImagesDesk, openImagesDesk, submission } from '../../support/images/images-desk.ts';
import { newApp, newCaller } from '../../support/places/places-desk.ts';
import { MOMENTS } from '../../support/runner/thoroughness.ts';

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

const inline = (name: string, id?: string) => ({ ...(id !== undefined && { id }), base64_data: base64Image(name) });

/** A validation that has one image, and waits for others. */
async function record(count: number, images: readonly object[] = [inline('first', 'first')]) {
  const caller = newCaller(newApp({ imagesPerRecord: 30 }));
  await desk.campaign({ tenant: caller.app.tenant });
  const made = await desk.submit(caller, submission(images, { image_count: count }));
  return { caller, made };
}
const idsOf = ({ images }: Validation) => images.map(({ id }) => id);

describe('images that are added one at a time', () => {
  it('complete the validation with the last one, and each is visible', async () => {
    const { caller, made } = await record(3);
    const second = await desk.add(caller, made.id, inline('b', 'b'), { now: Date.parse('2026-11-22T10:01:00Z') });
    expect([second.status, second.revision, idsOf(second)]).toEqual(['incomplete', 2, ['first', 'b']]);
    expect([second.createdAt, second.updatedAt]).toEqual([made.createdAt, '2026-11-22T10:01:00.000Z']);
    const third = await desk.add(caller, made.id, inline('c'));
    expect([third.status, third.images.length]).toEqual(['pending', 3]);
    expect(await desk.validation(made)).toEqual(third);
    for (const image of third.images) expect(isStored(image) && (await desk.bytesAt(image.key))).toBeTruthy();
    expect(await codeOf(desk.add(caller, made.id, inline('d')))).toBe('validation');
    expect(await desk.validation(made)).toEqual(third);
  });

  it('are all stored, once each, if all arrive at the same time', async () => {
    const { caller, made } = await record(21);
    const names = Array.from({ length: 20 }, (_, n) => `n${n}`);
    const answers = await Promise.all(names.map((name) => desk.add(caller, made.id, inline(name, name))));
    const last = await desk.validation(made);
    expect(last?.status).toBe('pending');
    expect(last && idsOf(last).sort()).toEqual(['first', ...names].sort());
    expect(last?.revision).toBe(21);
    expect(answers.filter(({ status }) => status === 'pending')).toHaveLength(1);
  });

  it('are limited to the validation’s number, if more arrive at the same time', async () => {
    const { caller, made } = await record(4);
    const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
    const codes = await Promise.all(names.map((name) => codeOf(desk.add(caller, made.id, inline(name, name)))));
    expect(codes.filter((code) => code === undefined)).toHaveLength(3);
    expect(codes.filter((code) => code === 'validation')).toHaveLength(7);
    expect((await desk.validation(made))?.images).toHaveLength(4);
  });

  it('are one image if the same one arrives several times at once', async () => {
    const { caller, made } = await record(2);
    const answers = await Promise.all(Array.from({ length: 5 }, () => desk.add(caller, made.id, inline('b', 'b'))));
    for (const answer of answers) expect([answer.status, idsOf(answer)]).toEqual(['pending', ['first', 'b']]);
    expect((await desk.validation(made))?.revision).toBe(2);
  });

  it('are refused and not stored if their id has other bytes, or if the validation does not exist', async () => {
    const { caller, made } = await record(3);
    const before = await desk.keysUnder('');
    expect(await codeOf(desk.add(caller, made.id, inline('other', 'first')))).toBe('validation');
    for (const id of ['1', '', 'x', '../1', '1'.repeat(17), `${made.id} `, '-1', '1e3']) {
      expect([id, await codeOf(desk.add(caller, id, inline('b')))]).toEqual([id, 'not_found']);
    }
    expect(await codeOf(desk.add({ app: caller.app }, made.id, inline('b')))).toBe('requires_registered_user');
    const off = { ...caller, app: { ...caller.app, imagesEnabled: false } };
    expect(await codeOf(desk.add(off, made.id, inline('b')))).toBe('access_denied');
    expect(await desk.keysUnder('')).toEqual(before);
  });

  it('do not change a decided validation, and a repeated one returns it', async () => {
    const { caller, made } = await record(1);
    const decided: Validation = { ...made, status: 'invalid', invalidCode: 5, invalidReason: 'No.', revision: 2 };
    expect(await changeValidation(desk.table, decided, made)).toBe(true);
    expect(await codeOf(desk.add(caller, made.id, inline('b')))).toBe('validation');
    expect(await desk.add(caller, made.id, inline('first', 'first'))).toEqual(decided);
    expect(await desk.validation(made)).toEqual(decided);
  });
});

describe('a process that crashes at any call of an addition', () => {
  it('leaves the validation unchanged or with the image; a repetition adds the image once', async () => {
    const calm = new Mortality();
    const first = await record(2);
    await desk.add(first.caller, first.made.id, inline('b', 'b'), { by: desk.parts(calm) });
    expect(calm.calls).toBe(4);
    for (let call = 1; call <= calm.calls; call += 1) {
      for (const when of MOMENTS) {
        const { caller, made } = await record(2);
        const by = desk.parts(new Mortality(call, when));
        await expect(desk.add(caller, made.id, inline('b', 'b'), { by })).rejects.toThrow(Killed);
        const wasAdded = call === calm.calls && when === 'after';
        const left = await desk.validation(made);
        expect(left && [left.status, idsOf(left)]).toEqual(
          wasAdded ? ['pending', ['first', 'b']] : ['incomplete', ['first']],
        );
        const again = await desk.add(caller, made.id, inline('b', 'b'));
        expect([again.status, idsOf(again), again.revision]).toEqual(['pending', ['first', 'b'], 2]);
        const [, added] = again.images;
        expect(added && isStored(added) && (await desk.bytesAt(added.key))).toEqual(imageBytes('b'));
      }
    }
  });

  it('fails with a fault, not a refusal, if it never succeeds', async () => {
    const { caller, made } = await record(2);
    const { add, ...others } = desk.parts();
    const busy = { ...add.validations, change: async () => false, pause: async () => undefined };
    const by = { ...others, add: { ...add, validations: busy } };
    await expect(desk.add(caller, made.id, inline('b'), { by })).rejects.toThrow('other writers');
  });
});
