/** Places, reviews and accounts, as people use them in the console without script. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { ConsoleVisitor } from '../../support/console/console-visitor.ts';
import { type ImageService, imageService } from '../../support/images/image-service.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';

stepsInOrder();

let service: RunningService;
let images: ImageService;
let demo: ConsoleVisitor;
let operator: ConsoleVisitor;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  images = imageService(service, await service.managementToken('demo'));
  [demo, operator] = (await Promise.all(['demo', 'demo-operator'].map(signedIn))) as [ConsoleVisitor, ConsoleVisitor];
});
afterAll(() => service?.close());

const HOME = '/console/t/demo';

async function signedIn(name: string): Promise<ConsoleVisitor> {
  const person = new ConsoleVisitor(service);
  expect((await person.signIn(name)).status).toBe(303);
  return person;
}

/** Submits the form of a page that goes to a path. */
async function submit(person: ConsoleVisitor, page: string, action: string, fields: Record<string, string> = {}) {
  const form = await person.formToken(page, action);
  return person.post(action, { form, ...fields });
}

/** As a reader of the page sees it. */
const words = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&lt;', '<');

describe('places', () => {
  const NEW = `${HOME}/places/-/new`;
  const cafe = { name: 'Cafe <i>Azul</i>', id: 'cafe-azul', latitude: '36.7213', longitude: '-4.4214', points: '7' };

  it('are made, found on the map and in the list, changed and deleted', async () => {
    const made = await submit(demo, NEW, NEW, cafe);
    expect([made.status, made.location]).toEqual([303, `${HOME}/places/cafe-azul?saved=1`]);

    const map = await demo.get(`${HOME}/places?box=-4.5,36.7,-4.4,36.8`);
    expect(words(map.text)).toContain('1 place');
    expect(map.text.match(/<circle class="point"/g)).toHaveLength(1);
    expect(map.text).toContain('Cafe &lt;i>Azul&lt;/i>');
    expect(map.text).toMatch(/<path class="land" d="M/);

    const path = `${HOME}/places/cafe-azul`;
    const saved = await submit(demo, path, path, { ...cafe, name: 'Cafe Verde', brand: 'Azul', closed: 'on' });
    expect(saved.location).toBe(`${path}?saved=1`);
    const content = words((await demo.get(path)).text);
    expect(content).toContain('Cafe Verde');
    expect(content).toContain('Closed');

    expect((await submit(demo, `${path}/delete`, `${path}/delete`)).location).toBe(`${HOME}/places?deleted=1`);
    expect((await demo.get(path)).status).toBe(404);
  });

  it('say beside the field what is wrong, and keep what was typed', async () => {
    const refused = await submit(demo, NEW, NEW, { ...cafe, latitude: '97', longitude: 'west' });
    expect(refused.status).toBe(400);
    expect(words(refused.text)).toContain('Enter degrees as a number');
    const tooFar = await submit(demo, NEW, NEW, { ...cafe, latitude: '97' });
    expect([tooFar.status, tooFar.text.includes('value="97"')]).toEqual([400, true]);
    expect(tooFar.text).toMatch(/id="field-latitude-said"/);
  });

  it('are all found in a view of the world, where the index finds none', async () => {
    for (const [id, longitude] of [
      ['north', '-122.3493'],
      ['south', '-122.3494'],
    ] as const) {
      const fields = { ...cafe, id, name: `Bar ${id}`, latitude: '47.6205', longitude };
      expect((await submit(demo, NEW, NEW, fields)).status).toBe(303);
    }
    const world = await demo.get(`${HOME}/places?box=-180,-60,180,75`);
    expect(words(world.text)).toMatch(/Bar (north|south)/);
    expect(world.text).toMatch(/<text class="count"[^>]*>\d+<\/text>/);
    const taken = await submit(demo, NEW, NEW, { ...cafe, id: 'north' });
    expect([taken.status, words(taken.text).includes('There is a place north already')]).toEqual([409, true]);
  });

  it('list the check-ins of a customer, by either id', async () => {
    expect(words((await demo.get(`${HOME}/places/-/check-ins`)).text)).toContain('Whose check-ins?');
    for (const customer of ['demo-user', 'demo-external']) {
      const { status, text } = await demo.get(`${HOME}/places/-/check-ins?customer=${customer}`);
      expect([status, words(text).includes('This customer has not checked in.')]).toEqual([200, true]);
    }
    expect(words((await demo.get(`${HOME}/places/-/check-ins?customer=nobody`)).text)).toContain('No such customer');
  });
});

describe('reviews', () => {
  async function waitingRecord(): Promise<{ id: number; path: string }> {
    const to = await images.campaign({ type: 'image' });
    // Pictures that are alike would be found to be one that was submitted twice.
    const picture = await sharp(randomBytes(16 * 16), { raw: { width: 16, height: 16, channels: 1 } })
      .resize(640, 640, { kernel: 'nearest' })
      .jpeg()
      .toBuffer();
    const { id } = await images.waiting(
      await images.submit(await images.newCustomer(), { to, type: 'image' }, picture),
    );
    return { id, path: `${HOME}/images/${id}` };
  }

  let first: Awaited<ReturnType<typeof waitingRecord>>;
  beforeAll(async () => {
    first = await waitingRecord();
  });

  it('belong to whoever has taken the record, until it is released', async () => {
    const { id, path } = first;
    expect(words((await demo.get(`${HOME}/images`)).text)).toContain(String(id));
    expect((await demo.get(path)).text).not.toContain(`action="${path}/review"`);

    expect((await submit(demo, path, `${path}/claim`)).location).toBe(path);
    const mine = await demo.get(path);
    expect(mine.text).toContain(`action="${path}/review"`);
    const theirs = await operator.get(path);
    expect(theirs.text).not.toContain(`action="${path}/review"`);
    expect(words(theirs.text)).toContain('demo is reviewing this record');

    // Somebody who had opened the page before it was taken.
    const late = await operator.post(`${path}/claim`, { form: await operator.formToken(path, '/console/sign-out') });
    expect([late.status, words(late.text).includes('Another reviewer has started on this record.')]).toEqual([
      409,
      true,
    ]);

    expect((await submit(demo, path, `${path}/release`)).location).toBe(`${HOME}/images?notice=released`);
    expect((await submit(operator, path, `${path}/claim`)).status).toBe(303);
    await submit(operator, path, `${path}/release`);
  });

  it('show the picture from the origin that the policy allows, by a link that is made on click', async () => {
    const { path } = first;
    const { text, headers } = await demo.get(path);
    const [, address = ''] = /<image href="([^"]+)"/.exec(text) ?? [];
    const { origin } = new URL(address);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ').find((rule) => rule.startsWith('img-src'))).toBe(`img-src 'self' ${origin}`);
    const opened = await demo.get(`${path}/pictures/0`);
    expect([opened.status, new URL(opened.location ?? '').origin]).toEqual([303, origin]);
    const picture = await fetch(opened.location ?? '');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await demo.get(`${path}/pictures/1`)).status).toBe(404);
  });

  it('are stored once, lead to the next record, and tell others what became of it', async () => {
    const second = await waitingRecord();
    await submit(demo, first.path, `${first.path}/claim`);
    const { text } = await demo.get(first.path);
    const [, revision = ''] = /name="revision" value="(\d+)"/.exec(text) ?? [];
    const undecided = await submit(demo, first.path, `${first.path}/review`, { revision, act: 'save' });
    expect([undecided.status, words(undecided.text).includes('Choose one')]).toEqual([400, true]);
    const stale = await submit(demo, first.path, `${first.path}/review`, {
      revision: String(Number(revision) - 1),
      verdict: 'valid',
    });
    expect([stale.status, words(stale.text).includes('The record has changed since you opened it.')]).toEqual([
      409,
      true,
    ]);

    const verdict = { revision, verdict: 'invalid', code: '17', act: 'next' };
    const saved = await submit(demo, first.path, `${first.path}/review`, verdict);
    // Records of other tests may wait, too: the next one is theirs or the second one, and is this person's now.
    expect(saved.location).toMatch(new RegExp(`^${HOME}/images/\\d+$`));
    expect(saved.location).not.toBe(first.path);
    expect((await demo.get(saved.location ?? '')).text).toContain(`action="${saved.location}/review"`);

    const form = await operator.formToken(second.path, '/console/sign-out');
    const typed = { verdict: 'valid', storeName: 'Seen <b>too</b> late' };
    const late = await operator.post(`${first.path}/review`, { form, revision, ...typed });
    expect(late.status).toBe(409);
    expect(words(late.text)).toMatch(/Your unsaved input.* Seen <b>too/);
    expect(words(late.text)).toMatch(/Another reviewer has decided this record|The record is no longer open/);
    expect(words((await demo.get(first.path)).text)).toContain('image appears to have been altered');
  });
});

