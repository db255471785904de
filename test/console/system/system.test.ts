import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { piecesOf, sectionOf, slugOf } from '../../../functions/console/system/runbook.ts';
import {
  alarmsWorstFirst,
  deadLettersWorstFirst,
  queuesWorstFirst,
} from '../../../functions/console/system/worst-first.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the order of the system', () => {
  it('puts alarms that sound first, the newest of them on top', () => {
    const alarm = (name: string, state: string, since: string) => ({ name, state, since, reason: '' });
    const alarms = [
      alarm('quiet', 'OK', '2026-11-22T12:00:00Z'),
      alarm('old', 'ALARM', '2026-11-22T10:00:00Z'),
      alarm('unknown', 'INSUFFICIENT_DATA', '2026-11-22T12:00:00Z'),
      alarm('new', 'ALARM', '2026-11-22T11:00:00Z'),
    ];
    expect(alarmsWorstFirst(alarms).map(({ name }) => name)).toEqual(['new', 'old', 'unknown', 'quiet']);
  });

  it('puts the queue with the oldest work first, then the fullest', () => {
    const queue = (name: string, waiting: number, oldestSeconds?: number) => ({
      name,
      waiting,
      inFlight: 0,
      delayed: 0,
      ...(oldestSeconds !== undefined && { oldestSeconds }),
    });
    const queues = [queue('empty', 0), queue('full', 9), queue('old', 1, 600)];
    expect(queuesWorstFirst(queues).map(({ name }) => name)).toEqual(['old', 'full', 'empty']);
  });

  it('shows dead letters only where there are any', () => {
    const letters = [
      { name: 'none', count: 0 },
      { name: 'few', count: 1 },
      { name: 'many', count: 7 },
    ];
    expect(deadLettersWorstFirst(letters).map(({ name }) => name)).toEqual(['many', 'few']);
  });
});

describe('the runbook', () => {
  const runbook = read('cdk/README.md');

  it('has the section of every alarm', () => {
    const named = globSync('cdk/**/*.ts', { cwd: ROOT }).flatMap((file) =>
      [...read(file).matchAll(/^\s+runbook: '([^']+)',$/gm)].map(([, section = '']) => section),
    );
    expect(new Set(named).size).toBeGreaterThan(5);
    for (const section of named) expect(sectionOf(runbook, slugOf(section))?.title, section).toBe(section);
  });

  it('has a section behind every link within its sections of alarms', () => {
    const [, operations = ''] = runbook.split('\n## Operations');
    const links = [...operations.split('\n## ')[0]!.matchAll(/\]\(#([^)]+)\)/g)].map(([, to = '']) => to);
    expect(links.length).toBeGreaterThan(5);
    for (const to of links) expect(sectionOf(runbook, to), to).toBeDefined();
  });

  it('is read up to the next heading, as text, code and tables', () => {
    const markdown =
      '# Top\n\n## One\n\nA *b*\nc.\n\n```\n$ run | it\n```\n\n### Two words\n\n| a | b |\n|---|---|\n| 1 | `2` |\n';
    expect(sectionOf(markdown, 'two-words')).toEqual({
      title: 'Two words',
      blocks: [
        {
          kind: 'table',
          rows: [
            ['a', 'b'],
            ['1', '`2`'],
          ],
        },
      ],
    });
    expect(sectionOf(markdown, 'one')?.blocks).toEqual([
      { kind: 'text', text: 'A *b* c.' },
      { kind: 'code', text: '$ run | it' },
    ]);
    expect(sectionOf(markdown, 'three')).toBeUndefined();
  });

  it('shows names as names and links within it as links', () => {
    expect(piecesOf('See `a`, [Faults](#faults) and **[this](../x.md)**, on *System* (2 * 3).')).toEqual([
      { kind: 'plain', text: 'See ' },
      { kind: 'code', text: 'a' },
      { kind: 'plain', text: ', ' },
      { kind: 'link', text: 'Faults', to: 'faults' },
      { kind: 'plain', text: ' and ' },
      { kind: 'plain', text: 'this' },
      { kind: 'plain', text: ', on System (2 * 3).' },
    ]);
  });
});
