import { safeParse, type z } from 'zod/mini';
import { type Fault, InvalidInput } from './invalid-input.ts';

/**
 * Faults of a body that only stored data, settings or several members together show. Asked when something else is wrong with
 * the body, so that one answer lists all faults; a body without fault costs no further read.
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

/** Throws `InvalidInput`, or passes. */
export type Check = () => unknown;

/**
 * @param schema of the members that are sound, none of which it requires
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
  readonly stated: unknown;
  readonly call: Omit<FaultyCall<Caller, Path>, 'unsound'>;
}

/** The answer; or the refusal of the body, with the faults of the members that it does not speak of. */
export async function withAllFaults<Answer, Caller, Path>(
  { more, stated, call }: Faulty<Caller, Path>,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!more || !(error instanceof InvalidInput)) throw error;
    const unsound = new Set(error.faults.map(({ path: [name] }) => String(name)));
    const sound = membersWithout(unsound, stated);
    if (!sound) throw error;
    throw new InvalidInput([...error.faults, ...(await more.faultsOf(sound, { ...call, unsound }))]);
  }
}

/** The other members of a body; undefined for what is no object. */
function membersWithout(names: ReadonlySet<string>, body: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