describe('operators', () => {
  it('make an account, change it, give it credit once in view, and act for it', async () => {
    const NEW = '/console/accounts/-/new';
    const made = await submit(operator, NEW, NEW, { name: 'Fabrikam Ltd', plan: 'starter', billingCurrency: 'EUR' });
    expect(made.location).toBe('/console/t/fabrikam-ltd/people/-/new?account-created=1');
    const path = '/console/accounts/fabrikam-ltd';
    const again = await submit(operator, NEW, NEW, { name: 'Fabrikam Ltd', plan: 'free', billingCurrency: 'EUR' });
    expect([again.status, words(again.text).includes('An account with the id fabrikam-ltd already exists')]).toEqual([
      409,
      true,
    ]);
    const changed = await submit(operator, path, path, { organization: 'Fabrikam', billingCurrency: 'EUR' });
    expect(changed.location).toBe(`${path}?saved=1`);
    expect((await operator.get(path)).text).toContain('value="Fabrikam"');

    const token = await submit(operator, path, `${path}/tokens`, { availableDownloads: '1,500', planId: 'basic' });
    const [, secret = ''] = /<pre id="secret"[^>]*>([\w-]+)<\/pre>/.exec(token.text) ?? [];
    expect(secret.length).toBeGreaterThan(30);
    const page = await operator.get(path);
    expect(words(page.text)).toContain('1,500 records');
    expect(page.text).not.toContain(secret);
    const refused = await submit(operator, path, `${path}/tokens`, { availableDownloads: 'many', planId: 'basic' });
    expect([refused.status, words(refused.text).includes('must be a number')]).toEqual([400, true]);

    const own = words((await operator.get('/console/t/fabrikam-ltd/places')).text);
    expect(own).toContain('Viewing the account fabrikam-ltd');
  });
});
