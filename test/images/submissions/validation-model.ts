/** What is to become of a validation and its uploads, said once more and in another way than the product says it. */

/** Bytes by name; `bad` is no image. */
export type Content = 'one' | 'two' | 'bad';

interface ModelImage {
  readonly id: string;
  /** Undefined while it is expected. */
  readonly content?: Content;
  /** Number of the upload that is expected to bring it. */
  readonly upload?: number;
}

export interface ModelValidation {
  readonly count: number;
  readonly images: readonly ModelImage[];
  /** What lies under the link of each upload that was ever offered. */
  readonly objects: readonly (Content | undefined)[];
}

export type Action =
  | { readonly do: 'add'; readonly id: string; readonly content: Content }
  | { readonly do: 'offer'; readonly id: string }
  | { readonly do: 'put'; readonly upload: number; readonly content: Content }
  | { readonly do: 'announce'; readonly upload: number };

export interface Outcome {
  readonly validation: ModelValidation;
  /** The code of a refusal, or what became of an upload. */
  readonly says: string | undefined;
}

export const statusOf = ({ images, count }: ModelValidation): string =>
  images.length === count && images.every(({ content }) => content !== undefined) ? 'pending' : 'incomplete';

/** Everything that can happen to a validation now. */
export const actionsOn = ({ objects }: ModelValidation): Action[] => [
  { do: 'add', id: 'x', content: 'one' },
  { do: 'add', id: 'x', content: 'two' },
  { do: 'add', id: 'y', content: 'one' },
  { do: 'offer', id: 'x' },
  { do: 'offer', id: 'y' },
  ...objects.flatMap((_, upload): Action[] => [
    { do: 'put', upload, content: 'one' },
    { do: 'put', upload, content: 'two' },
    { do: 'put', upload, content: 'bad' },
    { do: 'announce', upload },
  ]),
];

export function happens(validation: ModelValidation, action: Action): Outcome {
  if (action.do === 'add') return added(validation, { id: action.id, content: action.content });
  if (action.do === 'offer') return added(validation, { id: action.id, upload: validation.objects.length });
  if (action.do === 'announce') return announced(validation, action.upload);
  return {
    validation: { ...validation, objects: validation.objects.with(action.upload, action.content) },
    says: undefined,
  };
}

function added(validation: ModelValidation, image: ModelImage): Outcome {
  const unchanged = { validation, says: undefined };
  const existing = validation.images.find(({ id }) => id === image.id);
  if (!existing && validation.images.length === validation.count) return { validation, says: 'validation' };
  if (!existing) {
    const objects = image.upload === undefined ? validation.objects : [...validation.objects, undefined];
    return { validation: { ...validation, images: [...validation.images, image], objects }, says: undefined };
  }
  if (image.content === undefined || image.content === existing.content) return unchanged;
  if (existing.content !== undefined) return { validation, says: 'validation' };
  return { validation: replaced(validation, existing, image), says: undefined };
}

function announced(validation: ModelValidation, upload: number): Outcome {
  const content = validation.objects[upload];
  if (content === undefined) return { validation, says: 'gone' };
  const emptied = { ...validation, objects: validation.objects.with(upload, undefined) };
  const expected = validation.images.find((image) => image.upload === upload);
  if (!expected) return { validation: emptied, says: 'unexpected' };
  if (content === 'bad') return { validation: emptied, says: 'no-image' };
  return { validation: replaced(emptied, expected, { id: expected.id, content }), says: 'stored' };
}

const replaced = (validation: ModelValidation, before: ModelImage, after: ModelImage): ModelValidation => ({
  ...validation,
  images: validation.images.map((image) => (image === before ? after : image)),
});
