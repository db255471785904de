import { Field } from '../components/form.tsx';

interface MonthlyCreditProps {
  readonly value: string | undefined;
  readonly error: string | undefined;
}

/** Asks to what the credit of a token is renewed. */
export const MonthlyCredit = ({ value, error }: MonthlyCreditProps) => (
  <Field
    name="monthlyDownloads"
    label="Monthly credits"
    value={value}
    error={error}
    hint="Renewed on the first day of each month (UTC). Leave empty for no renewal."
    inputMode="numeric"
  />
);
