import { describe, expect, it } from 'vitest';
import { addLogFields, log, withLogFields } from '../../../shared/telemetry/log.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';
import { turn } from '../../support/runner/machine-time.ts';

const lines = loggedLines();

describe('a line of the log', () => {
  it('holds level, message, time and the given fields', () => {
    log.info('told', { a: 1, list: [{ b: 2 }] });
    log.warn('warned');
    expect(lines()).toEqual([
      {
        level: 'INFO',
        message: 'told',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        service: expect.any(String),
        a: 1,
        list: [{ b: 2 }],
      },
      expect.objectContaining({ level: 'WARN', message: 'warned' }),
    ]);
  });

  it('of an error holds its stack and its causes, and nothing else that an AWS call has put into it', () => {
    const cause = Object.assign(new TypeError('the cause'), { Item: { secret: { S: 'stored' } } });
    const error = Object.assign(new Error('the error', { cause }), {
      $response: { body: 'secret' },
      Item: { secret: 1 },
    });
    log.error('it failed', { error, id: 'x' });
    const [line] = lines();
    expect(line).toMatchObject({ level: 'ERROR', id: 'x' });
    expect(line.error).toEqual({
      name: 'Error',
      message: 'the error',
      stack: expect.stringContaining('log.test.ts'),
      cause: { name: 'TypeError', message: 'the cause', stack: expect.any(String) },
    });
  });

  it('of a thrown value that is not an error shows the value', () => {
    log.error('it failed', { error: 'just text' });
    log.error('it failed', { error: new Error('outside', { cause: 'inside' }) });
    expect(lines()).toMatchObject([{ error: 'just text' }, { error: { cause: 'inside' } }]);
  });
});

describe('fields of a scope', () => {
  it('are on every line below it, do not leave it, and do not mix with those of another at the same time', async () => {
    const work = (id: string) =>
      withLogFields({ id }, async () => {
        await turn();
        addLogFields({ [id]: true });
        await turn();
        log.info('inside');
      });
    await withLogFields({ outer: 1 }, () => Promise.all([work('a'), work('b')]));
    addLogFields({ lost: true });
    log.info('outside');
    const seen = lines().map(({ level, message, timestamp, service, ...fields }) => ({ message, ...fields }));
    expect(seen).toHaveLength(3);
    expect(seen).toContainEqual({ message: 'inside', outer: 1, id: 'a', a: true });
    expect(seen).toContainEqual({ message: 'inside', outer: 1, id: 'b', b: true });
    expect(seen.at(-1)).toEqual({ message: 'outside' });
  });
});
