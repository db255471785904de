import { QUERY_CLASSES } from './search-queries.ts';
import type { Notes, Shape } from './search-ten-million.ts';

/** Prints all figures of the bench with what they must reach, and fails if the download was not exact. */
export function printFigures(notes: Notes): void {
  console.log(`\n${notes.records.toLocaleString('en')} businesses`);
  console.table(Object.fromEntries([...indexRows(notes), ...classRows(notes)]));
  const { download, expected } = notes.sums;
  const isExact = download.lines === notes.records && JSON.stringify(download) === JSON.stringify(expected);
  if (!isExact) throw new Error(`${download.lines} records were downloaded, which are not those that were imported.`);
}

type Row = readonly [name: string, figures: Readonly<Record<string, string>>];

function indexRows({ small, build, shape, replacing, shapeAfter, before, after, download, records }: Notes): Row[] {
  const answering = Math.max(...Object.values({ ...before, ...after }).map(({ resident }) => resident));
  const figure = (value: number, goal = '', digits = 0) => ({ figure: value.toFixed(digits), 'at most': goal });
  return [
    ['build, processor s', figure(build.processorSeconds)],
    ['build to a tenth of it', figure(build.processorSeconds / (small?.processorSeconds ?? 0), '12', 1)],
    ['build, peak MB', figure(build.peak, '1500')],
    ['answering, peak MB', figure(answering, '1500')],
    ...shapeRows('built', shape),
    ['a tenth replaced, processor s', figure(replacing.processorSeconds)],
    ...shapeRows('replaced', shapeAfter),
    ['download, records/s', figure(records / download.seconds)],
    ['download, peak MB', figure(download.peak)],
  ];

  function shapeRows(name: string, of: Shape | undefined): Row[] {
    if (!of) return [];
    return [
      [`${name}: segments`, figure(of.segments, '40')],
      [`${name}: MB`, figure(of.megabytes)],
      [`${name}: writes of a record`, figure(of.amplification, '4', 2)],
    ];
  }
}

/** The highest that a class may reach with ten million records, in milliseconds. */
const WARM_MILLIS = 10;
const PHRASE_MILLIS = 150;

function classRows({ before, after }: Notes): Row[] {
  return QUERY_CLASSES.flatMap((name) =>
    [before[name], after[name]].flatMap((figures, i): Row[] => {
      if (!figures) return [];
      const { warm, cold, total } = figures;
      return [
        [
          `${name}${i === 0 ? '' : ', replaced'}`,
          {
            matches: String(total),
            'warm p50 ms': warm.p50.toPrecision(2),
            'warm p99 ms': `${warm.p99.toPrecision(2)} (${name === 'phrase' ? PHRASE_MILLIS : WARM_MILLIS})`,
            'cold p50 ms': `${cold.p50.toFixed(0)} (120)`,
            reads: cold.reads.toFixed(1),
            'most reads': `${cold.mostReads} (10)`,
            rounds: `${cold.rounds} (3)`,
            MB: cold.megabytes.toFixed(2),
            'most MB': `${cold.mostMegabytes.toFixed(2)} (2)`,
          },
        ],
      ];
    }),
  );
}
