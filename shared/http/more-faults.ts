import { safeParse, type z } from 'zod/mini';
import { type Fault, InvalidInput } from './invalid-input.ts';

/**
 * Finds faults of a body that its schema cannot find, because they depend on stored data, on settings or on several
 * members. They are checked when the body has another fault, so that one answer lists all faults; a body without fault
 * costs no further read.
 */
export interface MoreFaults<Caller, Path> {
  readonly faultsOf: (
    sound: Readonly<Record<string, unknown>>,
    call: FaultyCall<Caller, Path>,
  ) => Promise<readonly Fault[]>;
}

export interface FaultyCall<Caller, Path> {
  readonly caller: Caller;
  readonly path: Path;
  readonly now: number;
  /** The members that have a fault. */
  readonly unsound: ReadonlySet<string>;
}

/** Checks the members; throws `InvalidInput` if they have a fault. */
export type Check = () => unknown;

/**
 * @param schema of the valid members, none of which it requires
 * @param checksOf the checks of a save, each of which runs whatever the others find
 */
export const moreFaults = <Caller, Path, Sound>(
  schema: z.core.$ZodType<Sound>,
  checksOf: (sound: Sound, call: FaultyCall<Caller, Path>) => Promise<readonly Check[]> | readonly Check[],
): MoreFaults<Caller, Path> => ({
  faultsOf: async (members, call) => {
    const sound = safeParse(schema, members);
    if (!sound.success) return [];
    const checks = await checksOf(sound.data, call);
    return (await Promise.all(checks.map(faultsIn))).flat();
  },
});

async function faultsIn(check: Check): Promise<readonly Fault[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) return error.faults;
    throw error;
  }
}

interface Faulty<Caller, Path> {
  readonly more: MoreFaults<Caller, Path> | undefined;
  readonly rawBody: unknown;
  readonly call: Omit<FaultyCall<Caller, Path>, 'unsound'>;
}

/** Returns the answer, or the refusal of the body extended by the faults of members that it does not name. */
export async function withAllFaults<Answer, Caller, Path>(
  { more, rawBody, call }: Faulty<Caller, Path>,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!more || !(error instanceof InvalidInput)) throw error;
    const unsound = new Set(error.faults.map(({ path: [name] }) => String(name)));
    const sound = membersWithout(unsound, rawBody);
    if (!sound) throw error;
    throw new InvalidInput([...error.faults, ...(await more.faultsOf(sound, { ...call, unsound }))]);
  }
}

/** The other members of a body; undefined if it is no object. */
function membersWithout(names: ReadonlySet<string>, body: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
