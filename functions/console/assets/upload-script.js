// Uploads the file of a form in parts to presigned links, and goes on with what the file begins with.
(() => {
  const doc = document;
  const HEAD_BYTES = 48 * 1024;
  const AT_ONCE = 3;
  const TRIES = 4;
  const wait = (millis) => new Promise((done) => setTimeout(done, millis));
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  // Resolves to the text of base64.
  const base64 = (blob) =>
    new Promise((done, failed) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result.slice(reader.result.indexOf(',') + 1));
      reader.onerror = () => failed(reader.error);
      reader.readAsDataURL(blob);
    });

  // `fetch` does not say how much was sent.
  const put = (url, blob, onSent) =>
    new Promise((done, failed) => {
      const request = new XMLHttpRequest();
      request.upload.onprogress = ({ loaded }) => onSent(loaded);
      request.onload = () => (request.status === 200 ? done() : failed(new Error(`status ${request.status}`)));
      request.onerror = () => failed(new Error('network'));
      request.open('PUT', url);
      request.send(blob);
    });

  async function putPart(link, blob, onSent) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await put(link.url, blob, onSent);
      } catch (error) {
        if (attempt === TRIES) throw error;
        await wait(1_000 * attempt);
      }
    }
  }

  async function putAll(file, { links, partBytes }, onProgress) {
    const sent = links.map(() => 0);
    const waiting = links.map((link, index) => [link, index]);
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [link, index] = next;
        const blob = file.slice(index * partBytes, (index + 1) * partBytes);
        await putPart(link, blob, (bytes) => {
          sent[index] = bytes;
          onProgress(sent.reduce((sum, one) => sum + one, 0));
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async function upload(form, file) {
    const [progress, failed] = ['progress', 'failed'].map((name) => form.querySelector(`[data-${name}]`));
    const [bar, done] = [progress.querySelector('progress'), progress.querySelector('[data-done]')];
    const button = form.querySelector('[type=submit]');
    const show = (bytes) => {
      bar.value = bytes / file.size;
      done.textContent = `${megabytes(bytes)} of ${megabytes(file.size)} MB`;
    };
    failed.textContent = '';
    progress.hidden = false;
    button.disabled = true;
    show(0);
    try {
      const fields = { name: file.name, bytes: file.size };
      const own = new FormData(form);
      for (const [name, value] of own) if (typeof value === 'string') fields[name] = value;
      const answer = await fetch(form.dataset.uploads, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
      if (!answer.ok) {
        // The session has ended.
        form.dataset.sent = '1';
        return location.reload();
      }
      const begun = await answer.json();
      if (begun.failure) throw new Error(begun.failure, { cause: 'refused' });
      await putAll(file, begun, show);
      show(file.size);
      const head = await base64(file.slice(0, HEAD_BYTES));
      for (const [name, value] of Object.entries({
        ...fields,
        key: begun.key,
        uploadId: begun.uploadId,
        head,
      })) {
        if (own.has(name)) continue;
        form.append(
          Object.assign(doc.createElement('input'), {
            type: 'hidden',
            name,
            value,
          }),
        );
      }
      form.querySelector('input[type=file]').disabled = true;
      form.action = form.dataset.next;
      form.enctype = 'application/x-www-form-urlencoded';
      // This raises no event. Without the mark, the browser would ask whether the page may be left.
      form.dataset.sent = '1';
      form.submit();
    } catch (error) {
      progress.hidden = true;
      button.disabled = false;
      const reason = /^(network|status)/.test(error.message) ? 'the connection was interrupted' : error.message;
      failed.textContent = error.cause === 'refused' ? reason : `The upload failed: ${reason}. Try again.`;
    }
  }

  for (const form of doc.querySelectorAll('form[data-uploads]')) {
    const field = form.querySelector('input[type=file]');
    for (const part of form.querySelectorAll('[data-scripted]')) part.hidden = false;
    for (const part of form.querySelectorAll('[data-unscripted]')) part.hidden = true;
    form.addEventListener('submit', (event) => {
      const [file] = field.files;
      if (!file?.size) return;
      event.preventDefault();
      event.stopPropagation();
      void upload(form, file);
    });
    for (const type of ['dragover', 'dragleave', 'drop'])
      form.addEventListener(type, (event) => {
        event.preventDefault();
        form.classList.toggle('dropping', type === 'dragover');
        if (type !== 'drop' || event.dataTransfer.files.length === 0) return;
        field.files = event.dataTransfer.files;
        form.requestSubmit();
      });
  }
})();
