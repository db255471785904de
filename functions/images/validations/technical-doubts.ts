/** Reasons of doubtful findings that say nothing about the image: another examination may do without them. */
export const NOT_EXAMINED = 'The image could not be examined.';
export const OUT_OF_TIME = 'Reading the image ran out of time.';

export const TECHNICAL_DOUBTS: ReadonlySet<string> = new Set([NOT_EXAMINED, OUT_OF_TIME]);
