import { describe, expect, it } from 'vitest';
import { CLASSES, charactersOf, spansOf } from '../../../functions/images/ocr/transcription.ts';

/** Probabilities of a line whose steps show these characters; `_` shows none. */
function stepsOf(text: string, probability: (step: number) => number = () => 0.9): Float32Array {
  const values = new Float32Array(text.length * CLASSES.length);
  for (const [step, character] of text.split('').entries()) {
    const index = character === '_' ? 0 : CLASSES.indexOf(character);
    values[step * CLASSES.length + index] = probability(step);
  }
  return values;
}
const textsOf = (steps: string) => spansOf(charactersOf(stepsOf(steps)), steps.length).map(({ text }) => text);

describe('the transcription of a line', () => {
  it('knows all printable characters of ASCII, each at the place that the network was trained with', () => {
    expect(CLASSES).toHaveLength(97);
    expect([CLASSES[1], CLASSES[18], CLASSES[80], CLASSES[94]]).toEqual(['0', 'A', '!', '/']);
    expect(new Set(CLASSES.slice(1)).size).toBe(95);
  });

  it('takes repeated steps for one character, unless there is a gap between them', () => {
    expect(textsOf('__11__1_2')).toEqual(['112']);
    expect(textsOf('TTOOTTAALL')).toEqual(['TOTAL']);
  });

  it('splits words at spaces and wide gaps, but not the decimals of wide print', () => {
    expect(textsOf('T_O_T_A_L_ _9_._0_0')).toEqual(['TOTAL', '9.00']);
    expect(textsOf('T_O_T_A_L______9_._0_0')).toEqual(['TOTAL', '9.00']);
    expect(textsOf('9_._0___0')).toEqual(['9.00']);
    // The steps are coarse for narrow print, whose characters seem to be unevenly apart.
    expect(textsOf('JA_L_AN___B_ES_A_R')).toEqual(['JALAN', 'BESAR']);
  });

  it('splits a time from the day before it, and an amount with its currency from another amount', () => {
    expect(textsOf('9_._9_7_$_2_9_._9_1')).toEqual(['9.97', '$29.91']);
    expect(textsOf('2_0_/_1_2_/_2_0_1_8_1_8_:_2_4')).toEqual(['20/12/2018', '18:24']);
    expect(textsOf('1_4_M_a_r_2_0_1_8_1_8_:_2_4')).toEqual(['14Mar2018', '18:24']);
    expect(textsOf('T_o_t_a_l_$_8_._7_0')).toEqual(['Total', '$8.70']);
    expect(textsOf('T_o_t_a_l_:_S_8_._7_0')).toEqual(['Total:', 'S8.70']);
  });

  it('is as sure of a word as of its least certain character, and says where the word is', () => {
    const characters = charactersOf(stepsOf('A_B_ _C_D_', (step) => (step === 8 ? 0.4 : 0.9)));
    const [first, second] = spansOf(characters, 10);
    expect([first!.confidence, second!.confidence].map(Math.round)).toEqual([90, 40]);
    expect(first!.from).toBeLessThan(0.1);
    expect(first!.to).toBeLessThan(second!.from + 0.01);
    expect(second!.to).toBeGreaterThan(0.9);
  });
});
