import { expect, test } from 'vitest';
import { SCALE_FIGURES } from './scale-figures.ts';
import { ScaleModel } from './scale-model.ts';
import { QUERY_CLASSES } from './search-queries.ts';

const { checks, ...measured } = SCALE_FIGURES;

test('the model is within a seventh of every index that was measured but did not calibrate it', () => {
  const model = new ScaleModel(measured);
  for (const check of checks) {
    const predicted = model.predict(check.records, check.segments);
    const pairs = [
      [predicted.gigabytes * 1000, check.megabytes],
      [predicted.metaKilobytes, check.metaKilobytes],
      ...QUERY_CLASSES.flatMap((name) => [
        [predicted.cold[name].reads, check.cold[name].reads],
        [predicted.cold[name].kilobytes, check.cold[name].kilobytes],
      ]),
    ] as const;
    for (const [model, truth] of pairs) expect(Math.abs(model - truth) / truth).toBeLessThan(1 / 7);
  }
});
