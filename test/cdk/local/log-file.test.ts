import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MetricStore } from '../../../cdk/local/cloudwatch/metric-store.ts';
import { FunctionLogs } from '../../../cdk/local/lambda/function-log.ts';
import { LogFile } from '../../../cdk/local/log-file.ts';
import { LogGroups } from '../../../cdk/local/logs/log-groups.ts';

const now = () => new Date();

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logs-'));
  path = join(folder, 'deep', 'a.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const content = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

describe('a log file', () => {
  test('holds what was said last, in order and whole, in two files of limited size', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), {
      maxLength: 40,
      size: 'max',
    });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 60 }), fc.nat(40), (all, bytesMax, restartAt) => {
        rmSync(join(folder, 'deep'), { recursive: true, force: true });
        let file = new LogFile(path, bytesMax);
        for (const [i, word] of all.entries()) {
          if (i === restartAt) file = new LogFile(path, bytesMax);
          file.append(word);
        }
        const tail = content(`${path}.1`) + content(path);
        expect(all.join('').endsWith(tail)).toBe(true);
        expect(tail.endsWith(all.at(-1) ?? '')).toBe(true);
        const longest = Math.max(bytesMax, ...all.map((word) => Buffer.byteLength(word)));
        for (const one of [path, `${path}.1`]) expect(Buffer.byteLength(content(one))).toBeLessThanOrEqual(longest);
        expect(readdirSync(join(folder, 'deep')).length).toBeLessThanOrEqual(2);
      }),
    );
  });

  test('begins anew when somebody deletes it', () => {
    const file = new LogFile(path, 10);
    file.append('12345678');
    rmSync(path);
    file.append('again');
    expect(content(path)).toBe('again');
  });
});

test('the log of a function stays within 20 MB, however much it prints', () => {
  const logs = new FunctionLogs({ folder, metrics: new MetricStore(now), groups: new LogGroups(now) });
  for (let i = 0; i < 25; i++)
    logs.print({ name: 'Chatty' }, { level: 'INFO', text: `${i} ${'x'.repeat(1024 * 1024)}` });
  expect(readdirSync(folder).sort()).toEqual(['Chatty.log', 'Chatty.log.1']);
  const [older, newer] = ['Chatty.log.1', 'Chatty.log'].map((name) => readFileSync(join(folder, name), 'utf8'));
  expect((older ?? '').length + (newer ?? '').length).toBeLessThanOrEqual(20 * 1024 * 1024);
  const lines = `${older}${newer}`.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message.split(' ', 1)[0])).toEqual([
    '9',
    '10',
    '11',
    '12',
    '13',
    '14',
    '15',
    '16',
    '17',
    '18',
    '19',
    '20',
    '21',
    '22',
    '23',
    '24',
  ]);
});

test('what functions log as errors is reported, a line each', () => {
  const lines: string[] = [];
  const onError = (line: string) => lines.push(line);
  const logs = new FunctionLogs({ folder: null, onError, metrics: new MetricStore(now), groups: new LogGroups(now) });
  logs.print({ name: 'Worker' }, { level: 'INFO', text: 'fine' });
  logs.print({ name: 'Worker' }, { level: 'ERROR', text: '{"message":"lost"}\n{"message":"lost again"}' });
  expect(lines).toEqual([
    expect.stringMatching(/^Worker \{.*"message":"lost"/),
    expect.stringMatching(/^Worker \{.*"message":"lost again"/),
  ]);
});
