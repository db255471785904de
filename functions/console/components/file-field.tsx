import type { ComponentChildren } from 'preact';
import { FieldError } from './field-faults.tsx';
import { Label } from './form.tsx';
import { FORM_FILE_BYTES_MAX } from './form-limits.ts';
import { bytesText } from './quantities.ts';

interface FileFieldProps {
  /** The types and endings that the browser offers. */
  readonly accept: string;
  readonly hint: ComponentChildren;
  /** The reason why the file was refused. */
  readonly error?: string | undefined;
  /** The largest file that the page's script uploads. */
  readonly bytesMax: number;
}

/** The field `file` of a form with `upload`, with the progress of the page's script. Files can be dropped on its form. */
export const FileField = ({ accept, hint, error, bytesMax }: FileFieldProps) => (
  <>
    <div class="drop">
      <Label id="field-file" label="File" isRequired />
      <input
        id="field-file"
        name="file"
        type="file"
        required
        accept={accept}
        aria-describedby="field-file-said"
        aria-invalid={error === undefined ? undefined : 'true'}
      />
      {error === undefined ? (
        <p class="hint" id="field-file-said">
          {hint}
        </p>
      ) : (
        <FieldError id="field-file" label="File" error={error} />
      )}
      <p class="hint" data-scripted hidden>
        Up to {bytesText(bytesMax)}. You can also drop the file here.
      </p>
      <p class="hint" data-unscripted>
        Up to {bytesText(FORM_FILE_BYTES_MAX)}, because JavaScript is off. With JavaScript, files of up to{' '}
        {bytesText(bytesMax)} can be uploaded.
      </p>
    </div>
    <div class="stack-s" data-progress hidden>
      <progress max={1} value={0} aria-label="Uploaded" />
      <p class="small muted" data-done />
    </div>
    <p class="wrong" role="alert" data-failed />
  </>
);

/** Returns the reason why a file of a form is refused; undefined if it is accepted. */
export function fileFault(content: Uint8Array | undefined): string | undefined {
  if (!content?.length) return 'Choose a file';
  if (content.length <= FORM_FILE_BYTES_MAX) return undefined;
  return `This file is larger than ${bytesText(FORM_FILE_BYTES_MAX)}, the limit without JavaScript`;
}
