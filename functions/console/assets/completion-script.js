// Completes the names of fields while a query is typed.
(() => {
  'use strict';
  const doc = document;
  const MOST = 8;

  for (const box of doc.querySelectorAll('input[data-completes]')) {
    const names = [...doc.querySelectorAll(`#${box.dataset.completes} [data-inserts]`)].map((one) => one.textContent);
    const list = doc.createElement('ul');
    list.id = `${box.id}-list`;
    list.className = 'completions';
    list.hidden = true;
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Fields');
    box.after(list);
    const own = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id };
    for (const [name, value] of Object.entries(own)) box.setAttribute(name, value);
    let active = -1;

    // The word before the caret: a field, unless it has a value already or is quoted.
    const wordStart = () => {
      const before = box.value.slice(0, box.selectionStart);
      const [word] = /[\w.]*$/.exec(before);
      const isOpen = /(^|[\s(+-])$/.test(before.slice(0, before.length - word.length));
      const isQuoted = before.split('"').length % 2 === 0;
      return word && isOpen && !isQuoted ? before.length - word.length : -1;
    };
    const close = () => {
      list.hidden = true;
      active = -1;
      box.setAttribute('aria-expanded', 'false');
      box.removeAttribute('aria-activedescendant');
    };
    const mark = (index) => {
      active = index;
      for (const [at, option] of [...list.children].entries())
        option.setAttribute('aria-selected', String(at === index));
      if (index < 0) box.removeAttribute('aria-activedescendant');
      else box.setAttribute('aria-activedescendant', list.children[index].id);
    };
    const take = (name) => {
      box.setRangeText(`${name}:`, wordStart(), box.selectionStart, 'end');
      close();
      box.focus();
    };
    const open = () => {
      const start = wordStart();
      const word = start < 0 ? '' : box.value.slice(start, box.selectionStart).toLowerCase();
      const begin = names.filter((name) => name.toLowerCase().startsWith(word));
      const within = names.filter((name) => !begin.includes(name) && name.toLowerCase().includes(word));
      const found = word === '' ? [] : [...begin, ...within].slice(0, MOST);
      if (found.length === 0) return close();
      list.replaceChildren(
        ...found.map((name, at) => {
          const option = Object.assign(doc.createElement('li'), { id: `${list.id}-${at}`, textContent: name });
          option.setAttribute('role', 'option');
          return option;
        }),
      );
      list.hidden = false;
      box.setAttribute('aria-expanded', 'true');
      mark(-1);
    };

    box.addEventListener('input', open);
    box.addEventListener('blur', close);
    // The box keeps the focus.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => {
      const option = event.target.closest('[role=option]');
      if (option) take(option.textContent);
    });
    box.addEventListener('keydown', (event) => {
      const { length } = list.children;
      if (list.hidden) return;
      if (event.key === 'ArrowDown') mark((active + 1) % length);
      else if (event.key === 'ArrowUp') mark((active <= 0 ? length : active) - 1);
      else if (event.key === 'Escape') close();
      else if (event.key === 'Enter' && active >= 0) take(list.children[active].textContent);
      else return;
      event.preventDefault();
    });
  }
})();
