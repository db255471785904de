import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSessionId } from '../../../functions/console/sessions/sealed-tokens.ts';
import type { Session } from '../../../functions/console/sessions/session.ts';
import { sessionStore } from '../../../functions/console/sessions/sessions.dynamodb.ts';
import { submissionStore } from '../../../functions/console/sessions/submissions.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'console');
});
afterAll(() => endpoint.close());

const session: Session = {
  person: { name: 'dana', tenant: 'acme', isOperator: false },
  tokens: { idToken: 'an-id-token', idTokenUntil: 900_000, refreshToken: 'a-refresh-token' },
  signedInAt: 1_000,
  lastRequestAt: 2_000,
  hasEnteredCode: false,
};

describe('stored sessions', () => {
  it('are found by the id of the cookie and by nothing that the table holds', async () => {
    const sessions = sessionStore(table);
    const id = newSessionId();
    await sessions.add(id, session);
    expect(await sessions.byId(id)).toEqual(session);
    const { Items: items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
    const stored = JSON.stringify(items);
    expect(stored).not.toContain(id);
    expect(stored).not.toContain('an-id-token');
    expect(stored).not.toContain('a-refresh-token');
    for (const { pk } of items) {
      const key = pk?.S?.replace('SESSION#', '') ?? '';
      expect(await sessions.byId(key)).toBeUndefined();
    }
  });

  it('note what has changed, and do not come back once they have ended', async () => {
    const sessions = sessionStore(table);
    const id = newSessionId();
    await sessions.add(id, session);
    const later = {
      ...session,
      lastRequestAt: 700_000,
      hasEnteredCode: true,
      tokens: { ...session.tokens, idToken: 'another' },
    };
    await sessions.note(id, later);
    expect(await sessions.byId(id)).toEqual(later);
    await sessions.end(id);
    await sessions.note(id, later);
    expect(await sessions.byId(id)).toBeUndefined();
  });

  it('keep that a code was stated, though a page that had read the session before writes it after', async () => {
    const sessions = sessionStore(table);
    const id = newSessionId();
    await sessions.add(id, session);
    const read = (await sessions.byId(id))!;
    await sessions.note(id, { ...read, hasEnteredCode: true });
    await sessions.note(id, { ...read, lastRequestAt: 700_000 });
    expect(await sessions.byId(id)).toEqual({ ...session, lastRequestAt: 700_000, hasEnteredCode: true });
  });

  it('never share an id', async () => {
    const sessions = sessionStore(table);
    const id = newSessionId();
    await sessions.add(id, session);
    await expect(sessions.add(id, { ...session, signedInAt: 5 })).rejects.toThrow('in use');
  });
});

describe('submitted forms', () => {
  it('are claimed once, however many submit them at the same time', async () => {
    let claims = 0;
    const submissions = submissionStore(table, () => `claim-${(claims += 1)}`);
    const submission = { sessionId: newSessionId(), nonce: 'a-nonce' };
    const claimed = await Promise.all(Array.from({ length: 20 }, () => submissions.claim(submission, 1_000)));
    expect(claimed.filter(Boolean)).toHaveLength(1);
    expect(await submissions.locationOf(submission)).toBeUndefined();
    await submissions.led(submission, '/console/t/acme/runs/run_1');
    expect(await submissions.locationOf(submission)).toBe('/console/t/acme/runs/run_1');
    expect(await submissions.claim({ ...submission, nonce: 'another' }, 1_000)).toBe(true);
    expect(await submissions.claim({ ...submission, sessionId: newSessionId() }, 1_000)).toBe(true);
  });
});
