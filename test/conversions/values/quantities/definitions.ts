import { DATA, ENERGY, MASS, SPEED, TEMPERATURE } from './definitions-of-amount.ts';
import { ANGLE, DATA_RATE, FORCE, FREQUENCY, FUEL, POWER, PRESSURE, TIME } from './definitions-of-change.ts';
import { AREA, LENGTH, VOLUME } from './definitions-of-extent.ts';

export interface Definition {
  readonly value: string;
  readonly from: string;
  readonly expected: string;
  readonly to: string;
}

/** Lines like `1 ft = 0.3048 m`. */
function definitionsOf(text: string): Definition[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => {
    const [match, value = '', from = '', expected = '', to = ''] = /^(\S+) (\S+) = (\S+) (\S+)$/.exec(line) ?? [];
    if (match === undefined) throw new TypeError(`${line} is no definition`);
    return { value, from, expected, to };
  });
}

export const DEFINITIONS: readonly Definition[] = [
  LENGTH,
  AREA,
  VOLUME,
  MASS,
  TEMPERATURE,
  SPEED,
  ENERGY,
  DATA,
  PRESSURE,
  POWER,
  FORCE,
  ANGLE,
  TIME,
  FREQUENCY,
  FUEL,
  DATA_RATE,
].flatMap(definitionsOf);
