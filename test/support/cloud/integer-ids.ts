let last = Math.floor(Date.now() / 1_000);

/** An integer id that no other call in this process gets, whatever file of a run it is in. */
export const newIntegerId = (): number => (last += 1);
