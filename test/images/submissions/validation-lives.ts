/** All short lives of a validation, each lived on real tables and buckets and compared with the model. */
import { isDeepStrictEqual } from 'node:util';
import { isStored, type Validation } from '../../../functions/images/validations/validation.ts';
import { atOnce } from '../../../shared/at-once.ts';
import type { App } from '../../../shared/loyalty/app.ts';
import { imageBytes } from '../../support/images/image-bytes.ts';
import { codeOf, type ImagesDesk, submission } from '../../support/images/images-desk.ts';
import { type Caller, newApp, newCaller } from '../../support/places/places-desk.ts';
import { type Action, actionsOn, type Content, happens, type ModelValidation, statusOf } from './validation-model.ts';

const BYTES: Readonly<Record<Content, Buffer>> = {
  one: imageBytes('one'),
  two: imageBytes('two', { format: 'pdf' }),
  bad: Buffer.from('no image'),
};
const inline = (id: string, content: Content) => ({ id, base64_data: BYTES[content].toString('base64') });
const upload = (id: string) => ({ id, upload: true });

export interface Beginning {
  readonly images: readonly object[];
  readonly validation: ModelValidation;
}

/** How validations begin: what is requested, and what the model makes of it. */
export const BEGINNINGS: readonly Beginning[] = [
  { images: [inline('x', 'one')], validation: { count: 1, images: [{ id: 'x', content: 'one' }], objects: [] } },
  { images: [inline('x', 'one')], validation: { count: 2, images: [{ id: 'x', content: 'one' }], objects: [] } },
  { images: [upload('x')], validation: { count: 1, images: [{ id: 'x', upload: 0 }], objects: [undefined] } },
  { images: [upload('x')], validation: { count: 2, images: [{ id: 'x', upload: 0 }], objects: [undefined] } },
  {
    images: [upload('x'), upload('y')],
    validation: {
      count: 2,
      images: [
        { id: 'x', upload: 0 },
        { id: 'y', upload: 1 },
      ],
      objects: [undefined, undefined],
    },
  },
];

/** One validation, and the keys of the uploads that it has offered. */
class Life {
  readonly #desk: ImagesDesk;
  readonly #caller: Caller;
  readonly #validation: Validation;
  readonly #keys: string[] = [];

  private constructor(desk: ImagesDesk, caller: Caller, validation: Validation) {
    this.#desk = desk;
    this.#caller = caller;
    this.#validation = validation;
    this.#note(validation);
  }

  static async begin(desk: ImagesDesk, app: App, { images, validation }: Beginning): Promise<Life> {
    const caller = newCaller(app);
    return new Life(desk, caller, await desk.submit(caller, submission(images, { image_count: validation.count })));
  }

  #note({ images }: Validation): void {
    for (const image of images) {
      if (!isStored(image) && !this.#keys.includes(image.uploadKey)) this.#keys.push(image.uploadKey);
    }
  }

  async live(action: Action): Promise<string | undefined> {
    if (action.do === 'announce') return this.#desk.receive(this.#keys[action.upload] ?? '');
    if (action.do === 'put') {
      await this.#desk.upload(this.#keys[action.upload] ?? '', BYTES[action.content]);
      return undefined;
    }
    const image = action.do === 'add' ? inline(action.id, action.content) : upload(action.id);
    const code = await codeOf(this.#desk.add(this.#caller, this.#validation.id, image));
    const now = await this.#desk.validation(this.#validation);
    if (now) this.#note(now);
    return code;
  }

  /** The validation and its objects, in the words of the model. */
  async seen() {
    const validation = await this.#desk.validation(this.#validation);
    const contentOf = (bytes: Buffer | undefined) =>
      (Object.keys(BYTES) as Content[]).find((content) => bytes && BYTES[content].equals(bytes));
    const images = await Promise.all(
      (validation?.images ?? []).map(async (image) =>
        isStored(image)
          ? { id: image.id, content: contentOf(await this.#desk.bytesAt(image.key)) }
          : { id: image.id, upload: this.#keys.indexOf(image.uploadKey) },
      ),
    );
    const objects = await Promise.all(this.#keys.map(async (key) => contentOf(await this.#desk.bytesAt(key))));
    return { count: validation?.imageCount, status: validation?.status, images, objects };
  }
}

interface Reached {
  readonly path: readonly Action[];
  readonly validation: ModelValidation;
}

interface Findings {
  lives: number;
  /** Codes of refusals, and what became of uploads. */
  readonly said: Set<string | undefined>;
  /** Where the product and the model differ. */
  readonly differences: unknown[];
}

interface Search {
  readonly depth: number;
  /** @default all actions are */
  readonly isTaken?: (action: Action) => boolean;
}

/** All lives of so many steps. Those that lead to the same state of the model go on as one. */
export async function searchLives(
  desk: ImagesDesk,
  beginning: Beginning,
  { depth, isTaken = () => true }: Search,
): Promise<Findings> {
  const app = newApp();
  await desk.campaign({ tenant: app.tenant });
  const existing = new Set([JSON.stringify(beginning.validation)]);
  const findings: Findings = { lives: 0, said: new Set(), differences: [] };
  let layer: Reached[] = [{ path: [], validation: beginning.validation }];
  for (let step = 0; step < depth; step += 1) {
    const attempts = layer.flatMap((reached) =>
      actionsOn(reached.validation)
        .filter(isTaken)
        .map((action) => ({ ...reached, action })),
    );
    layer = [];
    await atOnce(attempts, 8, async ({ path, validation, action }) => {
      const life = await Life.begin(desk, app, beginning);
      for (const earlier of path) await life.live(earlier);
      const { validation: after, says } = happens(validation, action);
      const expected = { says, ...after, status: statusOf(after) };
      const seen = { says: await life.live(action), ...(await life.seen()) };
      if (!isDeepStrictEqual(seen, expected)) findings.differences.push({ path: [...path, action], seen, expected });
      findings.lives += 1;
      findings.said.add(says);
      const state = JSON.stringify(after);
      if (!existing.has(state)) layer.push({ path: [...path, action], validation: after });
      existing.add(state);
    });
  }
  return findings;
}
