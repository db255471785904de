// Makes pages quicker to use. Each of them works without it.
(() => {
  'use strict';
  const doc = document;
  try {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone) doc.cookie = `zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
  } catch {
    // Times stay in UTC.
  }

  // Screen readers say this, and nothing else of what changes by itself.
  const announce = (text) => {
    doc.getElementById('announcement').textContent = text;
  };

  // Warns before the session ends. Any request makes it longer, in other tabs too.
  const WARNING = 120_000;
  const warning = doc.querySelector('[data-session]');
  let warningTimer;
  function warn(ends) {
    clearTimeout(warningTimer);
    const rest = ends - Date.now();
    warning.hidden = rest > WARNING;
    warning.querySelector('[data-session-coming]').hidden = rest <= 0;
    warning.querySelector('[data-session-over]').hidden = rest > 0;
    if (rest > 0) warningTimer = setTimeout(() => warn(ends), rest > WARNING ? rest - WARNING : rest);
  }
  function sessionLasts(millis) {
    if (!warning || !millis) return;
    const ends = Date.now() + Number(millis);
    warn(ends);
    try {
      localStorage.setItem('session-ends', String(ends));
    } catch {
      // Other tabs warn on their own.
    }
  }
  if (warning) {
    sessionLasts(warning.dataset.session);
    addEventListener('storage', ({ key, newValue }) => {
      if (key === 'session-ends' && newValue) warn(Number(newValue));
    });
    warning.querySelector('button').addEventListener('click', () => void staySignedIn());
  }
  async function staySignedIn() {
    const answer = await fetch(warning.dataset.extendedBy, { redirect: 'manual' });
    if (!answer.ok) return warn(0);
    sessionLasts(answer.headers.get('x-session-millis'));
    if (warning.hidden) announce('You stay signed in.');
  }

  // Refreshes the parts that change, at growing intervals, while the page is visible.
  const FIRST = 2_000;
  const SLOWEST = 10_000;
  const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

  const stateIn = (part) => part.querySelector('.badge')?.textContent ?? '';

  // A reload would lose what is entered in a form.
  const valuesOf = (form) => new URLSearchParams(new FormData(form)).toString();
  const asLoaded = new Map(
    [...doc.forms].filter(({ method }) => method === 'post').map((form) => [form, valuesOf(form)]),
  );
  const isEdited = () => [...asLoaded].some(([form, values]) => form.isConnected && valuesOf(form) !== values);

  // So would leaving the page, other than by sending a form. Browsers fill in the own password by themselves.
  addEventListener('beforeunload', (event) => {
    const isSent = [...asLoaded.keys()].some((form) => form.dataset.sent);
    if (isEdited() && !isSent && !doc.querySelector('[autocomplete="current-password"]')) event.preventDefault();
  });

  async function follow(part) {
    let last;
    for (let wait = FIRST; part.isConnected && part.dataset.live; wait = Math.min(wait * 1.3, SLOWEST)) {
      await sleep(wait);
      if (doc.hidden || part.contains(doc.activeElement)) continue;
      const url = new URL(location.href);
      url.searchParams.set('fragment', part.dataset.live);
      part.setAttribute('aria-busy', 'true');
      try {
        // Once the session has ended, the page leads to signing in instead.
        const answer = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });
        // `setHTML` takes no script, whatever the text holds.
        if (!answer.ok || !part.setHTML) {
          if (isEdited()) continue;
          return location.reload();
        }
        sessionLasts(answer.headers.get('x-session-millis'));
        const text = await answer.text();
        const state = stateIn(part);
        // What is the same stays, with its selection.
        if (text !== last) {
          const unfolded = [...part.querySelectorAll('details[open][id]')];
          part.setHTML(text, { sanitizer: {} });
          for (const { id } of unfolded) doc.getElementById(id)?.setAttribute('open', '');
        }
        last = text;
        if (part.dataset.saysState !== undefined && stateIn(part) !== state) announce(stateIn(part));
        if (answer.headers.get('x-live-over')) {
          delete part.dataset.live;
          if (part.dataset.reload !== undefined && !isEdited()) location.reload();
        }
      } catch {
        // The next round tries again.
      } finally {
        part.removeAttribute('aria-busy');
      }
    }
  }
  for (const part of doc.querySelectorAll('[data-live]')) void follow(part);

  // Copies the text of the element that a button names.
  async function copy(button) {
    const text = doc.getElementById(button.dataset.copies)?.textContent ?? '';
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    announce(button.textContent);
    setTimeout(() => {
      button.textContent = label;
    }, 1_500);
  }
  doc.addEventListener('click', (event) => {
    const button = event.target.closest?.('button[data-copies]');
    if (button) void copy(button);
  });

  for (const button of doc.querySelectorAll('button[data-prints]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }

  // Tabs that do not fit scroll sideways, on phones.
  doc.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

  // A notice belongs to one change: neither a reload nor a shared link says it again.
  if (doc.querySelector('[data-notice]')) {
    const url = new URL(location.href);
    url.searchParams.delete('notice');
    history.replaceState(history.state, '', url);
  }

  // Inserts a text at the caret, or at the end of a field that was not focused yet.
  const entered = new WeakSet();
  doc.addEventListener('focusin', (event) => entered.add(event.target));
  doc.addEventListener('click', (event) => {
    const button = event.target.closest?.('button[data-inserts]');
    const area = button && doc.getElementById(button.dataset.into);
    if (!area) return;
    // A button that would do it by a new page.
    event.preventDefault();
    if (!entered.has(area)) area.setSelectionRange(area.value.length, area.value.length);
    // Terms of a query are joined, as they are without script.
    const gap = area.type === 'search' && /[^\s(]$/.test(area.value.slice(0, area.selectionStart)) ? ' AND ' : '';
    area.setRangeText(gap + button.dataset.inserts, area.selectionStart, area.selectionEnd, 'end');
    area.focus();
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });

  // Checks all boxes of a name, or none if all are checked.
  for (const button of doc.querySelectorAll('button[data-checks]')) {
    const boxes = [...button.form.querySelectorAll(`[name="${CSS.escape(button.dataset.checks)}"]`)];
    button.hidden = false;
    button.addEventListener('click', () => {
      const isEvery = boxes.every((box) => box.checked);
      for (const box of boxes) box.checked = !isEvery;
    });
  }

  // Older browsers focus nothing but fields by themselves.
  const refusal = doc.querySelector('[autofocus]');
  if (refusal && doc.activeElement === doc.body) refusal.focus();

  // What was wrong with a field, or with its form, may no longer be so once the field is changed.
  doc.addEventListener('input', ({ target: field }) => {
    for (const fault of field.form?.querySelectorAll('.note.bad') ?? []) fault.remove();
    if (!field.hasAttribute('aria-invalid')) return;
    doc.getElementById(field.getAttribute('aria-describedby'))?.remove();
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
    const summary = doc.querySelector('[data-faults]');
    summary
      ?.querySelector(`a[href="#${CSS.escape(field.id)}"]`)
      ?.closest('li')
      .remove();
    if (summary && !summary.querySelector('li')) summary.remove();
  });

  // Shows what a form would give, a moment after the last change.
  for (const form of doc.querySelectorAll('form[data-previews]')) {
    const shown = doc.getElementById(form.dataset.previews);
    let timer;
    let round = 0;
    const preview = async () => {
      const mine = (round += 1);
      const answer = await fetch(form.dataset.previewAt, {
        method: 'POST',
        body: new URLSearchParams(new FormData(form)),
      });
      const text = await answer.text();
      if (mine === round && answer.ok && shown.setHTML) shown.setHTML(text, { sanitizer: {} });
    };
    form.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => preview().catch(() => {}), 400);
    });
  }

  // Lights a line of a reading and its box in the picture together.
  const light = (event) => {
    const mark = event.target.closest?.('[data-mark]')?.dataset.mark;
    for (const part of doc.querySelectorAll('[data-mark]')) part.classList.toggle('lit', part.dataset.mark === mark);
  };
  if (doc.querySelector('[data-mark]'))
    for (const type of ['pointerover', 'focusin']) doc.addEventListener(type, light);

  // A form is sent once, and says that it is under way.
  doc.addEventListener('submit', (event) => {
    const form = event.target;
    if (form.method !== 'post') return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = '1';
    form.setAttribute('aria-busy', 'true');
  });
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    for (const form of doc.querySelectorAll('form[data-sent]')) {
      delete form.dataset.sent;
      form.removeAttribute('aria-busy');
    }
  });

  // Fields that matter for one choice only.
  const choose = () => {
    for (const part of doc.querySelectorAll('[data-shown-for]')) {
      const [name, values] = part.dataset.shownFor.split('=');
      const field = doc.querySelector(`[name="${CSS.escape(name)}"]:checked, select[name="${CSS.escape(name)}"]`);
      part.hidden = !values.split('|').includes(field?.value ?? '');
    }
  };
  doc.addEventListener('change', choose);
  choose();
})();
