/** The SDK repeats a call whose answer was lost. What the first one did must then count, and count once. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { submissionsOn } from '../../../functions/images/submissions/submission-items.dynamodb.ts';
import { isStored } from '../../../functions/images/validations/validation.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import type { Client } from '../../support/faults/mortal-clients.ts';
import { base64Image, imageBytes } from '../../support/images/image-bytes.ts';
import { type ImagesDesk, openImagesDesk, submission } from '../../support/images/images-desk.ts';
import { newApp, newCaller } from '../../support/places/places-desk.ts';

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

/** The parts of a process that never sees the first two answers to a command, and how often it was sent. */
function losing(command: string) {
  const client = dynamoDbClient({ ...desk.endpoint.clientOptions(), maxAttempts: 3 });
  const state = { calls: 0 };
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === command) state.calls += 1;
        const answer = await next(args);
        if (commandName === command && state.calls <= 2)
          throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
        return answer;
      },
    // Inside of what repeats calls.
    { step: 'finalizeRequest', priority: 'low', name: 'losing' },
  );
  const bind = <C extends Client>(given: C): C => (given instanceof DynamoDBClient ? (client as unknown as C) : given);
  return { state, by: desk.parts({ bind }) };
}

const inline = (name: string) => ({ id: name, base64_data: base64Image(name) });
async function customer() {
  const caller = newCaller(newApp({ submissionsPerDay: 1 }));
  await desk.campaign({ tenant: caller.app.tenant });
  return caller;
}

it('a validation is created once and counted once', async () => {
  const caller = await customer();
  const { state, by } = losing('TransactWriteItemsCommand');
  const made = await desk.submit(caller, submission([inline('a')]), { by });
  expect(state.calls).toBe(3);
  expect(await desk.validation(made)).toEqual(made);
  const day = { tenant: caller.app.tenant, id: caller.customer.id, day: made.createdAt.slice(0, 10), limit: 1 };
  expect(await submissionsOn(desk.table, day)).toBe(1);
});

it('an image is added once, with an id of its own or without', async () => {
  for (const image of [inline('b'), { base64_data: base64Image('b') }]) {
    const caller = await customer();
    const made = await desk.submit(caller, submission([inline('a')], { image_count: 2 }));
    const { state, by } = losing('PutItemCommand');
    const after = await desk.add(caller, made.id, image, { by });
    // The second one is refused: the first has changed the validation.
    expect(state.calls).toBe(2);
    expect([after.status, after.revision, after.images.length]).toEqual(['pending', 2, 2]);
    expect(await desk.validation(made)).toEqual(after);
  }
});

it('an upload is received once', async () => {
  const caller = await customer();
  const made = await desk.submit(caller, submission([{ id: 'a', upload: true }]));
  const [image] = made.images;
  const key = image && !isStored(image) ? image.uploadKey : '';
  await desk.upload(key, imageBytes('a'));
  const { state, by } = losing('PutItemCommand');
  expect(await desk.receive(key, { by })).toBe('stored');
  expect(state.calls).toBe(2);
  expect(await desk.validation(made)).toMatchObject({ status: 'pending', revision: 2, images: [{ id: 'a' }] });
  expect(await desk.bytesAt(key)).toBeUndefined();
});
