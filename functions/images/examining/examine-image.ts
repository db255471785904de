import type { TenantKey } from '#shared/ids';
import { type Examination, READER_VERSION } from '../examination/examination.ts';
import type { ExaminedImage, ExamineMessage, ImageToExamine } from './image-task.ts';

/** The error after which the state machine retries an image: see `cdk/domains/images/validation-definition.ts`. */
export const READING_OUT_OF_TIME = 'ReadingOutOfTime';

/** An image whose function has crashed this often is not tried again. */
const RECEIVES_MAX = 2;

export interface ExamineDeps {
  /** Undefined if the picture was erased in the meantime. */
  readonly bytes: (object: string) => Promise<Uint8Array | undefined>;
  readonly examine: (bytes: Uint8Array, image: ImageToExamine) => Promise<Examination>;
  readonly store: (validation: TenantKey, name: string, examination: Examination) => Promise<void>;
  /** Answers the task, unless it no longer waits. */
  readonly succeed: (token: string, image: ExaminedImage) => Promise<void>;
  readonly fail: (token: string, error: string) => Promise<void>;
}

/** Examines one image for a waiting task. A partial reading is stored too, because a retry may read less. */
export async function examineForMachine(
  deps: ExamineDeps,
  { image, token, ...key }: ExamineMessage,
  receives: number,
): Promise<void> {
  const { name, object } = image;
  const bytes = receives > RECEIVES_MAX ? undefined : await deps.bytes(object);
  // The validation was erased, or the image crashed its function too often.
  if (!bytes) return deps.succeed(token, { name, failed: true });
  const examination = await deps.examine(bytes, image);
  await deps.store(key, name, { ...examination, reader: READER_VERSION });
  return examination.outOfTime ? deps.fail(token, READING_OUT_OF_TIME) : deps.succeed(token, { name, failed: false });
}
