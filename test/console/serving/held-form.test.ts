import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { SecretField } from '../../../functions/console/components/form.tsx';
import { Form } from '../../../functions/console/pages/form.ts';
import { heldFormIn, heldFormOf } from '../../../functions/console/serving/held-form.tsx';
import type { HttpEvent } from '../../../shared/http/http-handler.ts';

const event = { rawPath: '/console/t/demo/rules/new', rawQueryString: 'a=1' } as HttpEvent;

describe('a form whose session has ended', () => {
  it('is carried with all its fields but the token of the session', () => {
    const held = heldFormOf(event, new Form('form=token&scopes=read&scopes=events&body=%3C%22%0D%0A'));
    expect(held).toEqual({
      action: '/console/t/demo/rules/new?a=1',
      fields: 'scopes=read&scopes=events&body=%3C%22%0D%0A',
    });
    const carried = new URLSearchParams({ 'held-action': held?.action ?? '', 'held-fields': held?.fields ?? '' });
    expect(heldFormIn(new Form(carried.toString()))).toEqual(held);
  });

  it('is not carried if it has a secret, which must not stand in another page', () => {
    const html = renderToString(h(SecretField, { name: 'token', label: 'Token', isSet: false }));
    const names = [...html.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name);
    expect(heldFormOf(event, new Form(names.map((name) => `${name}=1`).join('&')))).toBeUndefined();
  });

  it('is not carried if it has files, or nothing but the token', () => {
    const files = new Map([['file', { name: 'a.csv', content: new Uint8Array() }]]);
    expect(heldFormOf(event, new Form('form=token&type=places', files))).toBeUndefined();
    expect(heldFormOf(event, new Form('form=token'))).toBeUndefined();
  });
});
