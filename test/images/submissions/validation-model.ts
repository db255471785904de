/** What is to become of a record and its uploads, said once more and in another way than the product says it. */

/** Bytes by name; `bad` is no image. */
export type Content = 'one' | 'two' | 'bad';

interface ModelImage {
  readonly id: string;
  /** Undefined while it is expected. */
  readonly content?: Content;
  /** Number of the upload that is expected to bring it. */
  readonly slot?: number;
}

export interface ModelRecord {
  readonly count: number;
  readonly images: readonly ModelImage[];
  /** What lies under the link of each upload that was ever offered. */
  readonly objects: readonly (Content | undefined)[];
}

export type Action =
  | { readonly do: 'add'; readonly id: string; readonly content: Content }
  | { readonly do: 'offer'; readonly id: string }
  | { readonly do: 'put'; readonly slot: number; readonly content: Content }
  | { readonly do: 'announce'; readonly slot: number };

export interface Outcome {
  readonly record: ModelRecord;
  /** The code of a refusal, or what became of an upload. */
  readonly says: string | undefined;
}

export const statusOf = ({ images, count }: ModelRecord): string =>
  images.length === count && images.every(({ content }) => content !== undefined) ? 'pending' : 'incomplete';

/** Everything that can happen to a record now. */
export const actionsOn = ({ objects }: ModelRecord): Action[] => [
  { do: 'add', id: 'x', content: 'one' },
  { do: 'add', id: 'x', content: 'two' },
  { do: 'add', id: 'y', content: 'one' },
  { do: 'offer', id: 'x' },
  { do: 'offer', id: 'y' },
  ...objects.flatMap((_, slot): Action[] => [
    { do: 'put', slot, content: 'one' },
    { do: 'put', slot, content: 'two' },
    { do: 'put', slot, content: 'bad' },
    { do: 'announce', slot },
  ]),
];

export function happens(record: ModelRecord, action: Action): Outcome {
  if (action.do === 'add') return added(record, { id: action.id, content: action.content });
  if (action.do === 'offer') return added(record, { id: action.id, slot: record.objects.length });
  if (action.do === 'announce') return announced(record, action.slot);
  return { record: { ...record, objects: record.objects.with(action.slot, action.content) }, says: undefined };
}

function added(record: ModelRecord, image: ModelImage): Outcome {
  const unchanged = { record, says: undefined };
  const known = record.images.find(({ id }) => id === image.id);
  if (!known && record.images.length === record.count) return { record, says: 'validation' };
  if (!known) {
    const objects = image.slot === undefined ? record.objects : [...record.objects, undefined];
    return { record: { ...record, images: [...record.images, image], objects }, says: undefined };
  }
  if (image.content === undefined || image.content === known.content) return unchanged;
  if (known.content !== undefined) return { record, says: 'validation' };
  return { record: replaced(record, known, image), says: undefined };
}

function announced(record: ModelRecord, slot: number): Outcome {
  const content = record.objects[slot];
  if (content === undefined) return { record, says: 'gone' };
  const emptied = { ...record, objects: record.objects.with(slot, undefined) };
  const expected = record.images.find((image) => image.slot === slot);
  if (!expected) return { record: emptied, says: 'unexpected' };
  if (content === 'bad') return { record: emptied, says: 'no-image' };
  return { record: replaced(emptied, expected, { id: expected.id, content }), says: 'stored' };
}

const replaced = (record: ModelRecord, before: ModelImage, after: ModelImage): ModelRecord => ({
  ...record,
  images: record.images.map((image) => (image === before ? after : image)),
});
